"""An explanation for the terminal, as something that rich can print."""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..results.explanation import Explanation
from .captions import number
from .escape import shown
from .palettes import Palette, palette
from .styles import checked
from .view import ExplanationView, Rows, picture
from .wrapped import Look, texts

PLACES = ("first", "second")  # of the texts of a pair
BAR = 20
NAME = 40  # columns of a unit's name at most


def drawing(explanation: Explanation, *, colors: str = "default", style: str = "shades") -> RenderableType:
    """The text with its words colored, the prediction, the largest scores, and what the numbers mean."""
    drawn, look = picture(explanation), Look(palette=palette(colors), style=checked(style))
    parts: list[RenderableType] = [*texts(drawn, look), "", _prediction(drawn), "", _top(drawn, look.palette)]
    return Group(*parts, *_below([drawn.sentence or ""], drawn.notes, drawn.legend(style)))


def comparison(compared: Rows, *, colors: str = "default", style: str = "shades") -> RenderableType:
    """The prediction, then the text once for every row, with what the row took and how far it agrees with the first."""
    look = Look(palette=palette(colors), style=checked(style), room="even")
    parts: list[RenderableType] = [_prediction(compared.rows[0].picture)]
    for row in compared.rows:
        parts += [
            "",
            Text.assemble((shown(row.name), "bold"), (shown(f"  {' · '.join([*row.costs, *row.errors])}"), "dim")),
        ]
        parts += texts(row.picture, look)
    return Group(*parts, *_below(compared.remarks, compared.notes, compared.legend(style)))


def _below(remarks: Iterable[str], notes: Iterable[str], legend: list[str]) -> Iterator[RenderableType]:
    """What is said of the numbers; the facts, which come last, dim."""
    said = [*(Text(shown(one)) for one in remarks if one), *(Text(shown(note), style="bold") for note in notes)]
    for paragraph in (said, [*(Text(shown(one)) for one in legend[:-1]), Text(shown(legend[-1]), style="dim")]):
        if paragraph:
            yield ""
        yield from paragraph


def _prediction(drawn: ExplanationView) -> RenderableType:
    if drawn.value is not None:
        return Text(f"  value {drawn.value:.4g}")
    table = Table.grid(padding=(0, 1))
    for one in drawn.shares:
        style = "bold" if one.holds else ""
        table.add_row(
            " ", Text(shown(one.label), style), Text(f"{one.share:6.1%}", style), "█" * round(one.share * BAR)
        )
    return table


def _top(drawn: ExplanationView, colors: Palette) -> RenderableType:
    if drawn.is_flat:
        return Text(f"  0.000 every {drawn.facts['unit']}")
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(max_width=NAME)  # the only one that gives way
    for shade in drawn.top:
        bar = Text("█" * round(abs(shade.strength) * BAR), style=colors.color(shade.level).paper, no_wrap=True)
        name = Text(shown(shade.text).replace("\n", " "), no_wrap=True, overflow="ellipsis")
        where = [Text(PLACES[shade.segment], style="dim", no_wrap=True)] if len(drawn.texts) > 1 else []
        table.add_row(" ", number(shade.score or 0.0), name, *where, bar)
    if drawn.left:
        table.add_row(" ", "", Text(f"and {drawn.left} smaller", style="dim"))
    return table
