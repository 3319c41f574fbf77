"""Texts as blocks: the colored text with its signs, plain paragraphs, and labels that fit."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace

from . import layout
from .advance import advance, clusters
from .blocks import Bar, Block, Item, Part, Sign, Words
from .captions import number
from .colored_spans import ColoredSpan
from .direction import is_rtl
from .layout import Box, Room, Setting, spelled
from .palettes import PLAIN, Palette
from .styles import Style

INK, DIM, RULE, GREY = "#1f2328", "#59636e", "#d1d9e0", "#6e7781"
PAPER = "#ffffff"  # behind everything, so that a drawing is readable on any background
TEXT, LABEL, SMALL = 17.0, 14.0, 12.5  # sizes
SPACING = 1.8  # of the size, from line to line of the colored text
TIGHT = 1.45  # and of everything else
BASELINE = 0.35  # of the size, below the middle of a line
CONTEXT = 400  # characters without a score that are drawn where a text was cut
SIGN = 6.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a drawing is drawn with."""

    palette: Palette
    style: Style
    room: Room = "needed"
    advance: Callable[[str], float] = advance


def colored(shades: tuple[ColoredSpan, ...], look: Look, *, width: float, is_cut: bool) -> Block:
    """A text with its units colored, or marked as the paper does."""
    setting = Setting(width=width, size=TEXT, style=look.style, room=look.room, advance=look.advance)
    boxes = layout.placed([_shortened(shade) if is_cut else shade for shade in shades], setting)
    items = tuple(_item(box, setting, look) for box in boxes)
    return Block(items, layout.line_count(boxes) * TEXT * SPACING)


def paragraph(text: str, look: Look, *, width: float, size: float = LABEL, ink: str = INK, bold: bool = False) -> Block:
    """A plain text in as many lines as it needs."""
    setting = Setting(width=width, size=size, bold=bold, advance=look.advance)
    boxes = layout.placed([ColoredSpan(text)], setting)
    height = size * TIGHT
    items = tuple(
        Item((_words(box, size=size, y=(box.line + 0.5) * height + size * BASELINE, ink=ink, bold=bold),))
        for box in boxes
    )
    return Block(items, layout.line_count(boxes) * height)


def label(text: str, look: Look, *, width: float, right: bool = False, ink: str = INK, bold: bool = False) -> Block:
    """A text in one line, cut where it is too long, at the left or the right of its width."""
    setting = Setting(width=width, size=LABEL, bold=bold, advance=look.advance)
    fitting = fitted(spelled(text).replace("\n", " "), setting)
    wide, height = layout.measured(fitting, setting), LABEL * TIGHT
    words = Words(
        text=fitting,
        x=width - wide / 2 if right else wide / 2,
        y=height / 2 + LABEL * BASELINE,
        width=wide,
        size=LABEL,
        ink=ink,
        bold=bold,
        rtl=is_rtl(fitting),
    )
    return Block((Item((words,)),), height)


def fitted(text: str, setting: Setting) -> str:
    """The text, or as much of it as fits, with an ellipsis."""
    if layout.measured(text, setting) <= setting.width:
        return text
    parts = clusters(text)
    count = bisect_left(
        range(len(parts)),
        True,
        key=lambda kept: layout.measured("".join(parts[: kept + 1]) + "…", setting) > setting.width,
    )
    return "".join(parts[:count]).rstrip() + "…"


def _shortened(shade: ColoredSpan) -> ColoredSpan:
    if shade.score is not None or len(shade.text) <= CONTEXT:
        return shade
    return replace(shade, text=f"{shade.text[:CONTEXT]}… {len(shade.text) - CONTEXT:,} more characters ")


def _item(box: Box, setting: Setting, look: Look) -> Item:
    """What is drawn of a box: its color, its text, its sign; or its line, in the paper's style."""
    middle, shade = (box.line + 0.5) * TEXT * SPACING, box.shade
    is_colored = setting.is_colored(shade)
    color = look.palette.color(shade.level) if is_colored else PLAIN
    ink = color.ink or (INK if shade.score is not None else DIM)
    bold, baseline = setting.is_bold(shade), middle + TEXT * BASELINE
    parts: list[Part] = []
    if is_colored:
        height = TEXT * SPACING * 0.84
        parts.append(Bar(x=box.x, y=middle - height / 2, width=box.width, height=height, fill=color.paper, radius=4.0))
    parts.append(_words(box, size=TEXT, y=baseline, ink=ink, bold=bold))
    if is_colored and box.ends:
        x = box.x + layout.PADDING + layout.SIGN / 2 if box.rtl else box.x + box.width - layout.SIGN / 2
        parts.append(Sign(x=x, y=middle, size=SIGN, ink=color.ink, up=shade.level > 0))
    if setting.style == "paper" and shade.mark == "most":
        parts.append(Bar(x=box.x, y=baseline + 3, width=box.width, height=1.5, fill=ink))
    return Item(tuple(parts), None if shade.score is None else number(shade.score))


def _words(box: Box, *, size: float, y: float, ink: str, bold: bool) -> Words:
    return Words(
        text=box.shaped,
        x=(box.left + box.right) / 2,
        y=y,
        width=box.right - box.left,
        size=size,
        ink=ink,
        bold=bold,
        rtl=box.rtl,
    )
