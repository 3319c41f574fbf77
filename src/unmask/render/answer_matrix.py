"""The scores of an answer as a matrix, [units, outputs], and their sums for a target; NaN where there is no score."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..results.answers import head_of, missing_cells
from ..results.explanation import Explanation
from ..tasks.targets import Contrast

Matrix = NDArray[np.float64]  # [units, outputs]


def target_weights(explanation: Explanation) -> tuple[float, ...]:
    """The weight of each output in the target."""
    if isinstance(explanation.target, Contrast):
        labels = (str(explanation.target.label), str(explanation.target.against))
        return tuple(float((one == labels[0]) - (one == labels[1])) for one in explanation.outputs)
    if explanation.target_outputs is None:  # one of two continuations
        return tuple(float(one == explanation.target) for one in explanation.outputs)
    return tuple(float(at in explanation.target_outputs) for at in range(len(explanation.outputs)))


def losses_of(explanation: Explanation) -> Matrix | None:
    """How much log-probability each output loses without each unit; None if unknown."""
    if explanation.without is None or explanation.activation == "sequence_mean":
        return None
    head = head_of(explanation)
    whole, without = (np.array(raw) for raw in (explanation.whole, explanation.without))
    lost = head.on_scale(whole, "log_probability") - head.on_scale(without, "log_probability")
    missing = missing_cells(explanation.units, explanation.segments, explanation.output_tokens)
    return lost if missing is None else np.where(missing, np.nan, lost)


def block_effects(explanation: Explanation, scale: str) -> Matrix | None:
    """How much each output drops on a scale without each segment in turn; NaN for a segment that is never masked."""
    if explanation.without_segments is None:
        return None
    head, unknown = head_of(explanation), np.full(len(explanation.outputs), np.nan)
    whole = head.on_scale(np.array(explanation.whole), scale)
    rows = explanation.without_segments
    return np.array([unknown if raw is None else whole - head.on_scale(np.array(raw), scale) for raw in rows])


def lost_without_context(explanation: Explanation) -> tuple[float, ...] | None:
    """How much log-probability each output loses without all documents; None if there are no documents."""
    if explanation.without_context is None or explanation.activation == "sequence_mean":
        return None
    head = head_of(explanation)
    whole, without = (np.array(raw) for raw in (explanation.whole, explanation.without_context.outputs))
    return tuple((head.on_scale(whole, "log_probability") - head.on_scale(without, "log_probability")).tolist())


def stacked(matrices: Sequence[Matrix | None]) -> Matrix | None:
    """All matrices stacked; None if one of them is missing."""
    known = [matrix for matrix in matrices if matrix is not None]
    return np.vstack(known) if len(known) == len(matrices) else None


def scores_toward(matrix: Matrix, weights: Sequence[float]) -> list[float]:
    """The weighted sum of each unit's scores, ignoring NaN; NaN if the unit has no score."""
    chosen = np.array(weights) != 0
    cells = np.where(np.isnan(matrix), 0.0, matrix) @ np.array(weights)
    rows = zip(cells.tolist(), np.isnan(matrix[:, chosen]), strict=True)
    return [math.nan if gone.all() else one for one, gone in rows]
