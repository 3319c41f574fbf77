"""Reads texts from files."""

from .columns import check_others
from .files import expand_patterns
from .formats import FORMATS, FileFormat
from .source import Source

__all__ = ["FORMATS", "FileFormat", "Source", "check_others", "expand_patterns"]
