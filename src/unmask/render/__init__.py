"""Drawings of explanations: one neutral form (shades), one pure writer per output. Never imports torch."""
