"""One text and one method: from what is asked of a text to its explanation."""
