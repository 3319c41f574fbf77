"""An explanation for the terminal, as something that rich can print."""

from collections.abc import Callable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..explanation import Explanation
from .escape import shown
from .palettes import Palette, palette
from .picture import Picture, Rows, picture
from .shades import Shade
from .styles import checked
from .wording import DOWN, UP, number

PLACES = ("first", "second")  # of the texts of a pair
CONTEXT = 400  # characters of what was not read that are drawn
BAR = 20

Writer = Callable[[Text, Shade, Palette], None]  # adds one piece


def drawing(explanation: Explanation, *, colors: str = "default", style: str = "shades") -> RenderableType:
    """The text with its words colored, the prediction, the largest scores, and what the numbers mean."""
    drawn, chosen = picture(explanation), palette(colors)
    texts = _texts(drawn, STYLES[checked(style)], chosen)
    parts: list[RenderableType] = [*texts, "", _prediction(drawn), "", _top(drawn, chosen)]
    if drawn.sentence is not None:
        parts += ["", Text(shown(drawn.sentence))]
    parts += [Text(f"Note: {shown(warning)}", style="bold") for warning in drawn.warnings]
    legend = " · ".join(f"{name} {value}" for name, value in drawn.facts.items())
    return Group(*parts, "", Text(shown(f"{drawn.meaning} {drawn.keys[style]}")), Text(shown(legend), style="dim"))


def comparison(compared: Rows, *, colors: str = "default", style: str = "shades") -> RenderableType:
    """The prediction, then the text once for every row, with what the row took and how far it agrees with the first."""
    first, chosen = compared.rows[0].picture, palette(colors)
    write = _aligned if checked(style) == "shades" else STYLES[style]
    parts: list[RenderableType] = [_prediction(first)]
    for row in compared.rows:
        parts += ["", Text.assemble((shown(row.name), "bold"), (shown(f"  {' · '.join(row.costs)}"), "dim"))]
        parts += [*_texts(row.picture, write, chosen), *(Text(f"Note: {shown(note)}") for note in row.picture.warnings)]
    legend = " · ".join(f"{name} {value}" for name, value in compared.facts.items())
    return Group(*parts, "", Text(shown(legend), style="dim"))


def _texts(drawn: Picture, write: Writer, colors: Palette) -> Iterator[RenderableType]:
    """The text; of a pair both, the second behind a word that says so."""
    for segment, shades in enumerate(drawn.texts):
        if segment:
            yield Text("\nand\n", style="dim")
        text = Text(overflow="fold")
        for shade in shades:
            if drawn.is_cut and shade.score is None and len(shade.text) > CONTEXT:
                text.append(shown(shade.text[:CONTEXT]))
                text.append(f"… {len(shade.text) - CONTEXT:,} more characters ", style="dim")
            else:
                write(text, shade, colors)
        yield Padding(text, (0, 2), expand=False)


def _colored(text: Text, shade: Shade, colors: Palette) -> None:
    """A piece in the color of its strength, with a sign that can be read without color."""
    color = colors.color(shade.level)
    style = f"{color.ink} on {color.paper}" if shade.level else ""
    text.append(shown(shade.text) + (UP if shade.level > 0 else DOWN if shade.level else ""), style=style)


def _aligned(text: Text, shade: Shade, colors: Palette) -> None:
    """The same, with room for the sign beside every unit, so that the words of all rows stand below each other."""
    _colored(text, shade, colors)
    if shade.score is not None and not shade.level:
        text.append(" ")


def _marked(text: Text, shade: Shade, _colors: Palette) -> None:
    """A piece as the paper prints it: the most important unit bold and underlined, the top fifth bold."""
    text.append(shown(shade.text), style=MARKS[shade.mark])


STYLES: dict[str, Writer] = {"shades": _colored, "paper": _marked}
MARKS = {None: "", "top": "bold", "most": "bold underline"}


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
        table.add_row(" ", number(shade.score or 0.0), name, *where, bar)
    if drawn.left:
        table.add_row(" ", "", Text(f"and {drawn.left} smaller", style="dim"))
    return table
