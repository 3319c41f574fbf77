"""The registry of file formats; a new format is one entry in `FORMATS`."""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Literal

from ..errors import InputError, why_unreadable
from ..text.request import Request
from .columns import ColumnError, Columns
from .opening import LONGEST, byte_lines, decoded, name, text_lines, too_long
from .parquet import check_pyarrow, parquet_rows, read_parquet
from .values import kind

PLAIN = "txt"  # the format of a file with any other suffix
Quoting = Literal["none", "rfc4180"]
Row = tuple[int, list[str]]  # the line on which the row begins, and its fields

csv.field_size_limit(2**31 - 1)  # process-wide; the largest C long on every platform

# Messages of the csv module, and clearer wordings of them.
FAULTS = {
    "unexpected end of data": "a quote is not closed",
    "expected after '\"'": "a field continues after its closing quote",
    "new-line character seen": "there is a carriage return outside quotes",
}


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A file format.

    Args:
        suffixes: Suffixes of files that are read in this format by default.
        records: Reads a file's texts; yields an error with a line number for a text that cannot be read.
        places: Yields one item per record, to count records without reading them.
        columns: Whether the format has columns.
        quoting: The default quoting; None if the format has none.
        check: Raises an error if a library is missing.
    """

    name: str
    suffixes: tuple[str, ...]
    records: Callable[[str, Columns, Quoting], Iterator[Request | InputError]]
    places: Callable[[str, Quoting], Iterator[object]]
    columns: bool = True
    quoting: Quoting | None = None
    check: Callable[[], None] = lambda: None


def read_plain(path: str, _columns: Columns, _quoting: Quoting) -> Iterator[Request]:
    """Read one text per line. A blank line counts as an empty text, so that later texts keep their line numbers."""
    return (Request(text, line=line) for line, text in enumerate(text_lines(path), start=1))


def read_delimited(delimiter: str, path: str, columns: Columns, quoting: Quoting) -> Iterator[Request | InputError]:
    """Read rows of fields under a header. By default, .csv is quoted as in RFC 4180, and .tsv is not quoted."""
    rows = delimited_rows(delimiter, path, quoting)
    for _, header in rows:
        chosen = columns.in_file(path, header)
        for line, fields in rows:
            if len(fields) == len(header):
                yield columns.request(line, dict(zip(header, fields, strict=True)), columns=chosen)
            else:
                count = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
                yield InputError(f"{count}, but the header has {len(header)}", line=line)


def delimited_rows(delimiter: str, path: str, quoting: Quoting) -> Iterator[Row]:
    """Yield the header and the rows. Skips blank lines; in an unquoted file with one column, they are empty fields."""
    if quoting != "none":
        yield from _quoted_rows(delimiter, path)
        return
    width = 0
    for number, line in enumerate(text_lines(path), start=1):
        if line or width == 1:
            fields = line.split(delimiter)
            width = width or len(fields)
            yield number, fields


def _quoted_rows(delimiter: str, path: str) -> Iterator[Row]:
    size = 0  # of the row so far; a quoted row may span any number of lines

    def lines() -> Iterator[str]:
        nonlocal size
        for line in byte_lines(path):
            if (size := size + len(line)) > LONGEST:
                raise too_long(path, f"the row that begins on line {number}")
            yield decoded(line)

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    while True:
        number, size = reader.line_num + 1, 0
        try:
            fields = next(reader, None)
        except csv.Error as error:
            fault = next((ours for theirs, ours in FAULTS.items() if theirs in str(error)), str(error))
            raise InputError(
                f"{name(path)}: the row that begins on line {number} breaks RFC 4180 quoting: {fault}",
                hint="use --quoting none to read quotes as ordinary characters",
            ) from error
        if fields is None:
            return
        if fields:
            yield number, fields


def read_json_lines(path: str, columns: Columns, _quoting: Quoting) -> Iterator[Request | InputError]:
    """Read one JSON object per line; blank lines are skipped. A bad line fails without affecting the others."""
    for line, content in json_lines(path):
        yield _json_request(line, decoded(content.rstrip()), columns)


def json_lines(path: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their line numbers."""
    return ((number, line) for number, line in enumerate(byte_lines(path), start=1) if line.strip())


def _json_request(line: int, content: str, columns: Columns) -> Request | InputError:
    try:
        row = json.loads(content)
        if not isinstance(row, dict):
            return InputError(f"expected a JSON object, not {kind(row)}", line=line)
        return columns.request(line, row, columns=columns.among(list(row)))
    except ColumnError as error:
        error.line = line
        return error
    except json.JSONDecodeError as error:
        return InputError(f"broken JSON at character {error.pos + 1}: {error.msg.removesuffix(' at')}", line=line)
    except (ValueError, RecursionError) as error:
        return InputError(f"unreadable JSON: {why_unreadable(error)}", line=line)


def _delimited(name: str, delimiter: str, quoting: Quoting) -> FileFormat:
    return FileFormat(
        name,
        (f".{name}",),
        partial(read_delimited, delimiter),
        lambda path, quoting: islice(delimited_rows(delimiter, path, quoting), 1, None),
        quoting=quoting,
    )


FORMATS = {
    form.name: form
    for form in (
        FileFormat(PLAIN, (".txt",), read_plain, lambda path, _: byte_lines(path), columns=False),
        _delimited("csv", ",", "rfc4180"),
        _delimited("tsv", "\t", "none"),
        FileFormat("jsonl", (".jsonl", ".ndjson"), read_json_lines, lambda path, _: json_lines(path)),
        FileFormat("parquet", (".parquet",), read_parquet, lambda path, _: parquet_rows(path), check=check_pyarrow),
    )
}
