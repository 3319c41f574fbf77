"""Explains many texts into a folder that survives interruptions: fixed chunks, part files, one writer."""
