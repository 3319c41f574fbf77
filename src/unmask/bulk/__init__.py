"""Explains many texts and saves the results in a folder. An interrupted run can be resumed."""
