"""Lines of a text: where colored spans wrap at a width, and in which order they stand where directions mix."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, Literal, NamedTuple

import regex

from .colored_spans import ColoredSpan
from .escape import shown

CONTEXT = 400  # characters of an unread part that are drawn
JOINER = "\u200d"
STRONG = ("L", "R", "AL")  # the directions of letters

_CLUSTER = regex.compile(r"\X")
_SPACE = regex.compile(r"[^\S\u00A0\u2007\u202F]+")  # white space at which lines may end
_IDEOGRAPH = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Emoji_Presentation}\u3000-\u303F\uFF00-\uFFEF]"
)
_UNSPACED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_HYPHEN = regex.compile(r"[-–—/]")
_OPENING = regex.compile(r"[\p{Ps}\p{Pi}]")
_NOT_FIRST = regex.compile(r"[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々]")
_JOINS_NEXT = regex.compile(r"[\p{Joining_Type=Dual_Joining}\p{Joining_Type=Left_Joining}\u0640]\p{M}*$")
_JOINS_LAST = regex.compile(r"^[\p{Joining_Type=Dual_Joining}\p{Joining_Type=Right_Joining}\u0640]")


class Glyph(NamedTuple):
    """One visible character (a grapheme cluster) of a span."""

    text: str
    span: ColoredSpan
    place: int  # of the span in its text
    level: int  # of the bidirectional algorithm: odd ones run from right to left
    ends: bool  # whether the span's visible text ends here: a sign may follow

    @property
    def is_space(self) -> bool:
        """Whether a line may end here; a space that bears an accent is none."""
        return bool(_SPACE.fullmatch(self.text))


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a span that stands in one line and runs in one direction."""

    text: str
    span: ColoredSpan
    is_rtl: bool
    ends: bool


Measure = Callable[[str, ColoredSpan, bool], float]  # of a part of a span, and whether the span ends with it


def clusters(text: str) -> list[str]:
    """The visible characters of a text: letters with their marks, joined emoji, syllables."""
    return _CLUSTER.findall(text)


def is_rtl(text: str) -> bool:
    """Whether the first letter that has a direction runs from right to left."""
    return next((kind != "L" for kind in map(unicodedata.bidirectional, text) if kind in STRONG), False)


def has_direction(text: str) -> bool:
    """Whether any letter has a direction; numbers, marks and pictures take that of their surroundings.

    >>> [has_direction(text) for text in ("film", "\u05e1\u05e8\u05d8", "2024", "...")]
    [True, True, False, False]
    """
    return any(unicodedata.bidirectional(character) in STRONG for character in text)


def shorten(spans: Sequence[ColoredSpan]) -> tuple[ColoredSpan, ...]:
    """The spans of a truncated text, with long unread parts cut."""
    return tuple(
        replace(span, text=f"{span.text[:CONTEXT]}… {len(span.text) - CONTEXT:,} more characters ")
        if span.score is None and len(span.text) > CONTEXT
        else span
        for span in spans
    )


def wrap(
    spans: Sequence[ColoredSpan], width: float, measure: Measure, *, order: Literal["visual", "logical"] = "visual"
) -> Iterator[tuple[list[Run], bool]]:
    """The runs of each line, and whether its paragraph runs from right to left.

    A word goes to the next line whole unless it is wider than a line. In visual order, runs are listed from left to
    right; in logical order as they are read, for a terminal that orders them itself.
    """
    for paragraph in _paragraphs(spans):
        rtl = is_rtl("".join(glyph.text for glyph in paragraph))
        glyphs = _with_levels(paragraph, rtl=rtl) if order == "visual" else paragraph
        for line in _lines(glyphs, width, measure):
            while line and line[-1].is_space:
                line.pop()
            yield list(_runs(line, rtl=rtl)), rtl


def joined(runs: Sequence[Run]) -> list[str]:
    """The texts of a line's runs, with joiners where a run ends between two letters that join."""
    texts = [run.text for run in runs]
    for at, (left, right) in enumerate(pairwise(runs)):
        if left.is_rtl and right.is_rtl and _JOINS_NEXT.search(right.text) and _JOINS_LAST.search(left.text):
            texts[at], texts[at + 1] = JOINER + texts[at], texts[at + 1] + JOINER
    return texts


