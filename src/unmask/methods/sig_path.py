"""Sequential Integrated Gradients by the integral itself (Enguehard 2023, equation 1): what lies inside a unit.

Unit totals are known exactly without it (`sig`). The integral gives what they cannot: the split of a word over its
pieces and over the features of their vectors. That split depends on the path, the totals do not; so every total is
compared with the exact one, and the difference stands in the result as that unit's residual.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, get_args

from ..errors import ArgumentError, unknown
from ..questions import Asking, Instance, Question, Scores
from .base import Cost, Method
from .checks import check_positive
from .path_integrals import (
    REFINED_NODES,
    Integrals,
    Keep,
    Path,
    curve_integrals,
    fixed_integrals,
    refined_integrals,
)
from .quadrature import summed

if TYPE_CHECKING:
    from torch import Tensor


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
            raise ArgumentError("a rule is for fixed steps on the straight line: set steps, and no path")
        if self.steps is not None:
            summed(self.rule or "gauss_legendre", self.steps)

    @property
    def refines(self) -> bool:
        """Whether nodes are added until it is exact enough."""
        return self.steps is None

    def ask(self, instance: Instance) -> Asking:
        """Ask for gradients along each unit's path, and for its ends."""
        integrals = yield from self._integrals(instance)
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

    def _integrals(self, instance: Instance) -> "Generator[Question, Tensor, Integrals]":
        if self.path is not None:
            return (yield from curve_integrals(instance, self.path, steps=self.steps, tolerance=self.tolerance))
        if self.steps is None:
            return (yield from refined_integrals(instance, instance.units, tolerance=self.tolerance, keep=self.keep))
        rule = summed(self.rule or "gauss_legendre", self.steps)
        return (yield from fixed_integrals(instance, instance.units, rule, tolerance=self.tolerance))
