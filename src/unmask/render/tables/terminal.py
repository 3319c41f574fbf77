"""Tables of figures for a terminal, as something that rich can print; pictures are left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ..captions import line
from .fitting import LEAST, plain, widths
from .grid import Lines
from .parting import Part, least_with_details, parted
from .table import Document, Table

LACKING = "No room for what stands beside the figures: with it the table takes {} columns."


@dataclass(frozen=True, slots=True)
class Printed:
    """A document that fits the console on which it is printed."""

    document: Document

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """The title, what is said, the tables, and the facts."""
        document, width = self.document, options.max_width
        yield _said(document.title, "bold underline")
        for paragraph in document.paragraphs:
            yield from ("", _said(paragraph))
        for table, legend in zip(document.tables, document.legends, strict=True):
            parts = parted(table, width=width)
            yield from ("", _said(table.title, "bold"))
            for part in parts:
                yield from ("", *_drawn(part, width))
            yield from _below(table, legend, parts)
        if document.facts:
            yield from ("", _said(line(dict(document.facts)), "dim"))


def _drawn(part: Part, width: int) -> Iterator[RenderableType]:
    found = widths(part.table, part.setting, width=width)
    return Lines(part.table, part.setting, tuple(found)).drawn()


def _below(table: Table, legend: dict[str, str], parts: Sequence[Part]) -> Iterator[RenderableType]:
    """What the columns mean, what is said of the table, and what the terminal has no room for."""
    if legend:
        yield from ("", _named(legend))
    said: list[RenderableType] = [_said(note) for note in table.notes]
    lacks_details = any(part.setting.details == "none" for part in parts)
    if lacks_details and any(cell.detail for row in table.rows for cell in row):
        said.append(_said(LACKING.format(least_with_details(table)), "dim"))
    if said:
        yield from ("", *said)


def _named(legend: dict[str, str]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(overflow="fold", max_width=LEAST)
    grid.add_column(overflow="fold")
    for title, hint in legend.items():
        grid.add_row(_said(title), _said(hint, "dim"))
    return grid


def _said(text: str, style: str = "") -> Text:
    return Text(plain(text), style=style)
