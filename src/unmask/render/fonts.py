"""Fonts for figures: finds font families for a text, measures it, and reports characters that no font has."""

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

OWN = "DejaVu Sans"  # ships with matplotlib
BOX = "□"  # replaces a character that no font has
NAMED = 8  # how many missing characters a warning lists
RIGHT_TO_LEFT = "\u200f"  # put before a line that is written from right to left
PACKAGES = {  # Debian and Ubuntu
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\u3000-\u303F\uFF00-\uFFEF]": "fonts-noto-cjk",
    r"[\p{Emoji_Presentation}\p{So}]": "fonts-symbola",  # matplotlib cannot draw color fonts
    r"[\p{L}\p{M}\p{N}\p{P}\p{Sc}]": "fonts-noto-core",
}
_NO_GLYPH = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{White_Space}]")
_UNDRAWN = regex.compile(r"(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}")
_UNUSABLE = regex.compile(r"Color|Last ?Resort|Blank|Fallback|Mono|Serif|Display|STIX|^cm", regex.IGNORECASE)


class Fonts:
    """The font families of one figure: DejaVu Sans, then installed fonts for the characters that it lacks."""

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
        """The font properties for this size in points; bold only if every family has a bold face."""
        return FontProperties(family=self.families, size=size, weight="bold" if bold and self.has_bold else "normal")

    def drawable(self, text: str, *, rtl: bool = False) -> str:
        """The text with a box in place of each missing character."""
        boxed = "".join(BOX if character in self.missing else character for character in _UNDRAWN.sub("", text))
        return RIGHT_TO_LEFT + boxed if rtl else boxed

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """The width of a text at this size."""
        return _width(self.drawable(text), self.properties(100, bold=bold)) * size

    def warn(self) -> str | None:
        """Warn about missing characters, and return a note for the figure."""
        if not self.missing:
            return None
        missing = sorted(self.missing)
        codes = [f"U+{ord(character):04X}" for character in missing[:NAMED]]
        named = [f"{code} {char}" if char.isprintable() else code for code, char in zip(codes, missing, strict=False)]
        more = f", and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        packages = sorted(set(filter(None, map(_package, missing))))
        hint = f"; install {' and '.join(packages)}" if packages else ""
        message = f"no installed font has {', '.join(named)}{more}: the figure shows boxes{hint}"
        warnings.warn(message, UnmaskWarning, stacklevel=2)
        return f"Note: no installed font has {', '.join(codes)}{more}{hint}."


@contextmanager
def without_glyph_warnings() -> Iterator[None]:
    """Silence matplotlib's warnings about missing glyphs, because `Fonts.warn` reports them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


@lru_cache(maxsize=50_000)
def _width(text: str, font: FontProperties) -> float:
    """The width at size 1, measured at size 100."""
    with without_glyph_warnings():
        return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0] / 100


def _package(character: str) -> str | None:
    return next((package for pattern, package in PACKAGES.items() if regex.match(pattern, character)), None)


@cache
def installed_fonts() -> list[FontEntry]:
    """Installed regular sans-serif fonts, Noto first, including those newer than matplotlib's font cache."""
    for path in set(findSystemFonts()) - {entry.fname for entry in fontManager.ttflist}:
        try:
            fontManager.addfont(path)
        except (OSError, RuntimeError, ValueError):  # not a usable font
            continue
    usable = {
        entry.name: entry
        for entry in fontManager.ttflist
        if entry.style == "normal" and entry.weight in (400, "normal", "regular") and not _UNUSABLE.search(entry.name)
    }
    return sorted(usable.values(), key=_preference)


def _preference(entry: FontEntry) -> tuple[bool, bool, str]:
    is_regional = "CJK" in entry.name and not entry.name.endswith("SC")  # all regions have the same characters
    return not entry.name.startswith("Noto Sans"), is_regional, entry.name


@cache
def _characters(path: str) -> frozenset[str]:
    """The characters of a font, without private-use characters, which differ from font to font."""
    try:
        codes = FT2Font(path).get_charmap()
    except (OSError, RuntimeError, ValueError):
        return frozenset()
    return frozenset(character for character in map(chr, codes) if unicodedata.category(character) != "Co")
