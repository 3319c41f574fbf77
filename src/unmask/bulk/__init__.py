"""Explains many texts and saves the results in a folder that survives interruptions: chunks, part files, one writer."""
