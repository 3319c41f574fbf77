"""Texts from files."""

from .records import BadRecord, Record
from .source import Source

__all__ = ["BadRecord", "Record", "Source"]
