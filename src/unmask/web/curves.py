"""How faithful a method is on one text: the target's value as the method's top units are masked one by one."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from ..attribution.attribute import AttributionConfig, PreparedText, attribute, attribution_job
from ..engine import Job
from ..metrics.faithfulness import rank_units, ranking_scores
from ..questions import Perturbation, Question, Scores, ask_outputs

POINTS = 32  # most points of a curve, not counting the unaltered text


@dataclass(frozen=True, slots=True)
class CurvedScores:
    """Scores, and the target's value with the top 0, ..., N units masked, ranked by the scores."""

    scores: Scores
    counts: tuple[int, ...]
    values: tuple[float, ...]

    def record(self) -> dict[str, Any]:
        """The curve as JSON values; `area` is the mean drop, and a larger area means more faithful."""
        drops = [self.values[0] - value for value in self.values[1:]]
        return {"counts": list(self.counts), "values": list(self.values), "area": float(np.mean(drops))}


def curve_counts(units: int) -> tuple[int, ...]:
    """The numbers of masked units to evaluate: all of them or, in a long text, evenly spaced ones.

    >>> curve_counts(3), len(curve_counts(500)), curve_counts(500)[-1]
    ((0, 1, 2, 3), 33, 500)
    """
    return (
        tuple(sorted({round(units * at / POINTS) for at in range(POINTS + 1)}))
        if units > POINTS
        else tuple(range(units + 1))
    )


def curve_job(prepared: PreparedText, config: AttributionConfig) -> Job[CurvedScores]:
    """The job that scores a text and then masks its units in order of rank."""
    scoring = attribution_job(prepared, config)
    scoring.questions.close()
    return Job(scoring.text, _ask(prepared, config), scoring.rows + len(curve_counts(len(prepared.groups))) - 1)


def _ask(prepared: PreparedText, config: AttributionConfig) -> Generator[Question, Tensor, CurvedScores]:
    scores = yield from attribute(prepared, config)
    order = rank_units(ranking_scores(scores.values.tolist(), scores.ranking))
    counts = curve_counts(len(order))
    outputs = yield from ask_outputs(_without(prepared, order[:count]) for count in counts)
    assert scores.target is not None
    return CurvedScores(scores, counts, tuple(scores.target(outputs).tolist()))


def _without(prepared: PreparedText, units: Sequence[int]) -> Perturbation:
    return Perturbation(tuple(sorted(token for unit in units for token in prepared.units[unit])))
