"""Texts from files."""

from .records import BadRecord, Record, check_others
from .source import Source

__all__ = ["BadRecord", "Record", "Source", "check_others"]
