"""Drawings of explanations: views that do not depend on the format, and one writer per format. Never imports torch."""
