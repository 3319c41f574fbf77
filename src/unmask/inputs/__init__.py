"""Texts from files."""

from .lines import Line, check_readable, lines
from .records import BadRecord, Record
from .source import Source

__all__ = ["BadRecord", "Line", "Record", "Source", "check_readable", "lines"]
