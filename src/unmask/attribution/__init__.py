"""Explains one text with one method: from the request to the explanation."""
