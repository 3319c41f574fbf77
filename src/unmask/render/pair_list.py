"""Interactions as a short list in the terminal, and all pairs as CSV."""

from collections.abc import Iterator
from csv import writer as csv_writer
from io import StringIO

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..results.interactions import Interactions
from . import captions
from .escape import shown
from .lines import shorten
from .pair_view import PairsView, view_pairs
from .tables.csv import safe
from .terminal_parts import INDENT, UNKNOWN_MARK, ColoredText, shown_style
from .theme import Theme

COLUMNS = ("first", "second", "first_text", "second_text", "relation", "interaction", "net", "cost", "target", "scale")


def render(found: Interactions, theme: Theme) -> RenderableType:
    """The text, the prediction, the pairs with the largest interactions, and the legend."""
    view = view_pairs(found)
    return Group(*_texts(view, theme), "", _pairs(view), "", PairsLegend(view, theme))


class PairsLegend:
    """The meaning of numbers and colors, the notes, and a dim line of settings."""

    def __init__(self, view: PairsView, theme: Theme) -> None:
        self.view, self.theme = view, theme

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the lines."""
        view = self.view.view
        if self.view.rows:
            yield Text(shown(self.view.meaning))
        unknown = f" {UNKNOWN_MARK}{captions.UNKNOWN}" * view.has_unknown
        yield Text(shown(view.key(shown_style(console, self.theme)) + unknown))
        yield from (Text(shown(note), "bold") for note in view.notes)
        yield Text(shown(captions.settings(self.view.facts)), "dim")


def _texts(view: PairsView, theme: Theme) -> Iterator[RenderableType]:
    for segment, spans in enumerate(view.view.texts):
        if segment:
            yield Text(f"\n{' ' * INDENT}and\n", style="dim")
        yield ColoredText(shorten(spans) if view.view.is_cut else spans, theme)
    yield from ("", Text(shown(f"{' ' * INDENT}{view.view.prediction_sentence}")))


def _pairs(view: PairsView) -> RenderableType:
    if not view.rows:
        return Text(shown(f"{' ' * INDENT}{view.sentence}"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()  # the only column that shrinks
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, justify="right")
    for row in view.rows:
        name = " " * INDENT + shown(row.name).replace("\n", " ")
        table.add_row(Text(name, no_wrap=True, overflow="ellipsis"), row.relation, row.number)
    more = [Text(f"{' ' * INDENT}and {view.left} smaller", "dim")] if view.left else []
    return Group(table, *more)


def csv(found: Interactions, _theme: Theme) -> str:
    """All pairs, one row each, largest interaction first."""
    text, explanation = StringIO(), found.explanation
    labels = [f"interaction of {label}" for label in explanation.outputs]
    rows = csv_writer(text)  # its defaults follow RFC 4180
    rows.writerow(map(safe, (*COLUMNS, *labels)))
    for pair, by_output in zip(found.pairs, found.by_output.tolist(), strict=True):
        words = [safe(explanation.units[unit].text) for unit in (pair.first, pair.second)]
        numbers = (pair.interaction, pair.net, pair.cost)
        settings = safe(str(explanation.target)), safe(explanation.scale)
        rows.writerow([pair.first, pair.second, *words, pair.relation, *numbers, *settings, *by_output])
    return text.getvalue()
