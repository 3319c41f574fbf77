"""Texts from files."""

from .lines import Line, lines

__all__ = ["Line", "lines"]
