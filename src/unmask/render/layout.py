"""Pieces of a text placed in lines of a given width: what wraps where, and what stands where. Draws nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

import regex

from .advance import BOLD, advance, clusters
from .colored_spans import ColoredSpan
from .direction import is_rtl, levels, visual
from .escape import shown
from .styles import Style

PADDING = 2.0  # beside a colored unit, inside its color
SIGN = 9.0  # the room of a sign behind a unit

Room = Literal["needed", "even"]

_SPACE = regex.compile(r"[^\S\u00A0\u2007\u202F]")  # white space at which lines may end
_IDEOGRAPH = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Emoji_Presentation}\u3000-\u303F\uFF00-\uFFEF]"
)
_UNSPACED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_HYPHEN = regex.compile(r"[-–—/]")
_OPENING = regex.compile(r"[\p{Ps}\p{Pi}]")
_NOT_FIRST = regex.compile(r"[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々]")
_JOINS_NEXT = regex.compile(r"[\p{Joining_Type=Dual_Joining}\p{Joining_Type=Left_Joining}\u0640]\p{M}*$")
_JOINS_LAST = regex.compile(r"^[\p{Joining_Type=Dual_Joining}\p{Joining_Type=Right_Joining}\u0640]")
_NO_CHARACTER = regex.compile(r"[\uFFFE\uFFFF]")  # XML has no place for them
JOINER = "\u200d"


def spelled(text: str) -> str:
    """The text as it is drawn: what would steer, or is no character, is spelled out."""
    return _NO_CHARACTER.sub(lambda found: f"\\u{ord(found[0]):04x}", shown(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a text is set. In even room every unit stands as if it had a sign, so that drawings of a text align."""

    width: float
    size: float = 17.0
    style: Style = "shades"
    room: Room = "needed"
    bold: bool = False
    advance: Callable[[str], float] = field(default=advance)  # of a visible character, in ems
    padding: float = PADDING
    sign: float = SIGN
    boldness: float = BOLD

    def is_bold(self, shade: ColoredSpan) -> bool:
        """Whether a piece is drawn bold."""
        return self.bold or (self.style == "paper" and shade.mark is not None)

    def is_colored(self, shade: ColoredSpan) -> bool:
        """Whether a piece has a color and a sign."""
        return self.style == "shades" and shade.level != 0

    def is_roomy(self, shade: ColoredSpan) -> bool:
        """Whether a piece has the room of a color and a sign."""
        return self.is_colored(shade) or (self.style == "shades" and self.room == "even" and shade.score is not None)


@dataclass(frozen=True, slots=True)
class Box:
    """A piece of one line: its text stands between `left` and `right`, the sign of a unit behind it."""

    text: str
    shade: ColoredSpan
    line: int
    x: float
    width: float
    left: float
    right: float
    rtl: bool
    ends: bool  # whether the unit ends here: a sign follows
    joins: tuple[bool, bool] = (False, False)  # whether its letters join those of the piece before and behind

    @property
    def shaped(self) -> str:
        """The text with joiners, so that letters keep their joined forms where a word is cut into pieces."""
        return JOINER * self.joins[0] + self.text + JOINER * self.joins[1]


@dataclass(frozen=True, slots=True)
class _Glyph:
    text: str
    shade: ColoredSpan
    piece: int
    level: int
    width: float
    ends: bool

    @property
    def is_space(self) -> bool:
        return bool(_SPACE.fullmatch(self.text))  # a space that bears an accent is none


def placed(shades: Sequence[ColoredSpan], setting: Setting) -> tuple[Box, ...]:
    """The boxes of a text, line by line and from left to right; empty lines have none."""
    boxes: list[Box] = []
    line = 0
    for paragraph in _paragraphs(shades):
        rtl = is_rtl("".join(text for text, *_ in paragraph))
        for glyphs in _lines(list(_glyphs(paragraph, setting, rtl=rtl)), setting):
            boxes += _boxes(glyphs, setting, line=line, rtl=rtl)
            line += 1
    return tuple(boxes)


def lines(shades: Sequence[ColoredSpan], setting: Setting) -> Iterator[list[tuple[str, ColoredSpan, bool]]]:
    """The pieces of every line as they are read, and whether a unit ends there; who draws them knows the direction."""
    for paragraph in _paragraphs(shades):
        for glyphs in _lines(list(_glyphs(paragraph, setting, rtl=False)), setting):
            runs = (list(run) for _, run in groupby(_trimmed(glyphs), key=lambda glyph: glyph.piece))
            yield [("".join(glyph.text for glyph in run), run[0].shade, run[-1].ends) for run in runs]


def line_count(boxes: Sequence[Box]) -> int:
    """How many lines these boxes take."""
    return max((box.line for box in boxes), default=0) + 1


def measured(text: str, setting: Setting) -> float:
    """The width of a text in one line."""
    return sum(map(setting.advance, clusters(text))) * setting.size * (setting.boldness if setting.bold else 1.0)


