"""Leave one in: the other end of SIG. SIG asks what is lost without a unit, this what a unit brings by itself."""

from dataclasses import dataclass
from typing import ClassVar

from ..probes import Asking, Case, Scores, outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneIn:
    """Each unit alone, with all others at the baseline, minus the text in which nothing is left."""

    name: ClassVar[str] = "leave_one_in"
    passes: ClassVar[str] = "N + 2"
    exact: ClassVar[bool] = True
    uses_baseline: ClassVar[bool] = True

    def ask(self, case: Case) -> Asking:
        """Ask for each unit alone."""
        nothing, *alone = (case.only(()), *(case.only([unit]) for unit in range(len(case.units))))
        found = yield from outputs([nothing, *alone])
        return Scores(case.target(found[1:]) - case.target(found[0]), alone=found[1:])
