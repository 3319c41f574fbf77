"""The colored text in lines of a terminal. A sign is never parted from its unit, and rows of a comparison align."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from .captions import DOWN, UP
from .colored_spans import ColoredSpan
from .layout import Room, Setting, lines
from .palettes import Palette
from .styles import Style
from .view import ExplanationView

INDENT = 2  # columns on both sides
LEAST = 4  # columns, however narrow the terminal is
CONTEXT = 400  # characters of what was not read that are drawn
MARKS = {None: "", "top": "bold", "most": "bold underline"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a text is drawn with."""

    palette: Palette
    style: Style
    room: Room = "needed"


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A text that fits the console on which it is printed."""

    shades: tuple[ColoredSpan, ...]
    look: Look

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """One line after the other."""
        width = max(LEAST, options.max_width - 2 * INDENT)
        for pieces in lines(self.shades, _setting(width, self.look)):
            text = Text(" " * INDENT, no_wrap=True, overflow="ignore")
            for piece, shade, ends in pieces:
                text.append(*_drawn(piece, shade, self.look, ends=ends))
            yield text


def texts(drawn: ExplanationView, look: Look) -> Iterator[RenderableType]:
    """The text; of a pair both, the second behind a word that says so."""
    for segment, shades in enumerate(drawn.texts):
        if segment:
            yield Text(f"\n{' ' * INDENT}and\n", style="dim")
        yield Wrapped(tuple(_shortened(shade) if drawn.is_cut else shade for shade in shades), look)


def _setting(width: int, look: Look) -> Setting:
    """Columns are the measure: no unit is padded, a sign is as wide as a letter and bold as wide as plain."""
    return Setting(
        width=width, size=1.0, style=look.style, room=look.room, advance=cell_len, padding=0.0, sign=1.0, boldness=1.0
    )


def _drawn(piece: str, shade: ColoredSpan, look: Look, *, ends: bool) -> tuple[str, str]:
    """A piece with its sign, and its style; in even room a blank stands where a sign could."""
    if shade.score is None:
        return piece, "dim" * bool(piece.strip())
    if look.style == "paper":
        return piece, MARKS[shade.mark]
    color, sign = look.palette.color(shade.level), UP if shade.level > 0 else DOWN
    if shade.level:
        return piece + sign * ends, f"{color.ink} on {color.paper}"
    return piece + " " * (ends and look.room == "even"), ""


def _shortened(shade: ColoredSpan) -> ColoredSpan:
    if shade.score is not None or len(shade.text) <= CONTEXT:
        return shade
    return replace(shade, text=f"{shade.text[:CONTEXT]}… {len(shade.text) - CONTEXT:,} more characters ")
