"""An example as a model reads it: its units, its gold label among the outputs, the words that people agree on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..attribution.attribute import AttributionConfig, PreparedText
from ..attribution.session import ModelSession
from ..errors import ArgumentError
from ..metrics.plausibility import agreed_spans, marked_units
from ..tasks.targets import Head
from ..text.spans import Span
from .examples import Example


@dataclass(frozen=True, slots=True)
class AlignedExample:
    """One text that can be evaluated."""

    example: Example
    prepared: PreparedText
    gold: int | None  # the output of its gold label
    is_label_known: bool  # whether the model has an output of that label

    @property
    def is_cut(self) -> bool:
        """Whether the model does not read all of it."""
        return any(segment.is_cut for segment in self.prepared.encoded.segments)


def align_example(session: ModelSession, example: Example, config: AttributionConfig) -> AlignedExample:
    """The example as the model reads it.

    Raises:
        UnmaskError: Where it cannot be read.
    """
    gold = _index(session.head, example.label)
    prepared = session.prepare(example.request, config)
    return AlignedExample(example, prepared, gold, example.label is None or gold is not None)


def rationale_marks(session: ModelSession, text: AlignedExample) -> tuple[bool, ...] | None:
    """Which units hold a word that people agree on; None where nothing is marked, or the gold label is unknown.

    Of a pair people mark the first text.
    """
    if not text.is_label_known:
        return None
    annotations = [replace(one, label=_name(session.head, one.label)) for one in text.example.annotations]
    gold = None if text.gold is None else session.head.labels[text.gold]
    words = agreed_spans(text.example.request.text, annotations, gold=gold)
    spans = [None if group.segment else group.span for group in text.prepared.groups]
    return marked_units(spans, words) if words else None


def scores_on_units(text: AlignedExample) -> tuple[list[float], int]:
    """Scores from elsewhere on the units that their spans became, where they add up; and how many are on no unit."""
    scores, lost = [0.0] * len(text.prepared.groups), 0
    for span, score in zip(text.example.request.spans or (), text.example.scores or (), strict=True):
        at = _unit(span, text.prepared)
        if at is None:
            lost += 1
        else:
            scores[at] += score
    return scores, lost


def _index(head: Head, label: str | float | None) -> int | None:
    """The output of that label, its letters large or small, or of that index; None where there is none."""
    if label is None:
        return None
    alike = [at for at, name in enumerate(head.labels) if name.casefold() == str(label).casefold()]
    if len(alike) == 1:
        return alike[0]
    try:
        return head.index(_whole(label))
    except ArgumentError:
        return None


def _whole(label: str | float) -> str | int:
    """The label, or the index that was written with a point: pandas writes 1 as 1.0 where a column has gaps."""
    if isinstance(label, float):
        return int(label) if label.is_integer() else str(label)
    return label.removesuffix(".0") if isinstance(label, str) and re.fullmatch(r"\d+\.0", label) else label


def _name(head: Head, label: str | None) -> str | None:
    index = _index(head, label)
    return label if index is None else head.labels[index]


def _unit(span: Sequence[int], prepared: PreparedText) -> int | None:
    place, segment = Span(span[0], span[1]), span[2] if len(span) > 2 else 0
    for at, group in enumerate(prepared.groups):
        if group.segment == segment and group.span.overlaps(place):
            return at
    return None
