"""Tables of figures for a terminal, drawn by rich; pictures are left out."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ..captions import line
from ..escape import shown
from .table import Document, Table, TableCell, one_line

GAP = 2  # blanks between columns
NAME = 16  # columns that a text keeps where the table is too wide; figures keep all of theirs
GROUP = 18  # columns that a group's name may take above a narrow column


@dataclass(frozen=True, slots=True)
class Printable:
    """A document that fits the console on which it is printed."""

    document: Document

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """The title, the paragraphs, the tables, and the facts."""
        yield _text(self.document.title, "bold underline")
        for paragraph in self.document.paragraphs:
            yield from ("", _text(paragraph))
        for table, legend in zip(self.document.tables, self.document.legends, strict=True):
            yield from ("", _text(table.title, "bold"))
            for part in _parts(table, options.max_width):
                yield from ("", part.grid())
            if legend:
                yield from ("", _legend(legend))
            if table.notes:
                yield ""
                yield from map(_text, table.notes)
        if self.document.facts:
            yield from ("", _text(line(dict(self.document.facts)), "dim"))


@dataclass(frozen=True, slots=True)
class _Part:
    """Columns of a table that are drawn together, with details beside their figures or below them."""

    table: Table
    places: tuple[int, ...]
    is_beside: bool

    def fits(self, width: int) -> bool:
        """Whether a terminal of that width has room for it."""
        widths = (self._width(at) for at in self.places)
        return sum(widths) + GAP * (len(self.places) - 1) <= width

    def grid(self) -> Grid:
        """The columns as rich draws them: texts are folded where there is no room, figures are not."""
        grid = Grid(
            box=box.HORIZONTALS, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0), border_style="dim"
        )
        for at in self.places:
            if self.table.columns[at].align == "left":
                grid.add_column(self._header(at), overflow="fold")
            else:
                grid.add_column(self._header(at), width=self._width(at), no_wrap=True, overflow="ellipsis")
        for number, row in enumerate(self.table.rows):
            if number and number in self.table.rules:
                grid.add_section()
            grid.add_row(*(self._content(row[at], at) for at in self.places))
        return grid

    def _header(self, at: int) -> Text:
        column = self.table.columns[at]
        group = (f"{_plain(column.group or '')}\n", "dim not bold") if self.table.is_grouped else ""
        return Text.assemble(group, _plain(column.title), justify=column.align, no_wrap=False, overflow="fold")

    def _content(self, cell: TableCell, at: int) -> Text:
        text, detail = _plain(cell.text), _plain(cell.detail or "")
        style = " ".join(name for name, holds in (("bold", cell.is_best), ("dim", cell.is_faint)) if holds)
        if self.table.columns[at].align == "left":
            return Text.assemble((text, style), (f" {detail}" if detail else "", "dim"))
        figure, most = self._widths(at)
        if not self.is_beside or not most:
            return Text.assemble((text, style), (f"\n{detail}" if detail else "", "dim"), justify="right")
        # Filled up on both sides, figures stand below each other whether they have a detail or not.
        before, behind = (" " * blanks for blanks in (figure - cell_len(text), most - cell_len(detail)))
        title = " " * (self._width(at) - figure - 1 - most)
        return Text.assemble(title, before, (text, style), " ", (detail, "dim"), behind)

    def _width(self, at: int) -> int:
        column, (figure, detail) = self.table.columns[at], self._widths(at)
        content = figure + 1 + detail if detail and self.is_beside else max(figure, detail)
        natural = max(content, cell_len(_plain(column.title)), min(cell_len(_plain(column.group or "")), GROUP))
        return min(natural, NAME) if column.align == "left" else natural

    def _widths(self, at: int) -> tuple[int, int]:
        """Of the widest figure and of the widest detail."""
        cells = [row[at] for row in self.table.rows]
        texts = ((cell_len(_plain(cell.text)), cell_len(_plain(cell.detail or ""))) for cell in cells)
        return tuple(map(max, zip((0, 0), *texts, strict=True)))


def _parts(table: Table, width: int) -> list[_Part]:
    """The whole table where there is room, else in parts with its first column; groups stay together if they can."""
    places = tuple(range(len(table.columns)))
    for is_beside in (True, False):
        if (whole := _Part(table, places, is_beside)).fits(width):
            return [whole]
    parts: list[tuple[int, ...]] = []
    for piece in _pieces(table, width):
        if parts and _Part(table, (*parts[-1], *piece), is_beside=False).fits(width):
            parts[-1] += piece
        else:
            parts.append((0, *piece))
    return [_Part(table, part, is_beside=False) for part in parts] or [whole]


def _pieces(table: Table, width: int) -> Iterator[tuple[int, ...]]:
    """Groups that fit beside the first column, and single columns."""
    for span in table.spans:
        places = tuple(at for at in span.places if at)
        if span.group is not None and _Part(table, (0, *places), is_beside=False).fits(width):
            yield places
        else:
            yield from ((at,) for at in places)


def _legend(legend: dict[str, str]) -> Grid:
    grid = Grid.grid(padding=(0, GAP, 0, 0), pad_edge=False)
    grid.add_column(overflow="fold", max_width=NAME)
    grid.add_column(overflow="fold")
    for title, hint in legend.items():
        grid.add_row(_text(title), _text(hint, "dim"))
    return grid


def _text(text: str, style: str = "") -> Text:
    return Text(_plain(text), style=style)


def _plain(text: str) -> str:
    """A text in one line that steers nothing."""
    return one_line(shown(text))
