"""A sheet drawn by matplotlib, in fonts of this computer; the only file that imports it (the extra `plot`).

Neither pyplot nor matplotlib's settings are touched.
"""

import io
import unicodedata
import warnings
from functools import cache

import regex
from matplotlib import ft2font
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontProperties, findfont, fontManager
from matplotlib.patches import BoxStyle, FancyBboxPatch, Polygon, Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from . import advance
from .blocks import Bar, Sign, Words
from .sheet import Sheet

Families = tuple[str, ...]

OWN = "DejaVu Sans"  # comes with matplotlib
INSTEAD = "□"  # is drawn where no font has a glyph
DPI = 100.0  # a unit of the sheet is one pixel at scale 1
EM = 1000.0
SHAPES_TEXT = hasattr(ft2font, "__libraqm_version__")  # from 3.11 on: joined letters, and both directions
RIGHT_TO_LEFT = "\u200f"  # makes the line that it begins run from the right
JOINERS = "\u200c\u200d"
TOLERATED = 1.03  # of the width that words have
SMALLEST = 0.5  # of the size: below it, what is wide stays wide
INSET = 1.0  # at most so far from where words begin, if they take less than their width
_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
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
    return tuple(sorted(one for one in set(text) - _known(chosen) if not _NO_GLYPH_NEEDED.match(one)))


@cache
def measured(cluster: str, chosen: Families) -> float:
    """The width of a visible character in these families, in ems."""
    if _JOINED.match(cluster):
        return advance.advance(cluster)  # letters alone are wider than joined ones
    return sum(_advance(character, chosen) for character in cluster)


def png(sheet: Sheet, chosen: Families, *, scale: float, paper: str) -> bytes:
    """The sheet as a PNG, `scale` pixels for each of its units."""
    figure = Figure(figsize=(sheet.width / DPI, sheet.height / DPI), dpi=DPI * scale, facecolor=paper)
    canvas = FigureCanvasAgg(figure)
    place = Affine2D().scale(scale, -scale).translate(0.0, sheet.height * scale)
    file = io.BytesIO()
    with warnings.catch_warnings():
        # A letter and its marks from two fonts are drawn, and warned of; what is lacking is known before.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        for part in (part for item in sheet.items for part in item.parts):
            if isinstance(part, Words) and not part.text.strip():
                continue
            artist = _text(part, figure, canvas, chosen) if isinstance(part, Words) else _patch(part)
            artist.set_transform(place)
            figure.add_artist(artist)
        canvas.print_png(file, metadata={"Software": None, "Title": sheet.title.encode("ascii", "replace").decode()})
    return file.getvalue()


def _patch(part: Bar | Sign) -> Artist:
    if isinstance(part, Sign):
        return Polygon(part.corners, closed=True, facecolor=part.ink, linewidth=0)
    if not part.radius:
        return Rectangle((part.x, part.y), part.width, part.height, facecolor=part.fill, linewidth=0)
    radius = min(part.radius, part.width / 2, part.height / 2)
    style = BoxStyle("round", pad=0.0, rounding_size=radius)
    return FancyBboxPatch((part.x, part.y), part.width, part.height, boxstyle=style, facecolor=part.fill, linewidth=0)


def _text(words: Words, figure: Figure, canvas: FigureCanvasAgg, chosen: Families) -> Artist:
    """The words in their place, made smaller where they would take more than their width."""
    text, font = _drawable(words, chosen), _properties(words, chosen)
    width = canvas.get_renderer().get_text_width_height_descent(text, font, ismath=False)[0] * DPI / figure.dpi
    if width > words.width * TOLERATED > 0:
        font.set_size(font.get_size_in_points() * max(words.width / width, SMALLEST))
    inset = words.width / 2 - min(max(0.0, words.width - width) / 2, INSET)
    return Text(
        words.x + inset if words.rtl else words.x - inset,
        words.y,
        text,
        color=words.ink,
        fontproperties=font,
        horizontalalignment="right" if words.rtl else "left",
        verticalalignment="baseline",
        parse_math=False,
        usetex=False,
    )


def _properties(words: Words, chosen: Families) -> FontProperties:
    """The font of words; bold only in the own one, which is known to be there in bold."""
    is_bold = words.bold and not lacking(words.text, (OWN,))
    families = [OWN] if is_bold else list(chosen)
    return FontProperties(
        family=families, style="normal", weight="bold" if is_bold else "normal", size=words.size * 72 / DPI
    )


def _drawable(words: Words, chosen: Families) -> str:
    """The text with a box for every character that no family has."""
    lacked = set(lacking(words.text, chosen))
    text = "".join(INSTEAD if character in lacked else character for character in words.text)
    visible = "".join(character for character in text if character in JOINERS or not _IGNORABLE.match(character))
    return RIGHT_TO_LEFT + visible if words.rtl and SHAPES_TEXT else visible


@cache
def _advance(character: str, chosen: Families) -> float:
    if _IGNORABLE.match(character):
        return 0.0
    name = next((name for name in chosen if character in _glyphs(name)), None)
    if name is None:
        return _advance(INSTEAD, chosen)
    font = _font(name)
    return font.load_char(ord(character), flags=ft2font.LoadFlags.NO_HINTING).linearHoriAdvance / 65536 / EM


@cache
def _known(chosen: Families) -> frozenset[str]:
    return frozenset[str]().union(*map(_glyphs, chosen))


@cache
def _glyphs(name: str) -> frozenset[str]:
    """The characters that a family has; private ones mean something else in each."""
    characters = map(chr, _font(name).get_charmap())
    return frozenset(character for character in characters if unicodedata.category(character) != "Co")


@cache
def _font(name: str) -> ft2font.FT2Font:
    font = ft2font.FT2Font(findfont(FontProperties(family=name)))
    font.set_size(EM, 72)
    return font


@cache
def _installed() -> tuple[str, ...]:
    """Families that can be drawn, those without serifs first."""
    names = {entry.name for entry in fontManager.ttflist if _is_upright(entry) and not _USELESS.search(entry.name)}
    return tuple(sorted(filter(_is_usable, names - {OWN}), key=lambda name: ("Sans" not in name, name)))


def _is_upright(entry: FontEntry) -> bool:
    return entry.style == "normal" and entry.weight in (400, "normal", "regular")


def _is_usable(name: str) -> bool:
    try:
        return _font(name).scalable
    except (OSError, RuntimeError, ValueError):  # a file that is gone, or broken
        return False
