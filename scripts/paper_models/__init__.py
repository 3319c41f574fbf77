"""Builds the models of the paper's experiment; see README.md and `python -m paper_models --help`."""
