"""Leave-one-in shows each unit alone, with all others masked. Leave-one-out removes each unit (Li et al. 2016)."""

from dataclasses import dataclass
from typing import ClassVar

from ..errors import TextError
from ..questions import Asking, Instance, Perturbation, Scores, ask_outputs
from .base import Cost, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneIn(Method):
    """The text's value with all other units masked, minus its value with all units masked."""

    name: ClassVar[str] = "leave_one_in"
    summary: ClassVar[str] = (
        "Score = {quantity} with only this {unit} (all others replaced by {baseline}) minus {scale} with all replaced."
    )
    passes: ClassVar[str] = "N + 2"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True

    def ask(self, instance: Instance) -> Asking:
        """Request the outputs for each unit alone."""
        alone = (instance.keep_only([unit]) for unit in range(len(instance.units)))
        outputs = yield from ask_outputs([instance.keep_only(()), *alone])
        return Scores(instance.target(outputs[1:]) - instance.target(outputs[0]), alone=outputs[1:])

    def cost(self, units: int, tokens: int) -> Cost:
        """One forward pass per unit, with all other units masked."""
        return Cost(forward=units)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut(Method):
    """The text's value minus its value with one unit removed."""

    name: ClassVar[str] = "leave_one_out"
    summary: ClassVar[str] = "Score = {quantity} with the {unit} minus {scale} with it removed."
    passes: ClassVar[str] = "N + 2"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True
    uses_baseline: ClassVar[bool] = False
    operator: ClassVar[str] = "remove"
    source: ClassVar[str] = "Li et al. 2016"

    def ask(self, instance: Instance) -> Asking:
        """Request the outputs for the text without each unit."""
        if any(len(unit) == instance.length for unit in instance.units):
            raise TextError("leave_one_out cannot delete the only unit: nothing would be left to read")
        without = yield from ask_outputs(Perturbation(dropped=unit) for unit in instance.units)
        head, scale = instance.target.head, instance.target.scale
        by_output = head.on_scale(instance.whole, scale) - head.on_scale(without, scale)
        return Scores(instance.target(instance.whole) - instance.target(without), by_output=by_output)

    def cost(self, units: int, tokens: int) -> Cost:
        """One forward pass per unit, with that unit removed."""
        return Cost(forward=units)
