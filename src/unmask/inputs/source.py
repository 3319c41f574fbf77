"""Reads a file of texts: checks the options, then calls the reader for the file's format."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from ..errors import ArgumentError, InputError, check_known
from ..text.request import Request
from .columns import PAIR, ColumnError, Columns, named
from .formats import FORMATS, PLAIN, FileFormat, Quoting
from .opening import STANDARD_INPUT, check_openable, empty, is_read_once, name, suffixes

QUOTINGS: dict[str, Quoting] = {name: name for name in get_args(Quoting)}


@dataclass(frozen=True, slots=True)
class Source:
    """A file of texts, and how to read it.

    Args:
        path: The file, or `-` for standard input. A .gz file is decompressed.
        form: txt, csv, tsv, jsonl or parquet; by default, the suffix decides, else txt.
        columns: The text column, or two for pairs; by default, `text`, else `sentence`, `prompt` or `messages`.
        keep: Whether to keep the other columns.
        label: The column with gold labels.
        continuation: The column with continuations of prompts.
        quoting: none or rfc4180; by default, rfc4180 for csv and none for tsv.
        most_columns: The maximum number of text columns; None for any number, such as a prompt and its choices.
    """

    path: str
    form: str | None = None
    columns: tuple[str, ...] = ()
    keep: bool = False
    quoting: str | None = None
    label: str | None = None
    continuation: str | None = None
    most_columns: int | None = PAIR

    def __post_init__(self) -> None:
        check_known("form", () if self.form is None else (self.form,), FORMATS)
        check_known("quoting", () if self.quoting is None else (self.quoting,), QUOTINGS)
        form = self._format()
        chosen = self.columns or self.label or self.continuation
        if not form.columns and (chosen or self.keep):
            use = "to choose from" if chosen else "to keep"
            raise self._misfit(f"one text per line, so there are no columns {use}")
        if form.quoting is None and self.quoting is not None:
            quoted = " and ".join(form.name for form in FORMATS.values() if form.quoting)
            raise self._misfit(f"which has no quoting; quoting applies to {quoted}")
        self._columns()

    def records(self) -> Iterator[Request | InputError]:
        """Yield the texts, with an error for each text that cannot be read; raise an error if the file is broken."""
        is_empty = True
        for record in self._format().records(self.path, self._columns(), self._quoting()):
            is_empty = False
            yield record
        if is_empty:
            raise empty(self.path)

    def count(self) -> int | None:
        """Count the records before the first error in the file; None if the file can be read only once."""
        if is_read_once(self.path):
            return None
        count = 0
        try:
            for _ in self._format().places(self.path, self._quoting()):
                count += 1
        except InputError:
            if not count:
                raise
        return count

    def count_all(self) -> int:
        """Count all records; raise an error if the file is broken anywhere."""
        return sum(1 for _ in self._format().places(self.path, self._quoting()))

    def check_rereadable(self) -> None:
        """Reject a file that can be read only once."""
        if is_read_once(self.path):
            raise InputError(
                f"{name(self.path)} can be read only once, so an interrupted run could not resume",
                hint="save the texts to a file first",
            )

    @property
    def has_columns(self) -> bool:
        """Whether the file's format has columns."""
        return self._format().columns

    def check(self) -> None:
        """Reject a file or columns that cannot be read, without reading from a pipe."""
        self._format().check()
        check_openable(self.path)
        if is_read_once(self.path):
            return
        first = next(self.records())
        if isinstance(first, ColumnError):
            raise named(first, self.path)

    def _format(self) -> FileFormat:
        if self.form is not None:
            return FORMATS[self.form]
        suffix = suffixes(self.path)[0] if self.path != STANDARD_INPUT else ""
        if suffix == ".json":
            raise InputError(
                f"{name(self.path)} is a single JSON document; give a .jsonl file with one JSON object per line",
                hint="convert it: jq -c '.[]' FILE > NEW_FILE.jsonl; or use --read-as jsonl",
            )
        return next((form for form in FORMATS.values() if suffix in form.suffixes), FORMATS[PLAIN])

    def _columns(self) -> Columns:
        return Columns(self.columns, self.keep, self.label, self.continuation, self.most_columns)

    def _quoting(self) -> Quoting:
        return QUOTINGS[self.quoting] if self.quoting else self._format().quoting or "none"

    def _misfit(self, why: str) -> ArgumentError:
        return ArgumentError(
            f"{name(self.path)} is read as {self._format().name}, {why}",
            hint="the suffix sets the format: .csv, .tsv, .jsonl or .parquet",
        )
