"""One table that fits into a terminal, in several grids: those of rich have no headers that span columns."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from .fitting import INDENT, Room, Setting, plain, reach, rooms
from .table import Cell, Column, Table

LINE = "─"


@dataclass(frozen=True, slots=True)
class Lines:
    """A table in columns of these widths."""

    table: Table
    setting: Setting
    widths: tuple[int, ...]

    def drawn(self) -> Iterator[RenderableType]:
        """The headers, and the rows between rules."""
        rule = Text(LINE * reach(self.widths, self.setting), style="dim", no_wrap=True, overflow="crop")
        if self.table.is_grouped:
            yield self._groups()
        yield from (self._header(), rule)
        for start, end in pairwise(sorted({0, *self.table.rules, len(self.table.rows)})):
            if start:
                yield rule
            yield self._rows(self.table.rows[start:end])

    def _groups(self) -> Grid:
        """The groups, each above a line as long as its columns."""
        spans = self.table.spans
        reaches = [reach(self.widths[span.places.start : span.places.stop], self.setting) for span in spans]
        grid = self._grid(reaches, "bottom")
        grid.add_row(*(Text(plain(span.group or ""), justify="center") for span in spans))
        lines = (LINE * wide if span.group is not None else "" for span, wide in zip(spans, reaches, strict=True))
        grid.add_row(*(Text(one, style="dim") for one in lines))
        return grid

    def _header(self) -> Grid:
        grid = self._grid(self.widths, "bottom")
        grid.add_row(*(Text(plain(column.title), justify=column.align) for column in self.table.columns))
        return grid

    def _rows(self, rows: Sequence[tuple[Cell, ...]]) -> Grid:
        grid, asked = self._grid(self.widths, "top"), rooms(self.table, self.setting)
        for row in rows:
            grid.add_row(*map(_content, row, self.table.columns, asked, self.widths))
        return grid

    def _grid(self, widths: Sequence[int], vertical: Literal["top", "bottom"]) -> Grid:
        grid = Grid.grid(padding=(0, self.setting.gap, 0, 0), pad_edge=False)
        for width in widths:
            grid.add_column(width=width, overflow="fold", vertical=vertical)
        return grid


def _content(cell: Cell, column: Column, asked: Room, width: int) -> Text:
    style = " ".join(name for name, holds in (("bold", cell.is_best), ("dim", cell.is_faint)) if holds)
    text, detail = plain(cell.text), plain(cell.detail or "") if asked.beside or asked.below else ""
    if column.align == "left":
        return Text.assemble((_folded(text, width), style), (_remark(detail, asked, width), "dim"))
    if asked.below:
        return Text.assemble((text, style), (f"\n{detail}" if detail else "", "dim"), justify="right")
    # Filled up on both sides, figures stand below each other whether they have a detail or not.
    beside = " " * (asked.beside - cell_len(detail))
    before = " " * (width - cell_len(text) - asked.beside)
    return Text.assemble(before, (text, style), beside[:1], (detail, "dim"), beside[1:])


def _remark(detail: str, asked: Room, width: int) -> str:
    """A text's detail, which goes on in its line or begins one that does not look like a row."""
    if not detail:
        return ""
    return f"\n{_folded(detail, width, first=_indent(width))}" if asked.below else f" {detail}"


def _folded(text: str, width: int, *, first: str = "") -> str:
    return "\n".join(
        textwrap.wrap(text, width, initial_indent=first, subsequent_indent=_indent(width), break_on_hyphens=False)
    )


def _indent(width: int) -> str:
    return INDENT if width > 2 * len(INDENT) else ""
