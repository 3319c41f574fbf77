"""Integrals of the gradient along lines or curves, on which one group of tokens moves from the baseline to the text.

One group per unit gives Sequential Integrated Gradients; all tokens in one group give Integrated Gradients. The exact
integral equals the target's difference between the two ends, and the residual is the deviation from it.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from ..errors import ArgumentError
from ..questions import Instance, Perturbation, Point, Question, ask_embeddings, ask_gradients, ask_outputs, sum_by_unit
from .base import check_size
from .quadrature import Sum, refinements

if TYPE_CHECKING:
    from torch import Tensor

Keep = Literal["units", "tokens", "features"]
Group: TypeAlias = tuple[int, ...]  # token positions
Path: TypeAlias = "Callable[[Tensor, Tensor, float], Tensor]"  # (baseline, word, t) -> point, all [tokens, width]
REFINED_NODES = 12  # minimum number of nodes on a refined line; often sufficient
SPLIT = 10  # values inside a group may still change by this multiple of the tolerance
SINGLE = 2.0**-23
ENDS = 1e-6  # the largest distance of a path from its ends, relative to the vectors
CURVE_STEPS = (8, 16, 32, 64, 128)  # tried in turn unless steps are fixed
NOISE = 16  # largest rounding error of a difference, in units of the model's precision times the target's value


@dataclass(frozen=True, slots=True)
class Integrals:
    """The integrals along all lines."""

    features: "Tensor"  # [tokens, width]; [tokens, 1] if features are not kept
    residuals: "Tensor"  # [groups]: the sum of a group's features minus its exact integral
    above: tuple[int, ...]  # groups whose residual is above the tolerance


def fixed_integrals(
    instance: Instance, groups: Sequence[Group], rule: Sum, *, tolerance: float
) -> "Generator[Question, Tensor, Integrals]":
    """Integrate along all lines with one quadrature rule."""
    perturbations = [Perturbation(group, alpha) for group in groups for alpha in rule.nodes.tolist()]
    weights = np.tile(rule.weights, len(groups))[None]
    (features,) = yield from ask_gradients(instance.target, perturbations, weights)
    exact = yield from differences(instance, groups)
    return certified(instance, features, groups, exact, tolerance=tolerance)


def certified(
    instance: Instance, features: "Tensor", groups: Sequence[Group], exact: "Tensor", *, tolerance: float
) -> Integrals:
    """Compare features, [tokens, width], with the exact integrals, [groups]."""
    residuals = _totals(features, groups) - exact
    above = (residuals.abs() > _allowed(instance, exact, tolerance)).nonzero().flatten()
    return Integrals(features, residuals, tuple(above.tolist()))


def refined_integrals(
    instance: Instance, groups: Sequence[Group], *, tolerance: float, keep: Keep = "units"
) -> "Generator[Question, Tensor, Integrals]":
    """Add nodes to every line with nested rules until its total and the values to keep are within the tolerance."""
    pending = list(range(len(groups)))
    sums: Tensor  # [levels, tokens, width]: each node is weighted for all later levels at once
    features: Tensor  # [tokens, width]: each group's features at its last level
    exact: Tensor
    for level, step in enumerate(refinements()):
        gradients = yield from _level_gradients(instance, [groups[group] for group in pending], step)
        kept = gradients if keep == "features" else gradients.sum(-1, keepdim=True)
        if level == 0:
            exact = yield from differences(instance, groups)
            allowed = _allowed(instance, exact, tolerance)
            sums, features = kept.new_zeros(kept.shape), kept.new_zeros(kept.shape[1:])
        sums = sums + kept
        for group in pending:
            features[list(groups[group])] = sums[level, list(groups[group])]
        is_within = (_totals(sums[level], groups) - exact).abs() <= allowed
        changes = _changes(sums, groups, level=level, largest=allowed / tolerance, keep=keep)
        pending = [group for group in pending if not (is_within[group] and changes[group] <= SPLIT * tolerance)]
        if not pending:
            break
    return Integrals(features, _totals(features, groups) - exact, tuple(pending))


def curve_integrals(
    instance: Instance, path: Path, *, steps: int | None, tolerance: float
) -> "Generator[Question, Tensor, Integrals]":
    """Integrate along every unit's path in `steps` steps; with None, add steps until the tolerance is met.

    The path may be any smooth curve, monotone or not (Enguehard 2023, appendix C). The Riemann-Stieltjes sum needs no
    derivative of the path: Σ_k gradient(path(middle of step k)) * (path(end of step k) - path(start of step k)).
    """
    written, baseline = yield from ask_embeddings()
    check_size(f"paths of {steps or max(CURVE_STEPS):,} steps", (steps or max(CURVE_STEPS)) * 2 * written.numel())
    exact = yield from differences(instance, instance.units)
    integrals = Integrals(written.new_zeros(written.shape), -exact, tuple(range(len(instance.units))))
    for count in CURVE_STEPS if steps is None else (steps,):
        if not integrals.above:
            break
        units = [instance.units[unit] for unit in integrals.above]
        features, moving = integrals.features, [token for unit in units for token in unit]
        curves = [_curve_points(path, baseline[list(unit)], written[list(unit)], count) for unit in units]
        perturbations = [
            Perturbation(u, to=Point(at)) for u, curve in zip(units, curves, strict=True) for at in curve[1::2]
        ]
        steps_taken = [end - start for curve in curves for start, end in zip(curve[:-2:2], curve[2::2], strict=True)]
        weights = np.ones((1, len(perturbations)))
        (sums,) = yield from ask_gradients(instance.target, perturbations, weights, steps=steps_taken)
        features[moving] = sums[moving]
        integrals = certified(instance, features, instance.units, exact, tolerance=tolerance)
    return integrals


def differences(instance: Instance, groups: Iterable[Group]) -> "Generator[Question, Tensor, Tensor]":
    """The exact integral of each line: the target for the text minus the target with the group masked, for any path."""
    ends = yield from ask_outputs(Perturbation(group) for group in groups)
    return instance.target(instance.whole) - instance.target(ends)  # type: ignore[no-any-return]  # targets take arrays of any kind


def _level_gradients(instance: Instance, groups: Sequence[Group], step: Sum) -> "Generator[Question, Tensor, Tensor]":
    """The gradients at a level's new nodes. All lines end at the text, so the gradient there is computed only once."""
    inner = step.nodes < 1
    perturbations = [Perturbation(group, alpha) for group in groups for alpha in step.nodes[inner].tolist()]
    weights = np.tile(step.weights[:, inner], len(groups))
    if not inner.all():
        perturbations.append(Perturbation(instance.everything, 1.0))
        weights = np.concatenate([weights, step.weights[:, ~inner]], axis=1)
    return (yield from ask_gradients(instance.target, perturbations, weights))


