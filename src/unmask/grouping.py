"""From tokens to the units that move: every unit knows its characters and the positions of its tokens."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import NamedTuple, TypeAlias

from .errors import ArgumentError, TextError
from .text import Passage, Span, Token, gaps, is_visible, merged, trimmed
from .units import GIVEN, UNITS

GivenSpans: TypeAlias = Iterable[Sequence[int]]  # (start, end), or (start, end, 1) for the second text of a pair


class Place(NamedTuple):
    """A span, and the text that it points into."""

    span: Span
    segment: int

    def __str__(self) -> str:
        return f"{self.span.start} to {self.span.end}" + (" of the second text" if self.segment else "")


@dataclass(frozen=True, slots=True)
class Group:
    """Characters that move as a whole, and the positions of their tokens."""

    span: Span
    tokens: tuple[int, ...]
    segment: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """What moves as a whole: units of a rule, or given spans; what is fixed never moves."""

    unit: str
    given: tuple[Place, ...] | None = None
    fixed: tuple[Place, ...] = ()


def choice(passages: Sequence[str], *, unit: str, spans: GivenSpans | None, fixed: GivenSpans) -> Choice:
    """What is to move in these texts; spans that are none, or overlap, are refused."""
    given = None if spans is None else _places("span", spans, passages)
    kept = _places("fixed span", fixed, passages)
    _check_apart([*(given or ()), *kept])
    return Choice(unit if given is None else GIVEN, given, kept)


def grouped(passages: Sequence[Passage], tokens: Sequence[Token], wanted: Choice) -> tuple[Group, ...]:
    """The units of one or two texts, in order.

    Every visible character that was not cut off, is not fixed and is not beside given spans is in exactly one of them.
    A unit moves every content token that it overlaps; units that would share a token are merged.
    """
    groups = [
        group
        for segment, passage in enumerate(passages)
        for group in _in_passage(passage, _moving(passage.text, tokens, segment), segment, wanted)
    ]
    if not groups:
        raise TextError(f"the text has no unit to explain: {_why_none(passages, wanted)}")
    return tuple(groups)


def remarks(groups: Sequence[Group], wanted: Choice) -> list[str]:
    """What became of given spans that are not units of their own."""
    notes, owner = [], dict[Group, Place]()
    for place in wanted.given or ():
        group = next((one for one in groups if one.segment == place.segment and one.span.overlaps(place.span)), None)
        if group is None:
            notes.append(f"the span {place} holds nothing that the model reads and that can move; it has no score")
        elif group in owner:
            notes.append(f"the spans {owner[group]} and {place} share a token and move as one")
        else:
            owner[group] = place
    return notes


def _why_none(passages: Sequence[Passage], wanted: Choice) -> str:
    if not any(passage.text for passage in passages):
        return "it is empty"
    if not any(map(is_visible, "".join(passage.text for passage in passages))):
        return "it is blank"
    if wanted.given is not None:
        return "the model reads no visible character of the given spans"
    return "the model reads no visible character of it" + (" that is not fixed" if wanted.fixed else "")


def _places(kind: str, spans: GivenSpans, texts: Sequence[str]) -> tuple[Place, ...]:
    return tuple(sorted(_place(kind, span, texts) for span in spans))


def _place(kind: str, given: Sequence[int], texts: Sequence[str]) -> Place:
    try:
        start, end, segment = map(index, (*given, 0) if len(given) == 2 else given)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"the {kind} {given!r} is not (start, end), nor (start, end, 1) for the second text of a pair"
        ) from error
    if not 0 <= segment < len(texts):
        raise ArgumentError(f"the {kind} {given!r} is for text {segment}; there are {len(texts)}, counted from 0")
    if not 0 <= start < end <= len(texts[segment]):
        raise ArgumentError(f"the {kind} {given!r} is not inside its text of {len(texts[segment])} characters")
    return Place(Span(start, end), segment)


def _check_apart(places: Iterable[Place]) -> None:
    before: Place | None = None
    for place in sorted(places, key=lambda place: (place.segment, place.span)):
        if before is not None and before.segment == place.segment and place.span.overlaps(before.span):
            raise ArgumentError(f"the spans {before} and {place} overlap: a character can be in one only")
        before = place


def _moving(text: str, tokens: Sequence[Token], segment: int) -> dict[int, Span]:
    """The tokens that can move, by position, each with the part of its span that can be seen."""
    spans = {
        position: trimmed(text, token.span)
        for position, token in enumerate(tokens)
        if token.segment == segment and not token.special
    }
    return {position: span for position, span in spans.items() if span.start < span.end}


def _visible(text: str, spans: Iterable[Span]) -> list[Span]:
    return [span for span in (trimmed(text, span) for span in spans) if span.start < span.end]


def _in_passage(passage: Passage, moving: Mapping[int, Span], segment: int, wanted: Choice) -> Iterable[Group]:
    """The units of one text; fixed spans, widened to their tokens, divide it into parts that are grouped apart."""
    fixed = [place.span for place in wanted.fixed if place.segment == segment]
    held = [span for span in moving.values() if any(map(span.overlaps, fixed))] if fixed else []
    for part in gaps(passage.read, merged([*fixed, *held])):
        free = {position: span for position, span in moving.items() if span.overlaps(part)}
        if not free:
            continue
        tokens = merged(free.values())
        if wanted.given is None:
            seen = _visible(passage.text, UNITS[wanted.unit](passage.text, part, tokens))
        else:
            seen, tokens = _given(wanted.given, segment, part, tokens)
        yield from _with_tokens(merged([*seen, *tokens]), free, segment)


def _given(given: Iterable[Place], segment: int, part: Span, tokens: list[Span]) -> tuple[list[Span], list[Span]]:
    """The given spans within a part that overlap a token, and those tokens; all else there is context."""
    inside = [
        Span(max(place.span.start, part.start), min(place.span.end, part.end))
        for place in given
        if place.segment == segment and place.span.overlaps(part)
    ]
    return (
        [span for span in inside if any(map(span.overlaps, tokens))],
        [token for token in tokens if any(map(token.overlaps, inside))],
    )


def _with_tokens(spans: list[Span], moving: Mapping[int, Span], segment: int) -> list[Group]:
    """Each span with its tokens; one without any, dropped by the tokenizer, joins the one before it, else the next."""
    starts = [span.start for span in spans]
    owned: list[list[int]] = [[] for _ in spans]
    for position, span in moving.items():
        at = bisect_right(starts, span.start) - 1
        if at >= 0 and span.overlaps(spans[at]):
            owned[at].append(position)
    groups: list[Group] = []
    waiting: int | None = None
    for span, positions in zip(spans, owned, strict=True):
        if positions:
            groups.append(Group(Span(span.start if waiting is None else waiting, span.end), tuple(positions), segment))
            waiting = None
        elif groups:
            groups[-1] = Group(Span(groups[-1].span.start, span.end), groups[-1].tokens, segment)
        elif waiting is None:
            waiting = span.start
    return groups
