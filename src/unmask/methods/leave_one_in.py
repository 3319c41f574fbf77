"""Leave one in: the other end of SIG. SIG asks what is lost without a unit, this what a unit brings by itself."""

from dataclasses import dataclass
from typing import ClassVar

from ..questions import Asking, Instance, Scores, ask_outputs
from .base import Cost, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneIn(Method):
    """Each unit alone, with all others at the baseline, minus the text in which nothing is left."""

    name: ClassVar[str] = "leave_one_in"
    summary: ClassVar[str] = (
        "A score is the {quantity} with that {unit} alone, all others replaced by {baseline}, minus the same with "
        "all replaced."
    )
    passes: ClassVar[str] = "N + 2"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True

    def ask(self, instance: Instance) -> Asking:
        """Ask for each unit alone."""
        nothing, *alone = (instance.keep_only(()), *(instance.keep_only([unit]) for unit in range(len(instance.units))))
        outputs = yield from ask_outputs([nothing, *alone])
        return Scores(instance.target(outputs[1:]) - instance.target(outputs[0]), alone=outputs[1:])

    def cost(self, units: int, tokens: int) -> Cost:
        """Each unit alone."""
        return Cost(forward=units)
