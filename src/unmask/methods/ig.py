"""Integrated Gradients (Sundararajan, Taly and Yan 2017): all units move together from the baseline to the text.

The scores sum to `together` up to the quadrature error; the score of a single unit cannot be checked.
"""

from dataclasses import dataclass
from typing import ClassVar

from ..errors import ArgumentError
from ..questions import Asking, Instance, Scores
from .base import MOST, Cost, Method, check_count, check_positive
from .path_integrals import REFINED_NODES, fixed_integrals, refined_integrals
from .quadrature import summed

STEPS, RULE = 50, "gauss_legendre"
OFF = "the scores add up to {:.3g} {} than the change from masking all units; use more steps"


@dataclass(frozen=True, slots=True, kw_only=True)
class IG(Method):
    """Integrated Gradients: gradients on the straight line from the masked text to the text.

    Args:
        steps: Number of nodes on the line; None adds nodes until the sum of the scores is within the tolerance.
        steps_per_token: Nodes per token, including special tokens; use instead of `steps`.
        rule: How the nodes are placed: gauss_legendre, riemann_left, riemann_right, riemann_middle or trapezoid.
        tolerance: The largest error of the sum of scores, relative to `together`; larger errors give a warning.
    """

    steps: int | None = STEPS
    steps_per_token: int | None = None
    rule: str = RULE
    tolerance: float = 1e-2

    name: ClassVar[str] = "ig"
    summary: ClassVar[str] = (
        "Score = the {unit}'s share of the change in {quantity}, from gradients integrated as all {unit}s move "
        "together from {baseline} to the text."
    )
    passes: ClassVar[str] = "2 forward + steps forward and backward"
    adds_up: ClassVar[bool] = True
    needs: ClassVar[str] = "gradients"
    source: ClassVar[str] = "Sundararajan et al. 2017"

    def __post_init__(self) -> None:
        check_positive("tolerance", self.tolerance)
        if self.steps_per_token is not None:
            check_count("steps_per_token", self.steps_per_token, most=MOST)
            if self.steps not in (STEPS, None):
                raise ArgumentError("give steps or steps_per_token, not both")
        elif self.steps is None and self.rule != RULE:
            raise ArgumentError("rule applies only to fixed steps: set steps, or remove rule")
        summed(self.rule, STEPS if self.steps is None else self.steps)

    @property
    def refines(self) -> bool:
        """Whether nodes are added until the tolerance is met."""
        return self.steps is None and self.steps_per_token is None

    def ask(self, instance: Instance) -> Asking:
        """Request gradients along the line, and the outputs at both ends."""
        line, tolerance = [instance.everything], self.tolerance
        if self.refines:
            integral = yield from refined_integrals(instance, line, tolerance=tolerance)
        else:
            steps = self.steps_per_token * instance.length if self.steps_per_token else self.steps or STEPS
            integral = yield from fixed_integrals(instance, line, summed(self.rule, steps), tolerance=tolerance)
        warnings = (OFF.format(abs(off), "more" if off > 0 else "less") for off in integral.residuals.tolist())
        return Scores(instance.totals(integral.features.sum(-1)), warnings=tuple(warnings) if integral.above else ())

    def cost(self, units: int, tokens: int) -> Cost:
        """One gradient at each node on the line."""
        return Cost(backward=self.steps_per_token * tokens if self.steps_per_token else self.steps or REFINED_NODES)
