"""What comes out of a file: texts with their places, and places where a text should be and none can be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import ArgumentError, InputError


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

    def other(self, column: str | None) -> Any:
        """What another column holds; None where it is empty, or where a line of JSON lacks it."""
        found = None if column is None else self.kept.get(column)
        return None if found == "" else found


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A place in a file where a text should be and none can be read; the others go on.

    Args:
        error: What is wrong there; it leaves the place to `number`.
    """

    number: int
    error: InputError


def check_others(records: Sequence[Record | BadRecord], *columns: str | None, of: str = "") -> None:
    """Refuse a column that no record has; a line of JSON may lack what others have."""
    rows = [record.kept for record in records if isinstance(record, Record)]
    there = list(dict.fromkeys(name for row in rows for name in row))
    for column in columns:
        if rows and column is not None and column not in there:
            raise ArgumentError(f"{of}no column {column!r}; other columns: {', '.join(there) or 'none'}")
