"""The front of the readers: a file of texts and how it is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from ..errors import ArgumentError, InputError, unknown
from ..text.request import Request
from .columns import ColumnError, Columns, named
from .formats import FORMATS, PLAIN, FileFormat, Quoting
from .opening import STANDARD_INPUT, check_openable, empty, is_read_once, name, suffixes

QUOTINGS: dict[str, Quoting] = {name: name for name in get_args(Quoting)}


@dataclass(frozen=True, slots=True)
class Source:
    """A file of texts and how it is read.

    Args:
        path: A name that ends in .gz is decompressed; `-` is standard input.
        form: txt, csv, tsv, jsonl or parquet; None: by the suffix, and txt for any other and for standard input.
        columns: None: `text`, else `sentence`. One: the text. Two: the text and its pair.
        keep: Whether texts carry the other columns.
        quoting: none or rfc4180; None: rfc4180 for csv, none for tsv.
    """

    path: str
    form: str | None = None
    columns: tuple[str, ...] = ()
    keep: bool = False
    quoting: str | None = None

    def __post_init__(self) -> None:
        if self.form is not None and self.form not in FORMATS:
            raise unknown("form", self.form, FORMATS)
        if self.quoting is not None and self.quoting not in QUOTINGS:
            raise unknown("quoting", self.quoting, QUOTINGS)
        form = self._format()
        if not form.columns and (self.columns or self.keep):
            use = "to choose" if self.columns else "to keep"
            raise self._misfit(f"one text a line: there are no columns {use}")
        if form.quoting is None and self.quoting is not None:
            quoted = " and ".join(form.name for form in FORMATS.values() if form.quoting)
            raise self._misfit(f"in which nothing is quoted: quoting applies to {quoted}")
        Columns(self.columns, self.keep)

    def records(self) -> Iterator[Request | InputError]:
        """The texts, as they are read, or an error with its line in a text's place.

        An error in the file itself is raised where it stands.
        """
        is_empty = True
        for record in self._format().records(self.path, Columns(self.columns, self.keep), self._quoting()):
            is_empty = False
            yield record
        if is_empty:
            raise empty(self.path)

    def count(self) -> int | None:
        """How many records there are, before the file's first fault if it has one; None if it can be read only once."""
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

    def check(self) -> None:
        """Say before the work what is wrong with the file or its columns; takes nothing out of a pipe."""
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
                f"{name(self.path)} is one JSON document; a file of texts has one JSON object a line: .jsonl",
                hint="convert it: jq -c '.[]' FILE > NEW_FILE.jsonl; or say --read-as jsonl",
            )
        return next((form for form in FORMATS.values() if suffix in form.suffixes), FORMATS[PLAIN])

    def _quoting(self) -> Quoting:
        return QUOTINGS[self.quoting] if self.quoting else self._format().quoting or "none"

    def _misfit(self, why: str) -> ArgumentError:
        return ArgumentError(
            f"{name(self.path)} is read as {self._format().name}, {why}",
            hint="a file's suffix tells its form: .csv, .tsv, .jsonl or .parquet",
        )
