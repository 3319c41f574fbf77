"""An example as a model reads it: its units, its gold label among the outputs, the words that people agree on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..attribution.attribute import AttributionConfig, PreparedText
from ..attribution.session import ModelSession
from ..errors import ArgumentError, UnmaskError
from ..metrics.plausibility import agreed_spans
from ..tasks.targets import Head
from ..text.spans import Span
from .examples import Example


@dataclass(frozen=True, slots=True)
class AlignedExample:
    """One text that can be judged; equal ones are one."""

    prepared: PreparedText
    gold: int | None
    words: tuple[Span, ...]  # that people agree on
    given: tuple[float, ...] | None  # scores from elsewhere, on the units
    lost: int = 0  # of them, on no unit
    unknown_label: str | None = None
    given_by: str | None = None  # by what the method behind given scores takes units away

    def __hash__(self) -> int:
        return hash((self.prepared.encoded.ids, self.gold, self.words, self.given))

    @property
    def is_cut(self) -> bool:
        """Whether the model does not read all of it."""
        return any(segment.is_cut for segment in self.prepared.encoded.segments)


def align_example(session: ModelSession, example: Example | UnmaskError, config: AttributionConfig) -> AlignedExample:
    """The example as the model reads it.

    Raises:
        UnmaskError: Where it cannot be read.
    """
    if isinstance(example, UnmaskError):
        raise example
    prepared = session.prepare(example.request, config)
    gold = _index(session.head, example.label)
    is_unknown = example.label is not None and gold is None
    words: tuple[Span, ...] = ()
    if example.annotations and not is_unknown:
        people = [replace(one, label=_name(session.head, one.label)) for one in example.annotations]
        words = agreed_spans(example.request.text, people, gold=None if gold is None else session.head.labels[gold])
    given, lost = (None, 0) if example.scores is None else _on_units(example, prepared)
    return AlignedExample(
        prepared, gold, words, given, lost, str(example.label) if is_unknown else None, example.taken_by
    )


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
    found = _index(head, label)
    return label if found is None else head.labels[found]


def _on_units(example: Example, prepared: PreparedText) -> tuple[tuple[float, ...], int]:
    """Scores of spans as scores of the units that they became, where they add up; and how many are on no unit."""
    found, lost = [0.0] * len(prepared.groups), 0
    for span, score in zip(example.request.spans or (), example.scores or (), strict=True):
        at = _unit(span, prepared)
        if at is None:
            lost += 1
        else:
            found[at] += score
    return tuple(found), lost


def _unit(span: Sequence[int], prepared: PreparedText) -> int | None:
    place, segment = Span(span[0], span[1]), span[2] if len(span) > 2 else 0
    for at, group in enumerate(prepared.groups):
        if group.segment == segment and group.span.overlaps(place):
            return at
    return None
