"""Drawings of explanations: neutral views, and one pure writer per output format. Never imports torch."""
