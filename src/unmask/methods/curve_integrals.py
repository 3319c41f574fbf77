"""Integrals of a gradient along any curve from the baseline to a unit, monotone or not (Enguehard 2023, appendix C).

The sum is Riemann's and Stieltjes': Σ_k gradient(path(middle of step k)) * (path at its end - path at its begin). It
needs no derivative of the path, and converges for every smooth one.
"""

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..errors import ArgumentError
from ..questions import Instance, Perturbation, Point, Question, ask_embeddings, ask_gradients
from .path_integrals import Integrals, differences, judged

if TYPE_CHECKING:
    from torch import Tensor

Path: TypeAlias = "Callable[[Tensor, Tensor, float], Tensor]"  # (baseline, word, t) -> point, all [tokens, width]
ENDS = 1e-6  # how far a path may miss its ends, relative to the vectors' size
STEPS = (8, 16, 32, 64, 128)  # tried in turn where none are given


def curve_integrals(
    instance: Instance, path: Path, *, steps: int | None, tolerance: float
) -> "Generator[Question, Tensor, Integrals]":
    """Every unit's path by so many steps; where none are given, by more and more until what its ends say is met."""
    written, baseline = yield from ask_embeddings()
    exact = yield from differences(instance, instance.units)
    found = Integrals(written.new_zeros(written.shape), -exact, tuple(range(len(instance.units))))
    for count in STEPS if steps is None else (steps,):
        if not found.above:
            break
        units = [instance.units[one] for one in found.above]
        features, moving = found.features, [token for unit in units for token in unit]
        new = yield from _summed(
            instance, units, [_points(path, baseline[list(u)], written[list(u)], count) for u in units]
        )
        features[moving] = new[moving]
        found = judged(instance, features, instance.units, exact, tolerance=tolerance)
    return found


def _summed(
    instance: Instance, units: Sequence[tuple[int, ...]], paths: "Sequence[Sequence[Tensor]]"
) -> "Generator[Question, Tensor, Tensor]":
    """The sums along the units' paths, [tokens, width]."""
    perturbations: list[Perturbation] = []
    steps: list[Tensor] = []
    for unit, points in zip(units, paths, strict=True):
        perturbations += [Perturbation(unit, to=Point(middle)) for middle in points[1::2]]
        steps += [after - before for before, after in zip(points[:-2:2], points[2::2], strict=True)]
    weights = np.ones((1, len(perturbations)))
    return (yield from ask_gradients(instance.target, perturbations, weights, steps=steps))[0]


def _points(path: Path, baseline: "Tensor", word: "Tensor", steps: int) -> "Sequence[Tensor]":
    """The path at the ends and in the middle of each step, 2 * steps + 1 points."""
    points = [path(baseline.clone(), word.clone(), at / (2 * steps)) for at in range(2 * steps + 1)]
    if not all(hasattr(point, "new_zeros") for point in points):
        raise ArgumentError(f"the path gives {type(points[0]).__name__}; a tensor [tokens, width] was expected")
    points = [point.to(word) for point in points]
    for at, point, end in ((0, points[0], baseline), (1, points[-1], word)):
        if point.shape != end.shape:
            raise ArgumentError(f"the path gives {tuple(point.shape)} for vectors of {tuple(end.shape)}")
        if (point - end).abs().max() > ENDS * max(1.0, float(end.abs().max())):
            raise ArgumentError(f"a path leads from the baseline (at 0) to the word (at 1); this one misses it at {at}")
    return points
