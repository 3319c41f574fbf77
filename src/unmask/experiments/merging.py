"""Several evaluations as one: of other examples, asked the same of the same model."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..errors import ArgumentError
from ..metrics.registry import Measure
from ..questions import Numbers
from ..results.evaluation import ASKED, Evaluation
from ..results.metadata import Passes
from ..results.rows import EvaluationRow

ALIKE = (*ASKED, "seed", "max_length", "plausibility", "rationale_length")  # what parts have in common


def merge_evaluations(parts: Sequence[Evaluation]) -> Evaluation:
    """The examples of all parts, one part after the other."""
    if not parts:
        raise ArgumentError("there is nothing to merge: give at least one evaluation")
    first = parts[0]
    for part in parts[1:]:
        _check_alike(first, part)
    starts = np.cumsum([0, *(part.examples for part in parts)]).tolist()
    moved = [
        replace(one, example=one.example + start)
        for start, part in zip(starts[:-1], parts, strict=True)
        for one in part.failures
    ]
    return replace(
        first,
        examples=starts[-1],
        truncated=_total([part.truncated for part in parts]),
        rows=tuple(_joined(parts)),
        failures=tuple(moved),
        warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
    )


def _total(counts: Sequence[int | None]) -> int | None:
    """The sum; not known where one of them is not."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _joined(parts: Sequence[Evaluation]) -> Iterator[EvaluationRow]:
    """The rows of all parts; what a part has not computed is not a number."""
    rows = {row.name: row for part in parts for row in part.rows}
    for name, first in rows.items():
        found = [next((row for row in part.rows if row.name == name), None) for part in parts]
        measures = dict.fromkeys(measure for row in found if row is not None for measure in row.values)
        there = [row for row in found if row is not None]
        passes = Passes(sum(row.passes.forward for row in there), sum(row.passes.backward for row in there))
        values = {measure: _column(measure, found, parts) for measure in measures}
        seconds, texts = sum(row.seconds for row in there), sum(row.texts for row in there)
        yield replace(first, values=values, passes=passes, seconds=seconds, texts=texts)


def _column(measure: Measure, rows: Sequence[EvaluationRow | None], parts: Sequence[Evaluation]) -> Numbers:
    known = [None if row is None else row.values.get(measure) for row in rows]
    shape = next(values.shape[1:] for values in known if values is not None)
    missing = [np.full((part.examples, *shape), np.nan) for part in parts]
    return np.concatenate([gap if values is None else values for gap, values in zip(missing, known, strict=True)])


def _check_alike(one: Evaluation, other: Evaluation) -> None:
    for name in ALIKE:
        if getattr(one, name) != getattr(other, name):
            raise ArgumentError(f"these cannot be merged: {name} is {getattr(one, name)} and {getattr(other, name)}")
    mine, others = ([(row.name, row.baseline) for row in part.rows if row.kind == "method"] for part in (one, other))
    if mine != others:
        raise ArgumentError("these cannot be merged: they have different methods")