def _paragraphs(spans: Sequence[ColoredSpan]) -> list[list[Glyph]]:
    paragraphs: list[list[Glyph]] = [[]]
    for place, span in enumerate(spans):
        parts = clusters(shown(span.text))
        last = max((at for at, part in enumerate(parts) if not part.isspace()), default=-1)
        for at, part in enumerate(parts):
            if part == "\n":
                paragraphs.append([])
            else:
                paragraphs[-1].append(Glyph(part, span, place, 0, at == last))
    return paragraphs


def _with_levels(glyphs: list[Glyph], *, rtl: bool) -> list[Glyph]:
    """The glyphs with their embedding levels, by python-bidi."""
    kinds = [unicodedata.bidirectional(glyph.text[0]) for glyph in glyphs]
    if not {"R", "AL", "AN"} & set(kinds):
        return glyphs
    from bidi import algorithm

    storage = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = int(rtl), "LR"[rtl]
    for kind in kinds:
        plain = "ON" if kind in ("", "BN", "B", "S") else kind  # nothing that steers is left: see `escape`
        storage["chars"].append({"ch": "", "level": int(rtl), "type": plain, "orig": plain})
    algorithm.explicit_embed_and_overrides(storage, False)
    algorithm.resolve_weak_types(storage, False)
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    return [glyph._replace(level=char["level"]) for glyph, char in zip(glyphs, storage["chars"], strict=True)]


def _runs(line: list[Glyph], *, rtl: bool) -> Iterator[Run]:
    for _, group in groupby(_visual_order(line, rtl=rtl), key=lambda at: (line[at].place, line[at].level)):
        glyphs = [line[at] for at in sorted(group)]
        text, first = "".join(glyph.text for glyph in glyphs), glyphs[0]
        yield Run(text, first.span, first.level % 2 == 1, any(glyph.ends for glyph in glyphs))


def _visual_order(line: list[Glyph], *, rtl: bool) -> list[int]:
    if not any(glyph.level for glyph in line):
        return list(range(len(line)))
    from bidi import algorithm

    chars: list[dict[str, Any]] = [{"ch": at, "level": glyph.level, "orig": "ON"} for at, glyph in enumerate(line)]
    algorithm.reorder_resolved_levels({"base_level": int(rtl), "chars": chars}, False)
    return [char["ch"] for char in chars]


def _lines(glyphs: list[Glyph], width: float, measure: Measure) -> Iterator[list[Glyph]]:
    line: list[Glyph] = []
    used = 0.0
    breaks = [at for at in range(1, len(glyphs)) if _may_break(glyphs[at - 1], glyphs[at])]
    for start, end in pairwise([0, *breaks, len(glyphs)] if glyphs else []):
        word = glyphs[start:end]  # with the white space behind it
        visible = [glyph for glyph in word if not glyph.is_space] or word
        if line and used + _width(visible, measure) > width:
            yield line
            line, used = [], 0.0
        if used + _width(visible, measure) <= width:
            line, used = line + word, used + _width(word, measure)
            continue
        for glyph in word:  # wider than a line: broken anywhere
            more = _width([glyph], measure)
            if line and not glyph.is_space and used + more > width:
                yield line
                line, used = [], 0.0
            line.append(glyph)
            used += more
    yield line


def _width(glyphs: Sequence[Glyph], measure: Measure) -> float:
    runs = (list(group) for _, group in groupby(glyphs, key=lambda glyph: (glyph.place, glyph.level)))
    parts = (("".join(glyph.text for glyph in run), run[0].span, any(glyph.ends for glyph in run)) for run in runs)
    return sum(measure(*part) for part in parts)


def _may_break(one: Glyph, other: Glyph) -> bool:
    if one.is_space or other.is_space:
        return not other.is_space
    if _NOT_FIRST.match(other.text) or _OPENING.match(one.text):
        return False
    if _UNSPACED.match(one.text) and _UNSPACED.match(other.text):
        return one.place != other.place
    ideographs = _IDEOGRAPH.search(one.text) or _IDEOGRAPH.search(other.text)
    return bool(ideographs or (_HYPHEN.match(one.text) and other.text.isalpha()))
