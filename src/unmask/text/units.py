"""Aligns units with tokens: finds the characters and the token positions of every unit."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..errors import ArgumentError, TextError
from .segmentation import GIVEN, UNITS
from .spans import EncodedSegment, Span, Token, gaps, is_visible, merge_overlapping, overlapping, trim

if TYPE_CHECKING:
    from .request import Request

GivenSpans: TypeAlias = Iterable[Sequence[int]]  # (start, end), or (start, end, segment)
LISTED = 3  # how many spans a warning names at most


class SegmentSpan(NamedTuple):
    """A span, and the text that it belongs to."""

    span: Span
    segment: int
    name: str = ""  # the segment's name, if needed to identify the text

    def __str__(self) -> str:
        return f"{self.span.start} to {self.span.end}" + (f" of the {self.name}" if self.name else "")


@dataclass(frozen=True, slots=True)
class AlignedUnit:
    """Characters that are masked as one piece, and their token positions."""

    span: Span
    tokens: tuple[int, ...]
    segment: int = 0


@dataclass(frozen=True, slots=True)
class UnitSelection:
    """How to divide a text: by a rule or into given spans. Fixed spans are never masked."""

    unit: str
    given: tuple[SegmentSpan, ...] | None = None
    fixed: tuple[SegmentSpan, ...] = ()


def select_units(request: "Request", *, unit: str) -> UnitSelection:
    """The units of a request; raises an error for invalid or overlapping spans."""
    given = None if request.spans is None else _places("span", request.spans, request)
    whole = [(0, len(one.text), at) for at, one in enumerate(request.segments) if one.fixed and one.text]
    fixed = _places("fixed span", [*request.fixed, *whole], request)
    ordered = sorted([*(given or ()), *fixed], key=lambda place: (place.segment, place.span))
    for before, place in pairwise(ordered):
        if before.segment == place.segment and place.span.overlaps(before.span):
            raise ArgumentError(f"the spans {before} and {place} overlap; a character can be in only one span")
    return UnitSelection(unit if given is None else GIVEN, given, fixed)


def align_units(
    segments: Sequence[EncodedSegment], tokens: Sequence[Token], selection: UnitSelection
) -> tuple[AlignedUnit, ...]:
    """The units of all texts, in order.

    Every visible character that the model reads is in exactly one unit, unless it is fixed or outside the given spans.
    A unit has every content token with a visible character in the unit, and every invisible token inside the unit's
    span. Units that would share a token are merged. Invisible tokens between units are never masked.
    """
    units = list[AlignedUnit]()
    for at, segment in enumerate(segments):
        visible = _moving(segment.text, tokens, at)
        found = list(_in_segment(segment, visible, at, selection))
        invisible = {token: span for token, span in _content(tokens, at).items() if token not in visible}
        units += _with_invisible(found, invisible)
    if not units:
        raise TextError(f"the text has no unit to explain: {_why_none(segments, selection)}")
    return tuple(units)


def span_warnings(groups: Sequence[AlignedUnit], selection: UnitSelection) -> list[str]:
    """Warnings about given spans that did not become units."""
    owners, idle, shared = dict[AlignedUnit, SegmentSpan](), list[SegmentSpan](), list[SegmentSpan]()
    places = selection.given or ()
    count = 1 + max([*(group.segment for group in groups), *(place.segment for place in places)], default=0)
    by_segment = [[group for group in groups if group.segment == segment] for segment in range(count)]
    ends = [[group.span.end for group in part] for part in by_segment]
    for place in places:
        part, at = by_segment[place.segment], bisect_right(ends[place.segment], place.span.start)
        if at == len(part) or not part[at].span.overlaps(place.span):
            idle.append(place)
        elif owners.setdefault(part[at], place) is not place:
            shared.append(place)
    notes = []
    if shared:
        notes.append(f"the spans {_listed(shared)} share a token with the preceding span and are masked with it")
    if idle:
        notes.append(
            f"the spans {_listed(idle)} have no score: the model reads none of their text, or only text that cannot be "
            "masked"
        )
    return notes


def _listed(places: Sequence[SegmentSpan]) -> str:
    more = f" and {len(places) - LISTED:,} more" if len(places) > LISTED else ""
    return ", ".join(map(str, places[:LISTED])) + more


def _why_none(segments: Sequence[EncodedSegment], selection: UnitSelection) -> str:
    if not any(segment.text for segment in segments):
        return "it is empty"
    if not any(map(is_visible, "".join(segment.text for segment in segments))):
        return "it is blank"
    if selection.given is not None:
        return "the model reads no visible character of the given spans"
    return "the model reads no visible character of it" + (" that is not fixed" if selection.fixed else "")


def _places(kind: str, spans: GivenSpans, request: "Request") -> tuple[SegmentSpan, ...]:
    return tuple(sorted(_place(kind, span, request) for span in spans))


def _place(kind: str, given: Sequence[int], request: "Request") -> SegmentSpan:
    texts = request.texts
    try:
        start, end, segment = map(index, (*given, 0) if len(given) == 2 else given)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"the {kind} {given!r} must be (start, end), or (start, end, 1) for the second text of a pair",
            hint="give several spans as a list: [(3, 9), (12, 20)]",
        ) from error
    if not 0 <= segment < len(texts):
        known = "there is no second text" if segment == 1 else "texts are 0 and, in a pair, 1"
        if len(texts) > 2:
            known = f"texts are counted from 0 ({', '.join(request.names)})"
        raise ArgumentError(f"the {kind} {given!r} refers to text {segment}: {known}")
    if start >= end:
        raise ArgumentError(f"the {kind} {given!r} is empty: the end must be after the start")
    if not (start >= 0 and end <= len(texts[segment])):
        raise ArgumentError(f"the {kind} {given!r} is not inside its text of {len(texts[segment])} characters")
    is_plain_first = segment == 0 and request.names[0] in ("text", "first text")
    return SegmentSpan(Span(start, end), segment, "" if is_plain_first else request.names[segment])


def _content(tokens: Sequence[Token], segment: int) -> dict[int, Span]:
    """The spans of a segment's own tokens, by position."""
    return {at: token.span for at, token in enumerate(tokens) if token.segment == segment and not token.special}


