"""The front of the readers: a file of texts and how it is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ..errors import ArgumentError, InputError, unknown
from .columns import ColumnError, Columns, named
from .delimited import Delimited, Quoting
from .json_lines import JsonLines
from .opening import STANDARD_INPUT, check_openable, empty, is_read_once, name, suffixes
from .parquet import Parquet, check_pyarrow
from .plain import Plain
from .records import BadRecord, Record

FORMS = ("txt", "csv", "tsv", "jsonl", "parquet")
SUFFIXES = {**{f".{form}": form for form in FORMS}, ".ndjson": "jsonl"}
DELIMITERS = {"csv": ",", "tsv": "\t"}
QUOTINGS: dict[str, Quoting] = {"none": "none", "rfc4180": "rfc4180"}
USUAL_QUOTING: dict[str, Quoting] = {"csv": "rfc4180", "tsv": "none"}


class Reader(Protocol):
    """What each form of file can do."""

    def records(self) -> Iterator[Record | BadRecord]:
        """What is in the file, as it is read."""

    def places(self) -> Iterator[object]:
        """As many items as there are records, at less cost."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file of texts and how it is read.

    Args:
        path: A name that ends in .gz is decompressed; `-` is standard input.
        form: txt, csv, tsv, jsonl or parquet; None: by the suffix, and txt for any other and for standard input.
        columns: None: `text`, else `sentence`. One: the text. Two: the text and its pair.
        keep: Whether records carry the other columns.
        quoting: none or rfc4180; None: rfc4180 for csv, none for tsv.
    """

    path: str
    form: str | None = None
    columns: tuple[str, ...] = ()
    keep: bool = False
    quoting: str | None = None

    def __post_init__(self) -> None:
        if self.form is not None and self.form not in FORMS:
            raise unknown("form", self.form, FORMS)
        if self.quoting is not None and self.quoting not in QUOTINGS:
            raise unknown("quoting", self.quoting, QUOTINGS)
        form = self._form()
        if form == "txt" and (self.columns or self.keep):
            asked = "to choose" if self.columns else "to keep"
            raise self._misfit(f"one text a line: there are no columns {asked}")
        if form not in DELIMITERS and self.quoting is not None:
            raise self._misfit("in which nothing is quoted: quoting applies to csv and tsv")
        Columns(self.columns, self.keep)

    def records(self) -> Iterator[Record | BadRecord]:
        """The texts, as they are read; an error in the file itself is raised where it stands."""
        found = False
        for record in self._reader().records():
            found = True
            yield record
        if not found:
            raise empty(self.path)

    def count(self) -> int | None:
        """How many records there are, before the file's first fault if it has one; None if it can be read only once."""
        if is_read_once(self.path):
            return None
        count = 0
        try:
            for _ in self._reader().places():
                count += 1
        except InputError:
            if not count:
                raise
        return count

    def check(self) -> None:
        """Say before the work what is wrong with the file or its columns; takes nothing out of a pipe."""
        if self._form() == "parquet":
            check_pyarrow()
        check_openable(self.path)
        if is_read_once(self.path):
            return
        first = next(self.records())
        if isinstance(first, BadRecord) and isinstance(first.error, ColumnError):
            raise named(first.error, self.path)

    def _form(self) -> str:
        if self.form is not None:
            return self.form
        suffix = suffixes(self.path)[0] if self.path != STANDARD_INPUT else ""
        if suffix == ".json":
            raise InputError(
                f"{name(self.path)} is one JSON document; a file of texts has one JSON object a line: .jsonl",
                hint="convert it: jq -c '.[]' FILE > NEW_FILE.jsonl; or say --read-as jsonl",
            )
        return SUFFIXES.get(suffix, "txt")

    def _reader(self) -> Reader:
        form, wanted = self._form(), Columns(self.columns, self.keep)
        if form in DELIMITERS:
            quoting = USUAL_QUOTING[form] if self.quoting is None else QUOTINGS[self.quoting]
            return Delimited(self.path, wanted, DELIMITERS[form], quoting)
        if form == "jsonl":
            return JsonLines(self.path, wanted)
        return Parquet(self.path, wanted) if form == "parquet" else Plain(self.path)

    def _misfit(self, why: str) -> ArgumentError:
        return ArgumentError(
            f"{name(self.path)} is read as {self._form()}, {why}",
            hint="a file's suffix tells its form: .csv, .tsv, .jsonl or .parquet",
        )
