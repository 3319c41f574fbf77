"""Integrals of a gradient along straight lines, each of which moves one group of tokens from the baseline to the text.

One group at a time with all others as written: Sequential Integrated Gradients. All tokens as one group: Integrated
Gradients. What a line adds up to is known exactly, from its two ends; the difference is the line's residual.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from ..questions import Instance, Perturbation, Question, ask_gradients, ask_outputs, sum_by_unit
from .quadrature import Refinement, Sum, refinements

if TYPE_CHECKING:
    from torch import Tensor

Keep = Literal["units", "tokens", "features"]
Group: TypeAlias = tuple[int, ...]  # token positions
REFINED_NODES = 12  # on a line that is refined until it is exact enough: at least, and often no more
SPLIT = 10  # what lies inside a group must settle to so many times the tolerance
SINGLE = 2.0**-23
NOISE = 16  # times the model's precision: what its rounding may leave of a difference, as a share of the target's size


@dataclass(frozen=True, slots=True)
class Integrals:
    """What lies along the lines."""

    features: "Tensor"  # [tokens, width]; [tokens, 1] where features were not kept
    residuals: "Tensor"  # [groups]: the sum of a group's features minus what its two ends say
    above: tuple[int, ...]  # groups that are not within the tolerance


def fixed(
    instance: Instance, groups: Sequence[Group], rule: Sum, *, tolerance: float
) -> "Generator[Question, Tensor, Integrals]":
    """All lines by one rule."""
    perturbations = [Perturbation(group, alpha) for group in groups for alpha in rule.nodes.tolist()]
    weights = np.tile(rule.weights, len(groups))[None]
    (features,) = yield from ask_gradients(instance.target, perturbations, weights)
    exact = yield from differences(instance, groups)
    return judged(instance, features, groups, exact, tolerance=tolerance)


def judged(
    instance: Instance, features: "Tensor", groups: Sequence[Group], exact: "Tensor", *, tolerance: float
) -> Integrals:
    """Features [tokens, width] against what the lines add up to, [groups]."""
    residuals = _totals(features, groups) - exact
    above = (residuals.abs() > _allowed(instance, exact, tolerance)).nonzero().flatten()
    return Integrals(features, residuals, tuple(above.tolist()))


def refined(
    instance: Instance, groups: Sequence[Group], *, tolerance: float, keep: Keep = "units"
) -> "Generator[Question, Tensor, Integrals]":
    """Every line by nested rules, until what its ends say is met; where more is kept, until that has settled too."""
    pending, levels = list(range(len(groups))), [0] * len(groups)
    sums: Tensor | None = None  # [levels, tokens, width]: old nodes are already weighted for levels to come
    exact: Tensor | None = None
    for level, step in enumerate(refinements()):
        found = yield from _slopes(instance, [groups[one] for one in pending], step)
        kept = found if keep == "features" else found.sum(-1, keepdim=True)
        sums = kept if sums is None else sums + kept
        if exact is None:
            exact = yield from differences(instance, groups)
        for one in pending:
            levels[one] = level
        is_met = _met(instance, sums, groups, exact, level=level, tolerance=tolerance, keep=keep)
        pending = [one for one in pending if not is_met[one]]
        if not pending:
            break
    assert sums is not None
    assert exact is not None
    features = _chosen(sums, groups, levels)
    return Integrals(features, _totals(features, groups) - exact, tuple(pending))


def differences(instance: Instance, groups: Iterable[Group]) -> "Generator[Question, Tensor, Tensor]":
    """What each line adds up to, whatever its path: the target's value for the text minus that at its other end."""
    ends = yield from ask_outputs(Perturbation(group) for group in groups)
    return instance.target(instance.whole) - instance.target(ends)  # type: ignore[no-any-return]  # targets take arrays of any kind


def _slopes(instance: Instance, groups: Sequence[Group], step: Refinement) -> "Generator[Question, Tensor, Tensor]":
    """A level's new nodes. All lines end in the text itself, whose gradient is asked for once."""
    inner = step.nodes < 1
    perturbations = [Perturbation(group, alpha) for group in groups for alpha in step.nodes[inner].tolist()]
    weights = np.tile(step.weights[:, inner], len(groups))
    if not inner.all():
        perturbations.append(Perturbation(instance.everything, 1.0))
        weights = np.concatenate([weights, step.weights[:, ~inner]], axis=1)
    return (yield from ask_gradients(instance.target, perturbations, weights))


def _met(
    instance: Instance,
    sums: "Tensor",
    groups: Sequence[Group],
    exact: "Tensor",
    *,
    level: int,
    tolerance: float,
    keep: Keep,
) -> list[bool]:
    """Which lines are within the tolerance at this level."""
    is_met = (_totals(sums[level], groups) - exact).abs() <= _allowed(instance, exact, tolerance)
    found: list[bool] = is_met.tolist()
    if keep == "units":
        return found
    largest = _allowed(instance, exact, tolerance) / tolerance
    changes = _changes(sums, groups, level=level, largest=largest, keep=keep)
    return [one and change <= SPLIT * tolerance for one, change in zip(found, changes, strict=True)]


def _changes(sums: "Tensor", groups: Sequence[Group], *, level: int, largest: float, keep: Keep) -> list[float]:
    """How far each line's inside is from the level before.

    Tokens are measured against the largest score, features against the largest of their own norms.
    """
    if level == 0:
        return [np.inf] * len(groups)
    if keep == "features":
        largest = max(float(sums[level, list(group)].norm()) for group in groups)
    changed = sums[level] - sums[level - 1]
    return [float(changed[list(group)].norm()) / (largest or 1.0) for group in groups]


def _chosen(sums: "Tensor", groups: Sequence[Group], levels: Sequence[int]) -> "Tensor":
    """Each group's features at the level that it came to, [tokens, width]."""
    features = sums.new_zeros(sums.shape[1:])
    for group, level in zip(groups, levels, strict=True):
        features[list(group)] = sums[level, list(group)]
    return features


def _totals(features: "Tensor", groups: Sequence[Group]) -> "Tensor":
    return sum_by_unit(features.sum(-1), groups)


def _allowed(instance: Instance, exact: "Tensor", tolerance: float) -> float:
    """How large a residual may be: a share of the largest of the groups' own differences, and no less than rounding."""
    rounding = (
        NOISE * min(instance.precision, SINGLE) * abs(float(instance.target(instance.whole)))
    )  # coarser ones are warned of
    return max(tolerance * float(exact.abs().max()), rounding)
