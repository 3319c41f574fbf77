"""Discretized Integrated Gradients (Sanyal and Ren 2021): the path passes through other words of the vocabulary.

The attribution is Σ_k gradient(p_k) * (p_{k+1} - p_k) over the points of the path. `rule="reference"` follows the
published code; `rule="corrected"` fixes the faults of that code (see dig_paths.py). In DIG, all words move at once, as
in Integrated Gradients. In SDIG (Enguehard 2023), one unit moves at a time. For any path, SDIG's scores equal SIG's up
to the error of the sum, which the result reports.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from ..questions import Asking, Instance, Perturbation, Point, Scores, ask_gradients
from .base import MOST, Cost, Method, check_choice, check_count, check_size
from .path_integrals import differences

if TYPE_CHECKING:
    from torch import Tensor

Strategy = Literal["greedy", "max_count", "non_monotonic"]
Rule = Literal["reference", "corrected"]
MOST_DOUBLINGS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DIG(Method):
    """Discretized Integrated Gradients: all words move together from the baseline to the text, through other words.

    Args:
        steps: Number of words on the path.
        neighbors: The number of nearest words considered at each step.
        strategy: Which neighbor to choose: the one closest to monotone (`greedy`), the one that is monotone in most
            dimensions (`max_count`), or the one closest to the baseline (`non_monotonic`).
        factor: How many times to insert midpoints between neighboring points.
        rule: `reference` for the published algorithm, `corrected` for a version without its faults.
    """

    steps: int = 30
    neighbors: int = 500
    strategy: Strategy = "greedy"
    factor: int = 0
    rule: Rule = "reference"

    name: ClassVar[str] = "dig"
    summary: ClassVar[str] = (
        "Score = the {unit}'s share of the change in {quantity}, from gradients integrated as all {unit}s move "
        "together from {baseline} to the text through other words."
    )
    passes: ClassVar[str] = "2 forward + (steps + 1) forward and backward"
    adds_up: ClassVar[bool] = True
    needs: ClassVar[str] = "gradients and the vocabulary"
    source: ClassVar[str] = "Sanyal and Ren 2021"

    def __post_init__(self) -> None:
        check_count("steps", self.steps, most=MOST)
        check_count("neighbors", self.neighbors)
        check_count("factor", self.factor, least=0, most=MOST_DOUBLINGS)
        check_choice("strategy", self.strategy, Strategy)
        check_choice("rule", self.rule, Rule)

    def ask(self, instance: Instance) -> Asking:
        """Request gradients at the points of the paths, with all words moving together."""
        points = self.points(instance)
        perturbations = [Perturbation(instance.everything, to=Point(point)) for point in points[:-1]]
        (features,) = yield from ask_gradients(
            instance.target, perturbations, np.ones((1, len(perturbations))), steps=list(points.diff(dim=0))
        )
        return Scores(instance.totals(features.sum(-1)))

    def cost(self, units: int, tokens: int) -> Cost:
        """One gradient at each point of the path except the last."""
        return Cost(backward=(self.steps + 1) * 2**self.factor)

    def points(self, instance: Instance) -> "Tensor":
        """The points of the paths of all moving tokens, [points, moving, width]."""
        from .dig_paths import DigPaths, Search, doubled

        vocabulary = instance.vocabulary()
        search = Search(instance.baseline, self.steps, self.neighbors, self.strategy, self.rule)
        paths = vocabulary.memory.setdefault(search, DigPaths(vocabulary, search))
        words = [instance.ids[token] for token in instance.everything]
        count = (self.steps + 1) * 2**self.factor + 1
        check_size(f"paths of {count:,} points", count * len(words) * vocabulary.vectors.shape[1])
        points = doubled(paths.points(words), self.factor).cpu().double()
        still = [place for place, token in enumerate(instance.everything) if token in instance.own_baseline]
        if still:
            points = points.clone()
            points[:, still] = points[-1:, still]
        return points


@dataclass(frozen=True, slots=True, kw_only=True)
class SDIG(DIG):
    """Discretized Integrated Gradients for one unit at a time, with the rest of the text unchanged."""

    name: ClassVar[str] = "sdig"
    summary: ClassVar[str] = (
        "Score = change in {quantity}, from gradients integrated as this {unit} alone moves from {baseline} to its "
        "own embedding through other words."
    )
    passes: ClassVar[str] = "N + 2 forward + N x (steps + 1) forward and backward"
    rank: ClassVar[int] = 3
    adds_up: ClassVar[bool] = False
    source: ClassVar[str] = "Enguehard 2023"

    def ask(self, instance: Instance) -> Asking:
        """Request gradients at the points of each unit's path, and the outputs at both ends."""
        points = self.points(instance)
        places = {token: place for place, token in enumerate(instance.everything)}
        perturbations: list[Perturbation] = []
        steps: list[Tensor] = []
        for unit in instance.units:
            path = points[:, [places[token] for token in unit]]
            perturbations += [Perturbation(unit, to=Point(point)) for point in path[:-1]]
            steps += path.diff(dim=0)
        (features,) = yield from ask_gradients(
            instance.target, perturbations, np.ones((1, len(perturbations))), steps=steps
        )
        exact = yield from differences(instance, instance.units)
        values = instance.totals(features.sum(-1))
        return Scores(values, residuals=values - exact)

    def cost(self, units: int, tokens: int) -> Cost:
        """For each unit, one forward pass with the unit masked, plus gradients along its path."""
        return Cost(units, (self.steps + 1) * 2**self.factor * units)
