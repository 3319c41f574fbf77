"""The elements of which charts are made, each a piece of SVG; every text that comes in is escaped here."""

from collections.abc import Iterable
from typing import TypeAlias
from xml.sax.saxutils import quoteattr

from ..advance import advance, clusters
from ..svg import FONTS, text
from ..typeset import INK, PAPER

Attribute: TypeAlias = str | float | None
SMALL, LABEL, TITLE = 10.0, 10.5, 12.5  # sizes
BASELINE = 0.35  # of the size, below the middle of a line


def element(name: str, /, *content: str, **attributes: Attribute) -> str:
    """One element; underscores in the names of attributes stand for hyphens, None for no attribute.

    >>> element("line", x1=0, y1=2.5, stroke_width=1)
    '<line x1="0" y1="2.5" stroke-width="1"/>'
    """
    given = "".join(
        f" {key.replace('_', '-')}={quoteattr(value if isinstance(value, str) else number(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(content)}</{name}>" if content else f"<{name}{given}/>"


def number(value: float) -> str:
    """A place in the picture, to a hundredth.

    >>> number(2.0), number(-0.001), number(1 / 3)
    ('2', '0', '0.33')
    """
    found = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if found == "-0" else found


def words(said: str, x: float, middle: float, *, size: float = LABEL, fill: str = INK, **more: Attribute) -> str:
    """A text around a line's middle."""
    return element("text", text(said), x=x, y=middle + BASELINE * size, font_size=size, fill=fill, **more)


def tip(said: str) -> str:
    """What is shown where an element is pointed at."""
    return element("title", text(said))


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, **more: Attribute) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **more)


def fitted(said: str, width: float, *, size: float = LABEL) -> str:
    """The text, cut where it is too long for a width.

    >>> fitted("gradient_shap", 40.0)
    'gradi…'
    """
    if width_of(said, size=size) <= width:
        return said
    parts = clusters(said)
    while parts and width_of("".join(parts) + "…", size=size) > width:
        parts.pop()
    return "".join(parts) + "…"


def picture(width: float, height: float, *, title: str, description: str, content: Iterable[str]) -> str:
    """A whole picture on its paper."""
    return element(
        "svg",
        element("title", text(title)),
        element("desc", text(description)),
        element("rect", width=width, height=height, rx=4.0, fill=PAPER),
        words(fitted(title, width - 20, size=TITLE), 10, 16, size=TITLE, font_weight="600"),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        font_family=FONTS,
    )


def width_of(said: str, *, size: float = LABEL) -> float:
    """How wide a text is, on average over fonts."""
    return size * sum(map(advance, clusters(said)))