def _changes(sums: "Tensor", groups: Sequence[Group], *, level: int, largest: float, keep: Keep) -> list[float]:
    """How much the kept values of each line have changed since the previous level.

    Changes of tokens are relative to the largest score, changes of features to the largest norm.
    """
    if keep == "units":
        return [0.0] * len(groups)
    if level == 0:
        return [np.inf] * len(groups)
    if keep == "features":
        largest = max(float(sums[level, list(group)].norm()) for group in groups)
    changed = sums[level] - sums[level - 1]
    return [float(changed[list(group)].norm()) / (largest or 1.0) for group in groups]


def _totals(features: "Tensor", groups: Sequence[Group]) -> "Tensor":
    return sum_by_unit(features.sum(-1), groups)


def _allowed(instance: Instance, exact: "Tensor", tolerance: float) -> float:
    """The largest residual allowed: relative to the largest difference of a group, and at least the rounding error."""
    precision = min(instance.precision, SINGLE)  # coarser precisions give a warning
    rounding = NOISE * precision * abs(float(instance.target(instance.whole)))
    return max(tolerance * float(exact.abs().max()), rounding)


def _curve_points(path: Path, baseline: "Tensor", word: "Tensor", steps: int) -> "Sequence[Tensor]":
    """The path's points at both ends and the middle of each step, 2 * steps + 1 in all."""
    points = [path(baseline.clone(), word.clone(), at / (2 * steps)) for at in range(2 * steps + 1)]
    if not all(hasattr(point, "new_zeros") for point in points):
        raise ArgumentError(f"the path returned {type(points[0]).__name__}; expected a tensor [tokens, width]")
    points = [point.to(word) for point in points]
    for at, point, end in ((0, points[0], baseline), (1, points[-1], word)):
        if point.shape != end.shape:
            raise ArgumentError(f"the path returned shape {tuple(point.shape)}; expected {tuple(end.shape)}")
        if (point - end).abs().max() > ENDS * max(1.0, float(end.abs().max())):
            raise ArgumentError(f"a path must lead from the baseline (t=0) to the word (t=1); it is off at t={at}")
    return points
