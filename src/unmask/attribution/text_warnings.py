"""Warnings about one explained text: from the method, model, baseline and spans, and about unread parts."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..models.adapter import Encoded
from ..models.huggingface.sequences import PART
from ..models.huggingface.text2text import SOURCE
from ..questions import Scores
from ..results.metadata import Unit
from ..text.spans import EncodedSegment, Span, shorten
from ..text.units import span_warnings
from .windows import window_warning

if TYPE_CHECKING:
    from .attribute import AttributionConfig, PreparedText

NAMED = 5  # a warning names at most this many units
UNKNOWN_SHARE = 0.2  # warn if more units are unknown, or if an unknown unit has this share of the largest score


def text_warnings(scores: Scores, prepared: "PreparedText", config: "AttributionConfig") -> Iterator[str]:
    """Warnings from the method, model, baseline and spans, and about unknown words and truncation."""
    yield from scores.warnings
    yield from prepared.warnings
    if scores.above:
        named = _first_of([_doubt(unit, scores, prepared) for unit in scores.above])
        yield f"scores outside the tolerance: {named}; use more steps, a larger tolerance or a wider dtype"
    yield from config.warnings
    yield from _unknown_units(scores, prepared)
    if prepared.gold is not None and prepared.head.activation != "none" and prepared.gold not in prepared.head.labels:
        yield f"the gold label {prepared.gold!r} matches none of the model's labels: {prepared.head}"
    yield from span_warnings(prepared.groups, prepared.selection)
    if (note := window_warning(prepared)) is not None:
        yield note
    yield from _truncation(prepared.encoded)


def _truncation(encoded: Encoded) -> Iterator[str]:
    """Warn if the end or the start of a text was not read; an answer is never truncated."""
    answer, read = encoded.answer, len(encoded.ids)
    segments = encoded.segments if answer is None else encoded.segments[:-1]
    kind = {1: "text", 2: "pair"}.get(len(segments), "request")
    advice = '; use long="windows" (--long windows) to explain all of it' if len(segments) == 1 else ""
    if answer is not None:  # only a source is truncated; without windows, it is read as a whole
        kind, read, advice = "source", encoded.inputs.get(PART, ()).count(SOURCE), ""
    if lost := [_lost(segment, is_alone=len(segments) == 1) for segment in segments if segment.is_cut]:
        unread = " and ".join(lost)
        yield f"the {kind} was truncated to {read} tokens: {unread} were not read and are not explained{advice}"


def _unknown_units(scores: Scores, prepared: "PreparedText") -> Iterator[str]:
    """Warn if many units, or a unit with a large score, are unknown to the tokenizer."""
    units = [at for at, group in enumerate(prepared.groups) if prepared.is_unknown(group)]
    sizes = scores.values.abs()
    is_important = any(sizes[at] > 0 and sizes[at] >= UNKNOWN_SHARE * sizes.max() for at in units)
    if is_important or len(units) > UNKNOWN_SHARE * len(prepared.groups):
        yield (
            f"unknown to the tokenizer: {_first_of([_name(at, prepared) for at in units])} "
            f"({len(units)} of {len(prepared.groups)} units); the model cannot tell such words apart"
        )


def _first_of(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _name(unit: int, prepared: "PreparedText") -> str:
    group = prepared.groups[unit]
    return repr(shorten(unit_at(group.span, group.segment, prepared.encoded).text))


def _doubt(unit: int, scores: Scores, prepared: "PreparedText") -> str:
    name = _name(unit, prepared)
    return name if scores.residuals is None else f"{name} (residual {float(scores.residuals[unit]):+.2g})"


def _lost(segment: EncodedSegment, *, is_alone: bool) -> str:
    what = f"{'first' if segment.read.start else 'last'} {segment.unread:,} characters"
    return f"its {what}" if is_alone else f"the {what} of the {segment.name}"


def unit_at(span: Span, segment: int, encoded: Encoded) -> Unit:
    """Return the unit at a span, in the form that results store."""
    return Unit(encoded.segments[segment].text[slice(*span)], *span, segment)