def _paragraphs(shades: Sequence[ColoredSpan]) -> list[list[tuple[str, ColoredSpan, int, bool]]]:
    """The visible characters of every line of the text, each with its piece and whether that ends with it."""
    paragraphs: list[list[tuple[str, ColoredSpan, int, bool]]] = [[]]
    for piece, shade in enumerate(shades):
        text = spelled(shade.text)
        parts = clusters(text)
        last = max((at for at, part in enumerate(parts) if not part.isspace()), default=-1)
        for at, part in enumerate(parts):
            if part == "\n":
                paragraphs.append([])
            else:
                paragraphs[-1].append((part, shade, piece, at == last))
    return paragraphs


def _glyphs(paragraph: list[tuple[str, ColoredSpan, int, bool]], setting: Setting, *, rtl: bool) -> Iterator[_Glyph]:
    depths = levels([text for text, *_ in paragraph], rtl=rtl)
    for (text, shade, piece, ends), level in zip(paragraph, depths, strict=True):
        width = setting.advance(text) * setting.size * (setting.boldness if setting.is_bold(shade) else 1.0)
        yield _Glyph(text, shade, piece, level, width, ends)


def _lines(glyphs: list[_Glyph], setting: Setting) -> Iterator[list[_Glyph]]:
    """The glyphs in lines that fit; a word goes to the next line whole, unless it is wider than a line."""
    line: list[_Glyph] = []
    used = 0.0
    for word in _words(glyphs):
        if line and used + _width(word, setting, after=line[-1]) > setting.width:
            yield line
            line, used = [], 0.0
        for glyph in word:
            more = _width([glyph], setting, after=line[-1] if line else None)
            if line and not glyph.is_space and used + more > setting.width:
                yield line
                line, used, more = [], 0.0, _width([glyph], setting, after=None)
            line.append(glyph)
            used += more
    yield line


def _words(glyphs: list[_Glyph]) -> Iterator[list[_Glyph]]:
    """What must not be parted, with the white space behind it."""
    word: list[_Glyph] = []
    for glyph in glyphs:
        if word and _may_part(word[-1], glyph):
            yield word
            word = []
        word.append(glyph)
    if word:
        yield word


def _may_part(one: _Glyph, other: _Glyph) -> bool:
    if one.is_space or other.is_space:
        return not other.is_space
    if _NOT_FIRST.match(other.text) or _OPENING.match(one.text):
        return False
    if _UNSPACED.match(one.text) and _UNSPACED.match(other.text):
        return one.piece != other.piece
    ideographs = _IDEOGRAPH.search(one.text) or _IDEOGRAPH.search(other.text)
    return bool(ideographs or (_HYPHEN.match(one.text) and other.text.isalpha()))


def _width(glyphs: Iterable[_Glyph], setting: Setting, *, after: _Glyph | None) -> float:
    """The room of glyphs behind another; white space at their end may hang over."""
    total = visible = 0.0
    for glyph in glyphs:
        begins = after is None or (after.piece, after.level) != (glyph.piece, glyph.level)
        roomy = setting.is_roomy(glyph.shade)
        total += glyph.width + roomy * (begins * 2 * setting.padding + glyph.ends * setting.sign)
        visible = visible if glyph.is_space else total
        after = glyph
    return visible or total


def _boxes(glyphs: list[_Glyph], setting: Setting, *, line: int, rtl: bool) -> Iterator[Box]:
    runs = [list(run) for _, run in groupby(_trimmed(glyphs), key=lambda glyph: (glyph.piece, glyph.level))]
    widths = [_run_width(run, setting) for run in runs]
    x = setting.width - sum(widths) if rtl else 0.0
    for at in visual([run[0].level for run in runs]):
        yield _box(runs, at, setting, line=line, x=x, width=widths[at])
        x += widths[at]


def _trimmed(glyphs: list[_Glyph]) -> list[_Glyph]:
    """The glyphs of a line without the white space at its end."""
    while glyphs and glyphs[-1].is_space:
        glyphs = glyphs[:-1]
    return glyphs


def _run_width(run: list[_Glyph], setting: Setting) -> float:
    roomy = setting.is_roomy(run[0].shade)
    ends = any(glyph.ends for glyph in run)
    return sum(glyph.width for glyph in run) + roomy * (2 * setting.padding + ends * setting.sign)


def _box(runs: list[list[_Glyph]], at: int, setting: Setting, *, line: int, x: float, width: float) -> Box:
    run = runs[at]
    roomy, rtl, ends = setting.is_roomy(run[0].shade), run[0].level % 2 == 1, any(glyph.ends for glyph in run)
    before, behind = setting.padding * roomy, (setting.padding + ends * setting.sign) * roomy
    left, right = (behind, before) if rtl else (before, behind)
    joins = at > 0 and _is_joined(runs[at - 1], run), at + 1 < len(runs) and _is_joined(run, runs[at + 1])
    text = "".join(glyph.text for glyph in run)
    return Box(text, run[0].shade, line, x, width, x + left, x + width - right, rtl, ends, joins)


def _is_joined(one: list[_Glyph], other: list[_Glyph]) -> bool:
    return bool(_JOINS_NEXT.search(one[-1].text) and _JOINS_LAST.search(other[0].text))
