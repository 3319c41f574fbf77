"""Wraps colored spans at a width, and reorders lines that mix writing directions."""

import math
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

import regex

from .colored_spans import ColoredSpan
from .escape import shown

CONTEXT = 400  # how many characters of an unread part are drawn
LONGEST = 2_000  # how many characters of a unit are drawn; a very long sentence has 500
LINE = 80  # approximate number of characters on a line
JOINER = "\u200d"
STRONG = ("L", "R", "AL")  # bidirectional classes of letters
# Two characters of each bidirectional class; `escape` removes everything else that affects the order.
CLASSES = {"L": "ab", "R": "אב", "AL": "اب", "EN": "01", "AN": "٠١", "ES": "+-", "ET": "#%", "CS": ",:"}
NEUTRAL = "!?"
ONES = {pair[1] for pair in (*CLASSES.values(), NEUTRAL)}

_SPACE = regex.compile(r"[^\S\u00A0\u2007\u202F]+")  # spaces at which a line may break
_UNSPACED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_IDEOGRAPH = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Emoji_Presentation}\u3000-\u303F\uFF00-\uFFEF]"
_NOT_FIRST = r"[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々]"
_BREAK = regex.compile(rf"(?![\p{{Ps}}\p{{Pi}}]).(?!{_NOT_FIRST})((?<={_IDEOGRAPH}).|{_IDEOGRAPH})|[-–—/]\p{{L}}")
_JOINS_NEXT = regex.compile(r"[\p{Joining_Type=Dual_Joining}\p{Joining_Type=Left_Joining}\u0640]\p{M}*$")
_JOINS_LAST = regex.compile(r"^[\p{Joining_Type=Dual_Joining}\p{Joining_Type=Right_Joining}\u0640]")


class Glyph(NamedTuple):
    """One visible character (a grapheme cluster) of a span."""

    text: str
    span: ColoredSpan
    place: int  # index of the span it belongs to
    ends: bool  # whether it is the last visible glyph of its span, which a sign may follow
    rank: int = 0  # its position in the paragraph, counted from left to right
    is_rtl: bool = False

    @property
    def is_space(self) -> bool:
        """Whether a line may break here. A space with an accent does not count."""
        return bool(_SPACE.fullmatch(self.text))


@dataclass(frozen=True, slots=True)
class TextRun:
    """A part of a span on one line and in one direction."""

    text: str
    span: ColoredSpan
    is_rtl: bool
    ends: bool


Measure = Callable[[str, ColoredSpan, bool], float]  # (text, its span, whether the span ends with it) -> width


def is_rtl(text: str) -> bool:
    """Whether the first letter is written from right to left."""
    return next((kind != "L" for kind in map(unicodedata.bidirectional, text) if kind in STRONG), False)


def has_direction(text: str) -> bool:
    """Whether the text has a letter; digits, punctuation and emoji take the direction of their context.

    >>> [has_direction(text) for text in ("film", "\u05e1\u05e8\u05d8", "2024", "...")]
    [True, True, False, False]
    """
    return any(unicodedata.bidirectional(character) in STRONG for character in text)


def shorten(spans: Sequence[ColoredSpan]) -> tuple[ColoredSpan, ...]:
    """Shorten the long parts of a truncated text that the model did not read."""
    return tuple(
        replace(span, text=f"{span.text[:CONTEXT]}… {len(span.text) - CONTEXT:,} more characters ")
        if span.score is None and len(span.text) > CONTEXT
        else span
        for span in spans
    )


