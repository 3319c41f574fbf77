"""The forms of files that are read: one table, an entry carries all that is known of a form."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from ..errors import InputError
from ..text.request import Request
from .columns import Columns
from .delimited import Delimited, Quoting
from .json_lines import JsonLines
from .opening import byte_lines, text_lines
from .parquet import Parquet, check_pyarrow

PLAIN = "txt"  # of a file whose suffix is not known


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
