"""Tables of numbers, independent of the format. Each writer draws them; nothing is computed here."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from ...errors import ArgumentError
from ..escape import shown

Align: TypeAlias = Literal["left", "right"]
Span: TypeAlias = tuple[str | None, tuple[int, ...]]  # a group (or None) and its adjacent columns


@dataclass(frozen=True, slots=True)
class TableCell:
    """One number or name; `detail` is its interval or a note."""

    text: str
    detail: str | None = None
    is_best: bool = False
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """The heading of a column. Adjacent columns of one group share a header; `hint` explains the numbers."""

    title: str
    group: str | None = None
    align: Align = "right"
    hint: str | None = None

    @property
    def name(self) -> str:
        """The title with its group, for formats without spanning headers.

        >>> Column("tokens", group="AUC").name
        'AUC: tokens'
        """
        return self.title if self.group is None else f"{self.group}: {self.title}"


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows of cells; the first column names the rows.

    Args:
        rules: Indices of the rows that have a line above them.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    notes: tuple[str, ...] = ()
    rules: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if not self.columns:
            raise ArgumentError(f"the table {self.title!r} has no columns; it needs at least one")
        for at, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ArgumentError(
                    f"row {at} of the table {self.title!r} has {len(row)} cells, but there are "
                    f"{len(self.columns)} columns; give one cell per column"
                )
        if outside := sorted(self.rules - set(range(len(self.rows)))):
            rows = f"the table {self.title!r} has {len(self.rows)} rows (counted from 0)"
            raise ArgumentError(f"{rows}, so there can be no rule above row {outside[0]}")

    @property
    def spans(self) -> tuple[Span, ...]:
        """All columns from left to right, grouped by header."""
        groups = groupby(range(len(self.columns)), key=lambda at: self.columns[at].group)
        return tuple((group, tuple(places)) for group, places in groups)

    @property
    def is_grouped(self) -> bool:
        """Whether any header spans columns."""
        return any(column.group is not None for column in self.columns)

    @property
    def legend(self) -> dict[str, str]:
        """The meaning of the columns, by title; a title with several meanings includes its group."""
        hinted = [(column, column.hint) for column in self.columns if column.hint]
        meanings = Counter(title for title, _ in {(column.title, hint) for column, hint in hinted})
        return {column.title if meanings[column.title] == 1 else column.name: hint for column, hint in hinted}


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG that this package wrote, embedded in a page unchanged; the SVGs in `more` are placed beside it.

    The page's content security policy forbids inline styles, so the SVG uses attributes instead.
    """

    title: str
    svg: str
    more: tuple[str, ...] = ()
    note: str | None = None

    def __post_init__(self) -> None:
        for svg in (self.svg, *self.more):
            if not svg.startswith("<svg"):
                raise ArgumentError(f"the picture {self.title!r} begins with {svg[:20]!r}; it must begin with '<svg'")


@dataclass(frozen=True, slots=True)
class TableDocument:
    """Tables with prose, pictures, and the settings that the numbers depend on."""

    title: str
    facts: Mapping[str, str]
    tables: tuple[Table, ...]
    paragraphs: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()

    @property
    def legends(self) -> tuple[dict[str, str], ...]:
        """The legend of every table, without entries that an earlier table has."""
        explained: set[tuple[str, str]] = set()
        legends = []
        for table in self.tables:
            legends.append(dict(item for item in table.legend.items() if item not in explained))
            explained |= table.legend.items()
        return tuple(legends)


def one_line(text: str) -> str:
    """The text on one line, with single spaces and control characters spelled out.

    >>> one_line(" two  words\\n")
    'two words'
    """
    return " ".join(shown(text).split())