def bounded(spans: Sequence[ColoredSpan], *, most: float = math.inf) -> tuple[ColoredSpan, ...]:
    """Shorten spans that would take minutes to wrap, and drop everything after the first `most` characters."""
    kept, left = list[ColoredSpan](), most
    for at, span in enumerate(spans):
        if left <= 0:
            more = sum(len(other.text) for other in spans[at:])
            return (*kept, ColoredSpan(f"… {more:,} more characters", segment=span.segment))
        text = span.text[:LONGEST]
        while len(shown(text)) > LONGEST:
            text = text[: len(text) // 2]
        more = len(span.text) - len(text)
        kept.append(replace(span, text=f"{text}… {more:,} more characters ") if more else span)
        left -= len(shown(text)) + LINE * text.count("\n")
    return tuple(kept)


def wrap(
    spans: Sequence[ColoredSpan], width: float, measure: Measure, *, order: Literal["visual", "logical"] = "visual"
) -> Iterator[tuple[list[TextRun], bool]]:
    """Yield the runs of each line, and whether its paragraph is written from right to left.

    A word is broken only if it is wider than a line. Visual order lists runs from left to right; logical order lists
    them in reading order, for a terminal that reorders text itself.
    """
    for paragraph in _paragraphs(spans):
        rtl = is_rtl("".join(glyph.text for glyph in paragraph))
        for line in _lines(_ordered(paragraph, rtl=rtl) if order == "visual" else paragraph, width, measure):
            while line and line[-1].is_space:
                line.pop()
            runs = _grouped(sorted(line, key=lambda glyph: glyph.rank))
            yield [_run(run[::-1] if run[0].is_rtl else run) for run in runs], rtl


def joined(runs: Sequence[TextRun]) -> list[str]:
    """The texts of a line's runs, with joiners where a run ends between two connected letters."""
    texts = [run.text for run in runs]
    for at, (left, right) in enumerate(pairwise(runs)):
        if left.is_rtl and right.is_rtl and _JOINS_NEXT.search(right.text) and _JOINS_LAST.search(left.text):
            texts[at], texts[at + 1] = JOINER + texts[at], texts[at + 1] + JOINER
    return texts


def _paragraphs(spans: Sequence[ColoredSpan]) -> list[list[Glyph]]:
    paragraphs: list[list[Glyph]] = [[]]
    for place, span in enumerate(spans):
        clusters = regex.findall(r"\X", shown(span.text))
        last = max((at for at, text in enumerate(clusters) if not text.isspace()), default=-1)
        for at, text in enumerate(clusters):
            if text == "\n":
                paragraphs.append([])
            else:
                paragraphs[-1].append(Glyph(text, span, place, at == last))
    return paragraphs


def _ordered(glyphs: list[Glyph], *, rtl: bool) -> list[Glyph]:
    """Set the ranks and directions of the glyphs.

    The ranks are also valid within each line, because whether two glyphs swap depends only on the glyphs between them.
    """
    kinds = [unicodedata.bidirectional(glyph.text[0]) for glyph in glyphs]
    if not {"R", "AL", "AN"} & set(kinds):
        return glyphs
    ranks = _ranks(kinds, rtl=rtl)
    ascends = [False, *(left < right for left, right in pairwise(ranks)), False]
    turned = [
        kind in ("R", "AL") or not (kind in ("L", "EN", "AN") or ascends[at] or ascends[at + 1])
        for at, kind in enumerate(kinds)
    ]
    return [glyph._replace(rank=rank, is_rtl=turns) for glyph, rank, turns in zip(glyphs, ranks, turned, strict=True)]


def _ranks(kinds: Sequence[str], *, rtl: bool) -> list[int]:
    """Each character's rank from left to right. python-bidi only reorders text, so each call reveals one bit."""
    from bidi import get_display

    places = [0] * len(kinds)
    for bit in range(len(kinds).bit_length()):
        text = "".join(CLASSES.get(kind, NEUTRAL)[at >> bit & 1] for at, kind in enumerate(kinds))
        for rank, character in enumerate(get_display(text, base_dir="R" if rtl else "L")):
            places[rank] |= (character in ONES) << bit
    return sorted(range(len(kinds)), key=places.__getitem__)


def _lines(glyphs: list[Glyph], width: float, measure: Measure) -> Iterator[list[Glyph]]:
    line, used = list[Glyph](), 0.0
    breaks = [at for at in range(1, len(glyphs)) if _may_break(glyphs[at - 1], glyphs[at])]
    for start, end in pairwise([0, *breaks, len(glyphs)] if glyphs else []):
        word = glyphs[start:end]  # including the space after it
        needed = _visible_width(word, measure)
        for piece in [word] if needed <= width else [[glyph] for glyph in word]:  # too wide: break anywhere
            needed = max(needed, _visible_width(piece, measure))
            if line and needed and used + needed > width:
                yield line
                line, used = [], 0.0
            line, used, needed = line + piece, used + _width(piece, measure), 0.0
    yield line


def _visible_width(glyphs: Sequence[Glyph], measure: Measure) -> float:
    return _width([glyph for glyph in glyphs if not glyph.is_space], measure)


def _width(glyphs: Sequence[Glyph], measure: Measure) -> float:
    return sum(measure(run.text, run.span, run.ends) for run in map(_run, _grouped(glyphs)))


def _grouped(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    return (list(group) for _, group in groupby(glyphs, key=lambda glyph: (glyph.place, glyph.is_rtl)))


def _run(glyphs: Sequence[Glyph]) -> TextRun:
    text = "".join(glyph.text for glyph in glyphs)
    return TextRun(text, glyphs[0].span, glyphs[0].is_rtl, any(glyph.ends for glyph in glyphs))


def _may_break(one: Glyph, other: Glyph) -> bool:
    if one.is_space or other.is_space:
        return not other.is_space
    if _UNSPACED.match(one.text) and _UNSPACED.match(other.text):
        return one.place != other.place
    return bool(_BREAK.match(one.text[0] + other.text[0]))
