"""Selects the text columns of a row and keeps the others as JSON values."""

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ArgumentError, InputError
from ..text.request import Request
from ..text.spans import shorten
from .chat import is_messages, read_messages
from .opening import name as file_name
from .values import json_value, kind

USUAL = ("text", "sentence", "prompt", "messages")
PAIR = 2  # most models read at most two text columns
LISTED = 20  # an error message lists at most this many columns


class ColumnError(InputError):
    """A missing or duplicate column."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The requested columns.

    Args:
        columns: The text column, two columns for pairs, or more for a prompt with choices; by default, the first of
            `USUAL` that the file has.
        keep: Whether to keep the other columns.
        label: The column with gold labels.
        continuation: The column with continuations of prompts.
        most: The most text columns; None for any number.
    """

    columns: tuple[str, ...] = ()
    keep: bool = False
    label: str | None = None
    continuation: str | None = None
    most: int | None = PAIR

    def __post_init__(self) -> None:
        if self.most is not None and len(self.columns) > self.most:
            raise ArgumentError(f"{len(self.columns)} columns given; expected one, or two for pairs")
        if len(set(self.columns)) < len(self.columns):
            raise ArgumentError(f"duplicate column {self.columns[0]!r}; a pair needs two different columns")

    def among(self, there: Sequence[str]) -> tuple[str, ...]:
        """Choose the text columns from the columns of the file.

        >>> Columns().among(["id", "sentence"])
        ('sentence',)
        """
        listed = f"columns: {_first(there)}" if there else "the file has no columns"
        for column in (*self.columns, *self.others):
            if column not in there:
                near = difflib.get_close_matches(column, there, n=1)
                guess = f"did you mean {near[0]!r}? " if near else ""
                raise ColumnError(f"no column {column!r}; {guess}{listed}")
        columns = self.columns or tuple(column for column in USUAL if column in there)[:1]
        if not columns:
            is_one = len(there) == 1 and any(mark in there[0] for mark in ";|\t")
            hint = (
                "columns are separated by commas in a .csv and by tabs in a .tsv"
                if is_one
                else "choose one with --column"
            )
            usual = f"{', '.join(map(repr, USUAL[:-1]))} or {USUAL[-1]!r}"
            raise ColumnError(f"no column {usual}; {listed}", hint=hint)
        counts = Counter(there)
        for column in there if self.keep else (*columns, *self.others):
            if counts[column] > 1:
                raise ColumnError(f"{counts[column]} columns are named {column!r}: rename all but one")
        return columns

    @property
    def others(self) -> tuple[str, ...]:
        """The columns needed in addition to the text columns."""
        return tuple(filter(None, (self.label, self.continuation)))

    def in_file(self, path: str, there: Sequence[str]) -> tuple[str, ...]:
        """Like `among`, but errors name the file."""
        try:
            return self.among(there)
        except ColumnError as error:
            raise named(error, path) from error

    def request(self, line: int, row: Mapping[str, Any], *, columns: tuple[str, ...]) -> Request | InputError:
        """Convert a row to a request; return an error if a text column does not hold text."""
        text, pair = row[columns[0]], row[columns[1]] if len(columns) == 2 else None
        is_chat = pair is None and is_messages(text)
        for column in (*columns[is_chat:], *filter(None, [self.continuation])):
            if not isinstance(row[column], str):
                return InputError(f"the column {column!r} is {kind(row[column])}, not a string", line=line)
        continuation = None if self.continuation is None else row[self.continuation]
        if continuation == "":
            return InputError(f"the column {self.continuation!r} is empty; expected a continuation", line=line)
        others = [column for column in row if column not in (*columns, self.continuation)] if self.keep else []
        kept = {column: json_value(row[column]) for column in others}
        label = None if self.label is None else json_value(row[self.label])
        if label is not None and not isinstance(label, str | int | float):
            return InputError(f"the column {self.label!r} is {kind(label)}, not a label", line=line)
        try:
            messages = read_messages(text, f"the column {columns[0]!r}") if is_chat else None
        except InputError as error:
            error.line = line
            return error
        if len(columns) > 2:
            segments = [(column, row[column]) for column in columns]
            return Request(segments=segments, line=line, columns=kept, label=label, continuation=continuation)
        given = text if messages is None else messages
        return Request(given, text_pair=pair, line=line, columns=kept, label=label, continuation=continuation)


def named(error: ColumnError, path: str) -> ColumnError:
    """Prefix an error with the file's name."""
    return ColumnError(f"{file_name(path)}: {error}", hint=error.hint)


def check_others(texts: Sequence[Request | InputError], *columns: str | None, of: str = "") -> None:
    """Reject a column that no text has."""
    rows = [text.columns for text in texts if isinstance(text, Request)]
    there = list(dict.fromkeys(name for row in rows for name in row))
    for column in columns:
        if rows and column is not None and column not in there:
            raise ArgumentError(f"{of}no column {column!r}; other columns: {_first(there) or 'none'}")


def _first(names: Sequence[str]) -> str:
    """Format column names for a message, shortened if they are many or long.

    >>> _first(["id", "x" * 1000, *map(str, range(40))])[-27:]
    '15, 16, 17, ... and 22 more'
    """
    more = f", ... and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(shorten(name) for name in names[:LISTED]) + more
