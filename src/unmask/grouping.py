"""From tokens to the units that move: every unit knows its characters and the positions of its tokens."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import NamedTuple, TypeAlias

from .errors import ArgumentError, TextError
from .text import Passage, Span, Token, gaps, is_visible, merged, overlapping, trimmed
from .units import GIVEN, UNITS

GivenSpans: TypeAlias = Iterable[Sequence[int]]  # (start, end), or (start, end, 1) for the second text of a pair


LISTED = 3  # spans that a remark names


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
    owners, idle, shared = dict[Group, Place](), list[Place](), list[Place]()
    by_segment = [[group for group in groups if group.segment == segment] for segment in (0, 1)]
    ends = [[group.span.end for group in part] for part in by_segment]
    for place in wanted.given or ():
        part, at = by_segment[place.segment], bisect_right(ends[place.segment], place.span.start)
        if at == len(part) or not part[at].span.overlaps(place.span):
            idle.append(place)
        elif owners.setdefault(part[at], place) is not place:
            shared.append(place)
    notes = []
    if shared:
        notes.append(f"the spans {_listed(shared)} share a token with the span before and move with it")
    if idle:
        notes.append(
            f"the spans {_listed(idle)} hold nothing that the model reads and that can move: they have no score"
        )
    return notes


def _listed(places: Sequence[Place]) -> str:
    more = f" and {len(places) - LISTED:,} more" if len(places) > LISTED else ""
    return ", ".join(map(str, places[:LISTED])) + more


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
            f"the {kind} {given!r} is not (start, end), nor (start, end, 1) for the second text of a pair",
            hint="several spans are a list: [(3, 9), (12, 20)]",
        ) from error
    if not 0 <= segment < len(texts):
        there = "there is no second text" if segment == 1 else "a text is 0, or 1 for the second of a pair"
        raise ArgumentError(f"the {kind} {given!r} is for text {segment}: {there}")
    if start >= end:
        raise ArgumentError(f"the {kind} {given!r} is empty: its end must be behind its start")
    if not (start >= 0 and end <= len(texts[segment])):
        raise ArgumentError(f"the {kind} {given!r} is not inside its text of {len(texts[segment])} characters")
    return Place(Span(start, end), segment)


def _check_apart(places: Iterable[Place]) -> None:
    before: Place | None = None
    for place in sorted(places, key=lambda place: (place.segment, place.span)):
        if before is not None and before.segment == place.segment and place.span.overlaps(before.span):
            raise ArgumentError(
                f"the spans {before} and {place} overlap: a character can be in one only, and not in a fixed one too"
            )
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


def held(passages: Sequence[Passage], tokens: Sequence[Token], wanted: Choice) -> tuple[Place, ...]:
    """The fixed spans as they stand: widened to the tokens that they cut."""
    return tuple(
        Place(span, segment)
        for segment, passage in enumerate(passages)
        for span in _held(_moving(passage.text, tokens, segment), segment, wanted)
    )


def _held(moving: Mapping[int, Span], segment: int, wanted: Choice) -> list[Span]:
    fixed = [place.span for place in wanted.fixed if place.segment == segment]
    return merged([*fixed, *overlapping(moving.values(), fixed)])


def _in_passage(passage: Passage, moving: Mapping[int, Span], segment: int, wanted: Choice) -> Iterable[Group]:
    """The units of one text; fixed spans, widened to their tokens, divide it into parts that are grouped apart."""
    parts = gaps(passage.read, _held(moving, segment, wanted))
    for part, free in zip(parts, _by_part(moving, parts), strict=True):
        if not free:
            continue
        tokens = merged(free.values())
        if wanted.given is None:
            seen = _visible(passage.text, UNITS[wanted.unit](passage.text, part, tokens))
        else:
            seen, tokens = _given(wanted.given, segment, part, tokens)
        yield from _with_tokens(merged([*seen, *tokens]), free, segment)


def _by_part(moving: Mapping[int, Span], parts: Sequence[Span]) -> list[dict[int, Span]]:
    """The tokens that can move in each part; none reaches into two."""
    ends, found = [part.end for part in parts], [dict[int, Span]() for _ in parts]
    for position, span in moving.items():
        at = bisect_right(ends, span.start)
        if at < len(parts) and span.overlaps(parts[at]):
            found[at][position] = span
    return found


def _given(given: Iterable[Place], segment: int, part: Span, tokens: list[Span]) -> tuple[list[Span], list[Span]]:
    """The given spans within a part that overlap a token, and those tokens; all else there is context."""
    within = [place.span for place in given if place.segment == segment and place.span.overlaps(part)]
    inside = [Span(max(span.start, part.start), min(span.end, part.end)) for span in within]
    return overlapping(inside, tokens), overlapping(tokens, inside)


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
