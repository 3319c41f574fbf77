"""A sheet drawn by matplotlib, in fonts of this computer; the only file that imports it (the extra `plot`).

Neither pyplot nor matplotlib's settings are touched.
"""

import io
from functools import cache

import regex
from matplotlib import ft2font
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontProperties, findfont, fontManager
from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle
from matplotlib.text import Text

from . import advance
from .blocks import Bar, Part, Sign, Words
from .sheet import Sheet

Families = tuple[str, ...]

OWN = "DejaVu Sans"  # comes with matplotlib
INSTEAD = "□"  # is drawn where no font has a glyph
DPI = 100.0  # a unit of the sheet is one pixel at scale 1
EM = 1000.0
SHAPES_TEXT = hasattr(ft2font, "__libraqm_version__")  # from 3.11 on: joined letters, and both directions
RIGHT_TO_LEFT = "\u200f"  # makes the line that it begins run from the right
_NO_GLYPH_NEEDED = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{White_Space}]")
_JOINED = regex.compile(r"\p{Arabic}")
_USELESS = regex.compile(r"Color|Last ?Resort|Blank|Fallback", regex.IGNORECASE)  # no outlines, or boxes for all


def families(text: str) -> Families:
    """The font families that a text needs, as far as they are installed; the own one first."""
    left = {character for character in text if not _NO_GLYPH_NEEDED.match(character)} - _glyphs(OWN)
    chosen = [OWN]
    for name in _installed() if left else ():
        if found := left & _glyphs(name):
            chosen.append(name)
            left -= found
    return tuple(chosen)


def lacking(text: str, chosen: Families) -> tuple[str, ...]:
    """The characters of a text that none of these families has, in order."""
    known = frozenset[str]().union(*map(_glyphs, chosen))
    return tuple(sorted(one for one in set(text) - known if not _NO_GLYPH_NEEDED.match(one)))


@cache
def measured(cluster: str, chosen: Families) -> float:
    """The width of a visible character in these families, in ems."""
    if _JOINED.match(cluster):
        return advance.advance(cluster)  # letters alone are wider than joined ones
    return sum(_advance(character, chosen) for character in cluster)


def png(sheet: Sheet, chosen: Families, *, scale: float, paper: str) -> bytes:
    """The sheet as a PNG, `scale` pixels for each of its units."""
    figure = Figure(figsize=(sheet.width / DPI, sheet.height / DPI), dpi=DPI * scale, facecolor=paper, layout="none")
    canvas = FigureCanvasAgg(figure)
    for item in sheet.items:
        for part in item.parts:
            _draw(figure, canvas, part, chosen, scale=scale)
    file = io.BytesIO()
    canvas.print_png(file, metadata={"Software": None, "Title": sheet.title})  # the same bytes each time
    return file.getvalue()


def _draw(figure: Figure, canvas: FigureCanvasAgg, part: Part, chosen: Families, *, scale: float) -> None:
    height = figure.get_figheight() * DPI
    match part:
        case Words():
            _write(figure, canvas, part, chosen, scale=scale)
        case Bar(radius=0.0):
            corner = part.x * scale, (height - part.y - part.height) * scale
            figure.add_artist(Rectangle(corner, part.width * scale, part.height * scale, fc=part.fill, lw=0))
        case Bar():
            corner = part.x * scale, (height - part.y - part.height) * scale
            radius = min(part.radius, part.width / 2, part.height / 2) * scale
            style = f"round,pad=0,rounding_size={radius}"
            size = part.width * scale, part.height * scale
            figure.add_artist(FancyBboxPatch(corner, *size, boxstyle=style, fc=part.fill, lw=0))
        case Sign():
            corners = [(x * scale, (height - y) * scale) for x, y in part.corners]
            figure.add_artist(Polygon(corners, closed=True, fc=part.ink, lw=0))
    figure.artists[-1:] and figure.artists[-1].set_transform(None)  # type: ignore[func-returns-value]
