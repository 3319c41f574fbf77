"""Builds the embedded model; see README.md and `python -m embedded_model --help`."""
