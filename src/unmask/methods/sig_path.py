"""Sequential Integrated Gradients by the integral itself (Enguehard 2023, equation 1): what lies inside a unit.

Unit totals are known exactly without it (`sig`). The integral gives what they cannot: the split of a word over its
pieces and over the features of their vectors. That split depends on the path, the totals do not; so every total is
compared with the exact one, and the difference stands in the result as that unit's residual.
"""

from dataclasses import dataclass
from typing import ClassVar, get_args

from ..errors import ArgumentError, unknown
from ..questions import Asking, Instance, Scores
from .base import Cost, Method
from .checks import check_positive
from .path_integrals import REFINED_NODES, Keep, Path, curve_integrals, fixed_integrals, refined_integrals
from .quadrature import summed


@dataclass(frozen=True, slots=True, kw_only=True)
class SIGPath(Method):
    """Sequential Integrated Gradients by its integral: also the split of a unit over its tokens and features.

    Args:
        tolerance: A unit's largest allowed residual, relative to the largest score; a warning names those above.
        steps: Nodes on each unit's path, 50 in the paper; None adds nodes where the residual is above the tolerance.
        rule: How fixed steps are placed; Gauss-Legendre by default.
        keep: What the result holds beside scores: the scores of tokens, or those and the matrix [tokens, width].
        path: A curve in place of the straight line, from (baseline, word, t) to a point, all [tokens, width]; its
            totals are certified, what lies inside a unit is not.
    """

    tolerance: float = 1e-2
    steps: int | None = None
    rule: str | None = None
    keep: Keep = "units"
    path: "Path | None" = None

    name: ClassVar[str] = "sig_path"
    summary: ClassVar[str] = (
        "A score is how much the {quantity} grows, by its gradient, while that {unit} alone goes from {baseline} "
        "to itself."
    )
    passes: ClassVar[str] = "N + 2, and N x steps with gradients (about 10 N where steps=none)"
    rank: ClassVar[int] = 2
    needs: ClassVar[str] = "gradients"
    source: ClassVar[str] = "Enguehard 2023"

    def __post_init__(self) -> None:
        """Refuse settings that do not fit each other."""
        check_positive("tolerance", self.tolerance)
        if self.keep not in get_args(Keep):
            raise unknown("keep", self.keep, get_args(Keep))
        if self.path is not None and not callable(self.path):
            raise ArgumentError(
                "path is a function from (baseline, word, t) to a point; it can be given in Python only"
            )
        if self.rule is not None and (self.steps is None or self.path is not None):
            raise ArgumentError("rule needs fixed steps on the straight line: set steps and no path")
        if self.steps is not None:
            summed(self.rule or "gauss_legendre", self.steps)

    @property
    def refines(self) -> bool:
        """Whether nodes are added until it is exact enough."""
        return self.steps is None

    def ask(self, instance: Instance) -> Asking:
        """Ask for gradients along each unit's path, and for its ends."""
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
        """The far end of each path, and gradients along it."""
        return Cost(units, (self.steps or REFINED_NODES) * units)
