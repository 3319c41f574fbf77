"""Each unit taken out of the text: what removal, in place of a mask, says of it (Li et al. 2016)."""

from dataclasses import dataclass
from typing import ClassVar

from ..errors import TextError
from ..probes import Asking, Case, Probe, Scores, outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut:
    """What the model says less surely once a unit is not there and the rest has closed up: SIG's rival by removal."""

    name: ClassVar[str] = "leave_one_out"
    passes: ClassVar[str] = "N + 2"
    exact: ClassVar[bool] = True
    uses_baseline: ClassVar[bool] = False
    operator: ClassVar[str] = "remove"  # by which it takes units away
    source: ClassVar[str] = "Li et al. 2016"

    def ask(self, case: Case) -> Asking:
        """Ask for the text without each unit."""
        if any(len(unit) == case.length for unit in case.units):
            raise TextError("leave_one_out takes a unit away, and nothing would be left for the model to read")
        without = yield from outputs(Probe(dropped=unit) for unit in case.units)
        head, scale = case.target.head, case.target.scale
        by_output = head.on_scale(case.whole, scale) - head.on_scale(without, scale)
        return Scores(case.target(case.whole) - case.target(without), by_output=by_output)