def _moving(text: str, tokens: Sequence[Token], segment: int) -> dict[int, Span]:
    """The tokens with a visible character, by position, each with the visible part of its span."""
    spans = {position: trim(text, span) for position, span in _content(tokens, segment).items()}
    return {position: span for position, span in spans.items() if span.start < span.end}


def fixed_spans(
    segments: Sequence[EncodedSegment], tokens: Sequence[Token], selection: UnitSelection
) -> tuple[SegmentSpan, ...]:
    """The fixed spans, widened to include tokens that they cut through."""
    return tuple(
        SegmentSpan(span, at)
        for at, segment in enumerate(segments)
        for span in _widened(_moving(segment.text, tokens, at), at, selection)
    )


def _widened(moving: Mapping[int, Span], segment: int, selection: UnitSelection) -> list[Span]:
    fixed = [place.span for place in selection.fixed if place.segment == segment]
    return merge_overlapping([*fixed, *overlapping(moving.values(), fixed)])


def _in_segment(
    segment: EncodedSegment, moving: Mapping[int, Span], at: int, selection: UnitSelection
) -> Iterable[AlignedUnit]:
    """The units of one text. Fixed spans, widened to whole tokens, divide it into parts that are grouped separately."""
    parts = gaps(segment.read, _widened(moving, at, selection))
    given = dict(enumerate(place.span for place in selection.given or () if place.segment == at))
    for part, free, within in zip(parts, _by_part(moving, parts), _by_part(given, parts), strict=True):
        if not free:
            continue
        tokens = merge_overlapping(free.values())
        if selection.given is None:
            trimmed = [trim(segment.text, span) for span in UNITS[selection.unit](segment.text, part, tokens)]
            seen = [span for span in trimmed if span.start < span.end]
        else:  # given spans that overlap a token; all other text is never masked
            inside = [Span(max(span.start, part.start), min(span.end, part.end)) for span in within.values()]
            seen, tokens = overlapping(inside, tokens), overlapping(tokens, inside)
        yield from _with_tokens(merge_overlapping([*seen, *tokens]), free, at)


def _by_part(moving: Mapping[int, Span], parts: Sequence[Span]) -> list[dict[int, Span]]:
    """The spans in each part, by position. The parts are in order and disjoint, and no span overlaps two parts.

    Tokens never overlap two parts. Given spans overlap no fixed span, but may lose edges that share its tokens.
    """
    ends, tokens = [part.end for part in parts], [dict[int, Span]() for _ in parts]
    for position, span in moving.items():
        at = bisect_right(ends, span.start)
        if at < len(parts) and span.overlaps(parts[at]):
            tokens[at][position] = span
    return tokens


def _with_tokens(spans: list[Span], moving: Mapping[int, Span], segment: int) -> list[AlignedUnit]:
    """Each span with its tokens; a span without tokens joins the span before it, or the next one if it is the first."""
    groups: list[AlignedUnit] = []
    waiting: int | None = None
    for span, positions in zip(spans, _by_part(moving, spans), strict=True):
        if positions:
            groups.append(
                AlignedUnit(Span(span.start if waiting is None else waiting, span.end), tuple(positions), segment)
            )
            waiting = None
        elif groups:
            groups[-1] = AlignedUnit(Span(groups[-1].span.start, span.end), groups[-1].tokens, segment)
        elif waiting is None:
            waiting = span.start
    return groups


def _with_invisible(units: Sequence[AlignedUnit], invisible: Mapping[int, Span]) -> Iterable[AlignedUnit]:
    """The units of one text, each with the invisible tokens inside its span, such as an emoji's joiners."""
    starts, inside = [unit.span.start for unit in units], [list(unit.tokens) for unit in units]
    for position, span in invisible.items():
        at = bisect_right(starts, span.start) - 1
        unit = units[at].span if at >= 0 else Span(0, 0)
        if span.end <= unit.end and (
            span.start < span.end or unit.start < span.start < unit.end
        ):  # an empty span must be inside the unit, not at its edge
            inside[at].append(position)
    return (replace(unit, tokens=tuple(sorted(tokens))) for unit, tokens in zip(units, inside, strict=True))
