"""What comes out of a file: texts with their places, and places where a text should be and none can be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError


@dataclass(frozen=True, slots=True)
class Record:
    """One text (or pair) of a file, and where it stands.

    Args:
        number: The line of the file on which it begins, from 1; a parquet file's row, from 1.
        text_pair: From a second column.
        kept: The other columns as JSON values, where they are wanted.
    """

    number: int
    text: str
    text_pair: str | None = None
    kept: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A place in a file where a text should be and none can be read; the others go on.

    Args:
        error: What is wrong there; it leaves the place to `number`.
    """

    number: int
    error: InputError
