"""An explanation for the terminal, as something that rich can print."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..explanation import Explanation
from .escape import shown
from .palettes import Palette, palette
from .picture import Picture, picture
from .shades import Shade
from .wording import DOWN, UP

PLACES = ("first", "second")  # of the texts of a pair
CONTEXT = 400  # characters of what was not read that are drawn
BAR = 20


def drawing(explanation: Explanation, *, colors: str = "default") -> RenderableType:
    """The text with its words colored, the prediction, the largest scores, and what the numbers mean."""
    drawn, chosen = picture(explanation), palette(colors)
    parts: list[RenderableType] = [*_texts(drawn, chosen), "", _prediction(drawn), "", _top(drawn, chosen)]
    if drawn.sentence is not None:
        parts += ["", Text(shown(drawn.sentence))]
    parts += [Text(f"Note: {shown(warning)}", style="bold") for warning in drawn.warnings]
    legend = " · ".join(f"{name} {value}" for name, value in drawn.facts.items())
    return Group(*parts, "", Text(shown(drawn.meaning)), Text(shown(legend), style="dim"))


def _texts(drawn: Picture, colors: Palette) -> Iterator[RenderableType]:
    """The text; of a pair both, the second behind a word that says so."""
    for segment, shades in enumerate(drawn.texts):
        if segment:
            yield Text("\nand\n", style="dim")
        text = Text(overflow="fold")
        for shade in shades:
            cut = drawn.is_cut and shade.score is None and len(shade.text) > CONTEXT
            text.append(shown(shade.text[:CONTEXT] if cut else shade.text), style=_style(shade, colors))
            if cut:
                text.append(f"… {len(shade.text) - CONTEXT:,} more characters ", style="dim")
            if shade.level:
                text.append(UP if shade.level > 0 else DOWN, style=_style(shade, colors))
        yield Padding(text, (0, 2), expand=False)


def _style(shade: Shade, colors: Palette) -> str:
    color = colors.color(shade.level)
    return f"{color.ink} on {color.paper}" if shade.level else ""


def _prediction(drawn: Picture) -> RenderableType:
    if drawn.value is not None:
        return Text(f"  value {drawn.value:.4g}")
    table = Table.grid(padding=(0, 1))
    for one in drawn.shares:
        style = "bold" if one.holds else ""
        table.add_row(
            " ", Text(shown(one.label), style), Text(f"{one.share:6.1%}", style), "█" * round(one.share * BAR)
        )
    return table


def _top(drawn: Picture, colors: Palette) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    table.add_column()
    table.add_column(justify="right")
    for shade in drawn.top:
        bar = Text("█" * round(abs(shade.strength) * BAR), style=colors.color(shade.level).paper)
        name = Text(shown(shade.text).replace("\n", " "))
        where = [Text(PLACES[shade.segment], style="dim")] if len(drawn.texts) > 1 else []
        table.add_row(" ", f"{shade.score:+.3f}", name, *where, bar)
    if drawn.left:
        table.add_row(" ", "", Text(f"and {drawn.left} smaller", style="dim"))
    return table
