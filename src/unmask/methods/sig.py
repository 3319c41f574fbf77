"""Exact Sequential Integrated Gradients (Enguehard 2023, equation 1), summed over each unit.

For every unit, the paper approximates the integral of the gradient along the line from the baseline to the unit and
sums over features. For any path, that sum equals the function's difference between the two ends, so we compute the
function only there. A multi-token word is masked as one unit; the published code scores tokens and adds their scores.
"""

from dataclasses import dataclass
from typing import ClassVar

from ..questions import Asking, Instance, Perturbation, Scores, ask_outputs
from .base import Cost, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class SIG(Method):
    """Exact Sequential Integrated Gradients: the text's value minus its value with one unit masked."""

    name: ClassVar[str] = "sig"
    summary: ClassVar[str] = "Score = {quantity} with the {unit} minus {scale} without it (replaced by {baseline})."
    passes: ClassVar[str] = "N + 2"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True
    source: ClassVar[str] = "Enguehard 2023"

    def ask(self, instance: Instance) -> Asking:
        """Request the outputs for the text without each unit."""
        without = yield from ask_outputs(Perturbation(unit) for unit in instance.units)
        return Scores(instance.target(instance.whole) - instance.target(without), without=without)

    def cost(self, units: int, tokens: int) -> Cost:
        """One forward pass per unit, with that unit masked."""
        return Cost(forward=units)
