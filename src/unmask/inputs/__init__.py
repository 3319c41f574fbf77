"""Texts from files."""

from .lines import Line, check_readable, lines

__all__ = ["Line", "check_readable", "lines"]
