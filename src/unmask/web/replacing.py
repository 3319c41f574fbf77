"""Replaces the text of some units, and finds where the units are in the new text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..attribution.attribute import PreparedText
from ..errors import ArgumentError
from ..text.request import Request
from ..text.spans import Span
from ..text.units import AlignedUnit


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new request, with its units given as spans, and the new span of each original unit (None if removed)."""

    request: Request
    spans: tuple[Span | None, ...]

    def place(self, span: Span, segment: int, original: Sequence[AlignedUnit]) -> Span:
        """Where these characters of the original text are now; of a unit that has another length, all characters."""
        start, end, before, inside = span.start, span.end, 0, 0
        for unit, now in zip(original, self.spans, strict=True):
            if unit.segment != segment or unit.span.start >= span.end:
                continue
            growth = (now.end - now.start if now else 0) - (unit.span.end - unit.span.start)
            if unit.span.end <= span.start:
                before += growth
            elif growth:
                start, end, inside = min(start, unit.span.start), max(end, unit.span.end), inside + growth
        return Span(start + before, end + before + inside)

    def origins(self, groups: Sequence[AlignedUnit], original: Sequence[AlignedUnit]) -> list[list[int]]:
        """The original units in each new unit; words that now share a token form one unit."""
        places = [(unit.segment, span) for unit, span in zip(original, self.spans, strict=True)]
        return [
            [at for at, (segment, span) in enumerate(places) if span and segment == one.segment and overlap(span, one)]
            for one in groups
        ]


def overlap(span: Span, unit: AlignedUnit) -> bool:
    """Whether a unit contains a character of the span."""
    return span.overlaps(unit.span)


def replace_units(request: Request, prepared: PreparedText, replaced: Mapping[int, str]) -> Replaced:
    """Replace the texts of some units in a request; as before, nothing but the units can be masked."""
    count = len(prepared.groups)
    if any(not 0 <= unit < count for unit in replaced):
        raise ArgumentError(f"replaced: units are numbered 0 to {count - 1}")
    if any(group.segment >= len(request.segments) for group in prepared.groups):
        raise ArgumentError("replaced applies to units of the prompt; use attribute_to='prompt'")
    texts, spans = list[str](), list[Span | None]([None] * count)
    for at, segment in enumerate(request.segments):
        parts, read, length = list[str](), 0, 0
        for unit, group in enumerate(prepared.groups):
            if group.segment != at:
                continue
            before, own = segment.text[read : group.span.start], segment.text[slice(*group.span)]
            written = replaced.get(unit, own)
            start = length + len(before)
            spans[unit] = Span(start, start + len(written)) if written else None
            parts += [before, written]
            read, length = group.span.end, start + len(written)
        texts.append("".join([*parts, segment.text[read:]]))
    segments = [replace(one, text=text, fixed=False) for one, text in zip(request.segments, texts, strict=True)]
    given = [(*span, group.segment) for span, group in zip(spans, prepared.groups, strict=True) if span]
    return Replaced(replace(request, segments=tuple(segments), spans=tuple(given), fixed=()), tuple(spans))
