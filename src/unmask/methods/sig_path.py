"""Sequential Integrated Gradients computed as an integral (Enguehard 2023, equation 1), for the scores inside a unit.

`sig` gives the exact totals of units. The integral also splits a unit's total over its tokens and their features. The
split depends on the path, but the totals do not: each computed total is compared with the exact one, and the difference
is the residual.
"""

from dataclasses import dataclass
from typing import ClassVar

from ..errors import ArgumentError
from ..questions import Asking, Instance, Scores
from .base import Cost, Method, check_choice, check_positive
from .path_integrals import REFINED_NODES, Keep, Path, curve_integrals, fixed_integrals, refined_integrals
from .quadrature import summed


@dataclass(frozen=True, slots=True, kw_only=True)
class SIGPath(Method):
    """Sequential Integrated Gradients computed as an integral, which also splits a unit's score over its features.

    Args:
        tolerance: The largest residual allowed, relative to the largest score; a warning names the units above it.
        steps: Number of nodes on each unit's path (50 in the paper); None adds nodes until the tolerance is met.
        rule: How fixed steps are placed; Gauss-Legendre by default.
        keep: The finest scores in the result: those of `units`, of `tokens`, or of `features`, [tokens, width].
        path: A function from (baseline, word, t) to a point, all [tokens, width]: a curve to use instead of the
            straight line. Only the totals are checked, not the split inside a unit.
    """

    tolerance: float = 1e-2
    steps: int | None = None
    rule: str | None = None
    keep: Keep = "units"
    path: "Path | None" = None

    name: ClassVar[str] = "sig_path"
    summary: ClassVar[str] = (
        "Score = change in {quantity}, from gradients integrated as this {unit} alone moves from {baseline} to its "
        "own embedding."
    )
    passes: ClassVar[str] = "N + 2 forward + N x steps forward and backward (about 10 N with steps=none)"
    rank: ClassVar[int] = 2
    needs: ClassVar[str] = "gradients"
    source: ClassVar[str] = "Enguehard 2023"

    def __post_init__(self) -> None:
        check_positive("tolerance", self.tolerance)
        check_choice("keep", self.keep, Keep)
        if self.path is not None and not callable(self.path):
            raise ArgumentError("path must be a Python function from (baseline, word, t) to a point")
        if self.rule is not None and (self.steps is None or self.path is not None):
            raise ArgumentError("rule applies only to fixed steps, not to a path: set steps alone, or remove rule")
        if self.steps is not None:
            summed(self.rule or "gauss_legendre", self.steps)

    @property
    def refines(self) -> bool:
        """Whether nodes are added until the tolerance is met."""
        return self.steps is None

    def ask(self, instance: Instance) -> Asking:
        """Request gradients along each unit's path, and the outputs at both ends."""
        units, tolerance = instance.units, self.tolerance
        if self.path is not None:
            integrals = yield from curve_integrals(instance, self.path, steps=self.steps, tolerance=tolerance)
        elif self.steps is None:
            integrals = yield from refined_integrals(instance, units, tolerance=tolerance, keep=self.keep)
        else:
            rule = summed(self.rule or "gauss_legendre", self.steps)
            integrals = yield from fixed_integrals(instance, units, rule, tolerance=tolerance)
        tokens = integrals.features.sum(-1)
        return Scores(
            instance.totals(tokens),
            residuals=integrals.residuals,
            tokens=None if self.keep == "units" else tokens,
            features=integrals.features if self.keep == "features" else None,
            above=integrals.above,
        )

    def cost(self, units: int, tokens: int) -> Cost:
        """For each unit, one forward pass with the unit masked, plus gradients along its path."""
        return Cost(units, (self.steps or REFINED_NODES) * units)
