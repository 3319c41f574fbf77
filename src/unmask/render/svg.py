"""An explanation as SVG, written directly: one file that asks for nothing and looks the same on any background.

What fonts a viewer has is not known here. Every piece of text is therefore told the width that was set aside for it
(`textLength`), and stands around its middle, so that colors and words always match.
"""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from ..results.explanation import Explanation
from . import sheet
from .advance import clusters
from .blocks import Bar, Item, Part, Sign, Words
from .layout import spelled
from .looks import look
from .sheet import Sheet
from .typeset import PAPER
from .view import Rows, picture

FONTS = "system-ui, sans-serif"


def drawing(explanation: Explanation, *, colors: str = "default", style: str = "shades", width: float = 760) -> str:
    """The text with its words colored, the prediction, the largest scores, and what the numbers mean."""
    return written(sheet.sheet(picture(explanation), look(colors, style), width=width))


def comparison(rows: Rows, *, colors: str = "default", style: str = "shades", width: float = 760) -> str:
    """Several explanations of a text below each other, each with its name and what it took."""
    return written(sheet.comparison(rows, look(colors, style, room="even"), width=width))


def written(drawn: Sheet) -> str:
    """A sheet as SVG."""
    size = f'width="{_number(drawn.width)}" height="{_number(drawn.height)}"'
    view = f'viewBox="0 0 {_number(drawn.width)} {_number(drawn.height)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {view} font-family="{FONTS}" text-anchor="middle">',
        f"<title>{text(drawn.title)}</title>",
        f"<desc>{text(drawn.description)}</desc>",
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        *(_item(item) for item in drawn.items),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def text(content: str) -> str:
    """A text made safe for XML: what would steer, or is no character of XML, is spelled out."""
    return escape(spelled(content))


def _item(item: Item) -> str:
    drawn = "".join(_part(part) for part in item.parts)
    return drawn if item.tip is None else f"<g><title>{text(item.tip)}</title>{drawn}</g>"


def _part(part: Part) -> str:
    match part:
        case Words():
            return f"<text{_attributes(_of_words(part))}>{text(part.text)}</text>"
        case Bar():
            return f"<rect{_attributes(_of_bar(part))}/>"
        case Sign():
            corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in part.corners)
            return f"<polygon{_attributes([('points', corners), ('fill', part.ink)])}/>"


def _of_words(words: Words) -> Iterator[tuple[str, str]]:
    yield from (("x", _number(words.x)), ("y", _number(words.y)), ("font-size", _number(words.size)))
    yield "fill", words.ink
    if words.bold:
        yield "font-weight", "bold"
    if words.rtl:
        yield "direction", "rtl"
    if len(clusters(words.text)) > 1:  # one alone stands around its middle anyway, and is not to be stretched
        yield from (("textLength", _number(words.width)), ("lengthAdjust", "spacingAndGlyphs"))
    if words.text != words.text.strip() or "  " in words.text:
        yield "xml:space", "preserve"


def _of_bar(bar: Bar) -> Iterator[tuple[str, str]]:
    for name, value in (("x", bar.x), ("y", bar.y), ("width", bar.width), ("height", bar.height)):
        yield name, _number(value)
    if bar.radius:
        yield "rx", _number(bar.radius)
    yield "fill", bar.fill


def _attributes(pairs: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in pairs)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
