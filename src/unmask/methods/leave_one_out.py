"""Each unit taken out of the text: what removal, in place of a mask, says of it (Li et al. 2016)."""

from dataclasses import dataclass
from typing import ClassVar

from ..errors import TextError
from ..questions import Asking, Instance, Perturbation, Scores, ask_outputs
from .base import Cost, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut(Method):
    """What the model says less surely once a unit is not there and the rest has closed up: SIG's rival by removal."""

    name: ClassVar[str] = "leave_one_out"
    summary: ClassVar[str] = "A score is the {quantity} for the text, minus the same with that {unit} taken out."
    passes: ClassVar[str] = "N + 2"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True
    uses_baseline: ClassVar[bool] = False
    operator: ClassVar[str] = "remove"  # by which it takes units away
    source: ClassVar[str] = "Li et al. 2016"

    def ask(self, instance: Instance) -> Asking:
        """Ask for the text without each unit."""
        if any(len(unit) == instance.length for unit in instance.units):
            raise TextError("leave_one_out takes a unit away, and nothing would be left for the model to read")
        without = yield from ask_outputs(Perturbation(dropped=unit) for unit in instance.units)
        head, scale = instance.target.head, instance.target.scale
        by_output = head.on_scale(instance.whole, scale) - head.on_scale(without, scale)
        return Scores(instance.target(instance.whole) - instance.target(without), by_output=by_output)

    def cost(self, units: int, tokens: int) -> Cost:
        """The text without each unit."""
        return Cost(forward=units)
