"""Tables of numbers for a terminal, drawn by rich, without pictures."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ..captions import line
from .table import Table, TableCell, TableDocument, one_line

GAP = 2  # spaces between columns
NAME = 16  # minimum width of a text column in a table that is too wide; figures are never shortened
GROUP = 18  # the most that a group's name may widen a narrow column


@dataclass(frozen=True, slots=True)
class Printable:
    """A document that adapts to the width of the console."""

    document: TableDocument

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the title, the paragraphs, the tables, and the settings."""
        yield _text(self.document.title, "bold underline")
        for paragraph in self.document.paragraphs:
            yield from ("", _text(paragraph))
        for table, legend in zip(self.document.tables, self.document.legends, strict=True):
            yield from ("", _text(table.title, "bold"))
            for part in _parts(table, options.max_width):
                yield from ("", part.grid())
            if legend:
                hints = Grid.grid(padding=(0, GAP, 0, 0), pad_edge=False)
                hints.add_column(overflow="fold", max_width=NAME)
                hints.add_column(overflow="fold")
                for title, hint in legend.items():
                    hints.add_row(_text(title), _text(hint, "dim"))
                yield from ("", hints)
            if table.notes:
                yield ""
                yield from map(_text, table.notes)
        if self.document.facts:
            yield from ("", _text(line(dict(self.document.facts)), "dim"))


@dataclass(frozen=True, slots=True)
class _Part:
    """Columns of a table that are drawn together, with details beside or below the numbers."""

    table: Table
    places: tuple[int, ...]
    is_beside: bool = False

    def fits(self, width: int) -> bool:
        return sum(self._widths(at)[0] + GAP for at in self.places) - GAP <= width

    def grid(self) -> Grid:
        """The columns as a rich table; text is folded if there is no room, but numbers are not."""
        padding = (0, GAP - 1, 0, 0)
        grid = Grid(box=box.HORIZONTALS, show_edge=False, pad_edge=False, padding=padding, border_style="dim")
        for at in self.places:
            column = self.table.columns[at]
            group = (f"{one_line(column.group or '')}\n", "dim not bold") if self.table.is_grouped else ""
            header = Text.assemble(group, one_line(column.title), justify=column.align, no_wrap=False, overflow="fold")
            if column.align == "left":
                grid.add_column(header, overflow="fold")
            else:
                grid.add_column(header, width=self._widths(at)[0], no_wrap=True, overflow="ellipsis")
        for number, row in enumerate(self.table.rows):
            if number and number in self.table.rules:
                grid.add_section()
            grid.add_row(*(self._content(row[at], at) for at in self.places))
        return grid

    def _content(self, cell: TableCell, at: int) -> Text:
        text, detail = one_line(cell.text), one_line(cell.detail or "")
        figure = (text, f"{'bold' * cell.is_best} {'dim' * cell.is_faint}".strip())
        if self.table.columns[at].align == "left":
            return Text.assemble(figure, (f" {detail}" if detail else "", "dim"))
        whole, most = self._widths(at)
        if not self.is_beside or not most:
            return Text.assemble(figure, (f"\n{detail}" if detail else "", "dim"), justify="right")
        # Padding on both sides aligns numbers that have a detail with those that have none.
        before, behind = " " * (whole - 1 - most - cell_len(text)), " " * (most - cell_len(detail))
        return Text.assemble(before, figure, " ", (detail, "dim"), behind)

    def _widths(self, at: int) -> tuple[int, int]:
        """The width of the column, and of its widest detail."""
        column, cells = self.table.columns[at], [row[at] for row in self.table.rows]
        figure = max((cell_len(one_line(cell.text)) for cell in cells), default=0)
        detail = max((cell_len(one_line(cell.detail or "")) for cell in cells), default=0)
        content = figure + 1 + detail if detail and self.is_beside else max(figure, detail)
        whole = max(content, cell_len(one_line(column.title)), min(cell_len(one_line(column.group or "")), GROUP))
        return min(whole, NAME) if column.align == "left" else whole, detail


def _parts(table: Table, width: int) -> list[_Part]:
    """The whole table if it fits, or else parts that repeat the first column; groups stay together if possible."""
    places = tuple(range(len(table.columns)))
    for whole in (_Part(table, places, is_beside=True), _Part(table, places)):
        if whole.fits(width):
            return [whole]
    pieces: list[tuple[int, ...]] = []
    for group, span in table.spans:
        piece = tuple(at for at in span if at)
        is_together = group is not None and _Part(table, (0, *piece)).fits(width)
        pieces += [piece] if is_together else [(at,) for at in piece]
    parts: list[tuple[int, ...]] = []
    for piece in pieces:
        if parts and _Part(table, (*parts[-1], *piece)).fits(width):
            parts[-1] += piece
        else:
            parts.append((0, *piece))
    return [_Part(table, part) for part in parts] or [whole]


def _text(text: str, style: str = "") -> Text:
    return Text(one_line(text), style=style)
