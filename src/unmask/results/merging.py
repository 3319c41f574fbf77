"""Several evaluations as one: of other examples, asked the same of the same model."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..errors import ArgumentError
from .evaluation import ASKED, Evaluation
from .metadata import Passes
from .rows import EvaluationRow

ALIKE = (*ASKED, "seed", "max_length", "plausibility", "rationale_length")  # what parts have in common


def merge_evaluations(parts: Sequence[Evaluation]) -> Evaluation:
    """The examples of all parts, one part after the other."""
    if not parts:
        raise ArgumentError("there is nothing to merge: give at least one evaluation")
    first = parts[0]
    for part in parts[1:]:
        _check_alike(first, part)
    starts = np.cumsum([0, *(part.examples for part in parts)]).tolist()
    truncated = [part.truncated for part in parts if part.truncated is not None]
    return replace(
        first,
        examples=starts[-1],
        truncated=sum(truncated) if len(truncated) == len(parts) else None,
        rows=tuple(_merged_rows(parts)),
        failures=tuple(
            replace(one, example=one.example + start)
            for start, part in zip(starts[:-1], parts, strict=True)
            for one in part.failures
        ),
        warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
    )


def _merged_rows(parts: Sequence[Evaluation]) -> Iterator[EvaluationRow]:
    """The rows of all parts; what a part has not computed is not a number."""
    for name, first in {row.name: row for part in parts for row in part.rows}.items():
        found = [next((row for row in part.rows if row.name == name), None) for part in parts]
        there = [row for row in found if row is not None]
        values = {}
        for measure, shape in {one: known.shape[1:] for row in there for one, known in row.values.items()}.items():
            columns = (row and row.values.get(measure) for row in found)
            gaps = (np.full((part.examples, *shape), np.nan) for part in parts)
            values[measure] = np.concatenate(
                [gap if one is None else one for one, gap in zip(columns, gaps, strict=True)]
            )
        yield replace(
            first,
            values=values,
            passes=Passes(sum(row.passes.forward for row in there), sum(row.passes.backward for row in there)),
            seconds=sum(row.seconds for row in there),
            texts=sum(row.texts for row in there),
        )


def _check_alike(one: Evaluation, other: Evaluation) -> None:
    for name in ALIKE:
        if getattr(one, name) != getattr(other, name):
            raise ArgumentError(f"these cannot be merged: {name} is {getattr(one, name)} and {getattr(other, name)}")
    mine, others = ([(row.name, row.baseline) for row in part.rows if row.kind == "method"] for part in (one, other))
    if mine != others:
        raise ArgumentError("these cannot be merged: they have different methods")
