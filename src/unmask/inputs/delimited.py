"""Rows of fields under a header: .csv by RFC 4180, .tsv without quoting, each also the other way.

Blank lines are skipped, except in an unquoted file of one column, where a blank line is a row with an empty field.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..errors import InputError
from ..text.request import Request
from .columns import Columns
from .opening import byte_lines, decoded, name, text_lines

Quoting = Literal["none", "rfc4180"]
Row = tuple[int, list[str]]  # the line on which it begins, and its fields

csv.field_size_limit(2**31 - 1)  # for the whole process; what fits in C's long everywhere

# What csv says, and what a reader of it can use.
FAULTS = {
    "unexpected end of data": "a quote is not closed",
    "expected after '\"'": "more follows in a field after its closing quote",
    "new-line character seen": "a carriage return stands outside of quotes",
}


@dataclass(frozen=True, slots=True)
class Delimited:
    """A .csv or .tsv file."""

    delimiter: str
    path: str
    columns: Columns
    quoting: Quoting

    def records(self) -> Iterator[Request | InputError]:
        """Every row below the header."""
        rows = self._rows()
        for _, header in rows:
            columns = self.columns.in_file(self.path, header)
            for line, fields in rows:
                if len(fields) == len(header):
                    yield self.columns.request(line, dict(zip(header, fields, strict=True)), columns=columns)
                else:
                    count = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
                    yield InputError(f"{count} here and {len(header)} in the header", line=line)

    def places(self) -> Iterator[object]:
        """As many as there are records."""
        rows = self._rows()
        next(rows, None)
        return rows

    def _rows(self) -> Iterator[Row]:
        if self.quoting != "none":
            yield from self._quoted_rows()
            return
        width = 0
        for number, line in enumerate(text_lines(self.path), start=1):
            if line or width == 1:
                fields = line.split(self.delimiter)
                width = width or len(fields)
                yield number, fields

    def _quoted_rows(self) -> Iterator[Row]:
        lines = (decoded(line) for line in byte_lines(self.path))
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        while True:
            number = reader.line_num + 1
            try:
                fields = next(reader, None)
            except csv.Error as error:
                fault = next((ours for theirs, ours in FAULTS.items() if theirs in str(error)), str(error))
                raise InputError(
                    f"{name(self.path)} is not quoted by RFC 4180 in the row that begins on line {number}: {fault}",
                    hint="with --quoting none, quotes are characters like all others",
                ) from error
            if fields is None:
                return
            if fields:
                yield number, fields
