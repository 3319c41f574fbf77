"""Explains one text with one method: turns a request into an explanation."""
