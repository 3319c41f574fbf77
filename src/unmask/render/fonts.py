"""Fonts for figures: families that have a text's characters, how wide a text is, and which characters no font has."""

import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache

import regex
from matplotlib.font_manager import FontEntry, FontProperties, findSystemFonts, fontManager
from matplotlib.ft2font import FT2Font
from matplotlib.textpath import text_to_path

from ..errors import UnmaskWarning

OWN = "DejaVu Sans"  # comes with matplotlib
BOX = "□"  # drawn where no font has a glyph
NAMED = 8  # characters without a glyph that a warning names
RIGHT_TO_LEFT = "\u200f"  # makes the line that it begins run from the right
PACKAGES = {  # of Debian and Ubuntu
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\u3000-\u303F\uFF00-\uFFEF]": "fonts-noto-cjk",
    r"[\p{Emoji_Presentation}\p{So}]": "fonts-symbola",  # matplotlib draws no color fonts
    r"[\p{L}\p{M}\p{N}\p{P}\p{Sc}]": "fonts-noto-core",
}
_NO_GLYPH = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{White_Space}]")
_UNDRAWN = regex.compile(r"(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}")
_UNUSABLE = regex.compile(r"Color|Last ?Resort|Blank|Fallback|Mono|Serif|Display|STIX|^cm", regex.IGNORECASE)


class Fonts:
    """The families for one drawing: DejaVu Sans, then installed ones that have what it lacks."""

    def __init__(self, text: str) -> None:
        self.families = [OWN]
        own = _characters(fontManager.findfont(FontProperties(family=OWN)))
        self.missing = {character for character in text if not _NO_GLYPH.match(character)} - own
        for entry in installed_fonts() if self.missing else ():
            if self.missing & _characters(entry.fname):
                self.families.append(entry.name)
                self.missing -= _characters(entry.fname)
        with_bold = {entry.name for entry in fontManager.ttflist if entry.weight in (700, "bold")}
        self.has_bold = with_bold.issuperset(self.families)

    def properties(self, size: float, *, bold: bool = False) -> FontProperties:
        """The font of that size in points; bold only where every family has it."""
        return FontProperties(family=self.families, size=size, weight="bold" if bold and self.has_bold else "normal")

    def drawable(self, text: str, *, rtl: bool = False) -> str:
        """The text with a box for each character that no family has."""
        boxed = "".join(BOX if character in self.missing else character for character in _UNDRAWN.sub("", text))
        return RIGHT_TO_LEFT + boxed if rtl else boxed

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """The width of a text at that size."""
        return _width(self.drawable(text), self.properties(100, bold=bold)) * size

    def warn(self) -> str | None:
        """Warn of characters that are drawn as boxes; returns what the drawing says of them."""
        if not self.missing:
            return None
        missing = sorted(self.missing)
        codes = [f"U+{ord(character):04X}" for character in missing[:NAMED]]
        named = [f"{code} {char}" if char.isprintable() else code for code, char in zip(codes, missing, strict=False)]
        more = f", and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        packages = sorted(set(filter(None, map(_package, missing))))
        hint = f"; to see them, install {' and '.join(packages)}" if packages else ""
        message = f"no font of this computer has {', '.join(named)}{more}: the picture shows boxes{hint}"
        warnings.warn(message, UnmaskWarning, stacklevel=2)
        return f"Note: no font of this computer has {', '.join(codes)}{more}{hint}."


@contextmanager
def without_glyph_warnings() -> Iterator[None]:
    """Silence matplotlib's own warnings: missing characters are known, and drawn as boxes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


@lru_cache(maxsize=50_000)
def _width(text: str, font: FontProperties) -> float:
    """The width at a size of 1, of a font of size 100."""
    with without_glyph_warnings():
        return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0] / 100


def _package(character: str) -> str | None:
    return next((package for pattern, package in PACKAGES.items() if regex.match(pattern, character)), None)


@cache
def installed_fonts() -> list[FontEntry]:
    """Regular sans-serif fonts, Noto's first; also those that were installed after matplotlib made its list."""
    for path in set(findSystemFonts()) - {entry.fname for entry in fontManager.ttflist}:
        try:
            fontManager.addfont(path)
        except (OSError, RuntimeError, ValueError):  # not a font that can be drawn
            continue
    usable = {
        entry.name: entry
        for entry in fontManager.ttflist
        if entry.style == "normal" and entry.weight in (400, "normal", "regular") and not _UNUSABLE.search(entry.name)
    }
    return sorted(usable.values(), key=_preference)


def _preference(entry: FontEntry) -> tuple[bool, bool, str]:
    is_regional = "CJK" in entry.name and not entry.name.endswith("SC")  # all have all characters
    return not entry.name.startswith("Noto Sans"), is_regional, entry.name


@cache
def _characters(path: str) -> frozenset[str]:
    """The characters that a font has; private ones mean something else in each."""
    try:
        codes = FT2Font(path).get_charmap()
    except (OSError, RuntimeError, ValueError):
        return frozenset()
    return frozenset(character for character in map(chr, codes) if unicodedata.category(character) != "Co")
