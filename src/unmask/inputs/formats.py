"""The forms of files that are read: one table, an entry carries all that is known of a form."""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Literal, Protocol

from ..errors import InputError
from ..text.request import Request
from .columns import ColumnError, Columns, kind
from .opening import byte_lines, decoded, name, text_lines
from .parquet import Parquet, check_pyarrow

PLAIN = "txt"  # of a file whose suffix is not known
Quoting = Literal["none", "rfc4180"]
Row = tuple[int, list[str]]  # the line on which it begins, and its fields

csv.field_size_limit(2**31 - 1)  # for the whole process; what fits in C's long everywhere

# What csv says, and what a reader of it can use.
FAULTS = {
    "unexpected end of data": "a quote is not closed",
    "expected after '\"'": "more follows in a field after its closing quote",
    "new-line character seen": "a carriage return stands outside of quotes",
}


class Reader(Protocol):
    """What reads one file."""

    def records(self) -> Iterator[Request | InputError]:
        """What is in the file, as it is read; an error with a line where a text cannot be read."""

    def places(self) -> Iterator[object]:
        """As many items as there are records, at less cost."""


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A form of file.

    Args:
        suffixes: Of files that are read so without being told.
        reader: From a path, the columns that are asked for and the quoting to what reads it.
        columns: Whether there are columns to choose from.
        quoting: How fields are quoted unless told otherwise; None where nothing is quoted.
        check: Raises where a library is missing.
    """

    name: str
    suffixes: tuple[str, ...]
    reader: Callable[[str, Columns, Quoting], Reader]
    columns: bool = True
    quoting: Quoting | None = None
    check: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class PlainText:
    """A .txt file: one text a line. A blank line is an empty text, which keeps its place among the others."""

    path: str

    def records(self) -> Iterator[Request]:
        """Every line."""
        return (Request(text, line=line) for line, text in enumerate(text_lines(self.path), start=1))

    def places(self) -> Iterator[object]:
        """As many as there are records."""
        return byte_lines(self.path)


@dataclass(frozen=True, slots=True)
class Delimited:
    """Rows of fields under a header: .csv by RFC 4180, .tsv without quoting, each also the other way.

    Blank lines are skipped, except in an unquoted file of one column, where a blank line is a row with an empty field.
    """

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
        return islice(self._rows(), 1, None)

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


@dataclass(frozen=True, slots=True)
class JsonLines:
    """A .jsonl file: one JSON object a line; blank lines are skipped. A line that is none fails alone, in its place."""

    path: str
    columns: Columns

    def records(self) -> Iterator[Request | InputError]:
        """Every line that is not blank."""
        for line, content in self.places():
            yield self._request(line, decoded(content.rstrip()))

    def places(self) -> Iterator[tuple[int, bytes]]:
        """As many as there are records: the lines and their numbers."""
        return ((number, line) for number, line in enumerate(byte_lines(self.path), start=1) if line.strip())

    def _request(self, line: int, content: str) -> Request | InputError:
        try:
            row = json.loads(content)
            if not isinstance(row, dict):
                return InputError(f"{kind(row)}, where a JSON object should be", line=line)
            return self.columns.request(line, row, columns=self.columns.among(list(row)))
        except ColumnError as error:
            error.line = line
            return error
        except json.JSONDecodeError as error:
            return InputError(f"broken JSON at character {error.pos + 1}: {error.msg.removesuffix(' at')}", line=line)
        except (ValueError, RecursionError) as error:  # a number of 5,000 digits; 100,000 brackets
            return InputError(f"JSON that cannot be read: {error}", line=line)


FORMATS = {
    form.name: form
    for form in (
        FileFormat(PLAIN, (".txt",), lambda path, _columns, _quoting: PlainText(path), columns=False),
        FileFormat("csv", (".csv",), partial(Delimited, ","), quoting="rfc4180"),
        FileFormat("tsv", (".tsv",), partial(Delimited, "\t"), quoting="none"),
        FileFormat("jsonl", (".jsonl", ".ndjson"), lambda path, columns, _quoting: JsonLines(path, columns)),
        FileFormat(
            "parquet", (".parquet",), lambda path, columns, _quoting: Parquet(path, columns), check=check_pyarrow
        ),
    )
}
