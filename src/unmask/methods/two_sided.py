"""Two-sided: the mean of SIG, which masks one unit of the text, and leave-one-in, which masks all others.

SIG and leave-one-in are the last and the first term of a Shapley value, so their mean is the Shapley value if no more
than two units interact. Half of their difference is what a unit shares with the others. It is large where units say the
same thing.
"""

from dataclasses import dataclass
from typing import ClassVar

from ..questions import Asking, Instance, Perturbation, Scores, ask_outputs
from .base import Cost, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSided(Method):
    """The mean of two changes: the loss when the unit is masked, and the gain when the unit alone is shown.

    `redundancy` in the result is (gain - loss) / 2. It is positive for a unit that others can stand in for, and
    negative for a unit that needs others.
    """

    name: ClassVar[str] = "two_sided"
    summary: ClassVar[str] = (
        "Score = mean of two changes in {quantity}: when the {unit} is replaced by {baseline}, "
        "and when it alone is shown (all others replaced)."
    )
    passes: ClassVar[str] = "2 N + 2"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True

    def ask(self, instance: Instance) -> Asking:
        """Request the outputs for the text without each unit, and for each unit alone."""
        count = len(instance.units)
        alone = map(instance.keep_only, ([], *([unit] for unit in range(count))))
        outputs = yield from ask_outputs([*map(Perturbation, instance.units), *alone])
        without, at_baseline, alone_outputs = outputs[:count], outputs[count], outputs[count + 1 :]
        lost = instance.target(instance.whole) - instance.target(without)
        added = instance.target(alone_outputs) - instance.target(at_baseline)
        return Scores((lost + added) / 2, without=without, alone=alone_outputs, redundancy=(added - lost) / 2)

    def cost(self, units: int, tokens: int) -> Cost:
        """Two forward passes per unit: one with that unit masked, and one with all others masked."""
        return Cost(forward=2 * units)
