"""Scores that mean nothing: the control that every comparison needs."""

from dataclasses import dataclass
from typing import ClassVar

from ..probes import Asking, Case, Numbers, Scores
from .checks import check_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Random:
    """Normal random numbers: what any method must be better than."""

    seed: int = 0

    name: ClassVar[str] = "random"
    passes: ClassVar[str] = "2"
    exact: ClassVar[bool] = False
    uses_baseline: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Refuse a seed that is none."""
        check_seed(self.seed)

    def ask(self, case: Case) -> Asking:
        """Ask nothing."""
        yield from ()
        return Scores(case.whole.new_tensor(self.drawn(case)))

    def drawn(self, case: Case) -> Numbers:
        """One number per unit: others for another text, the same for the same one."""
        return case.draw(self.seed).standard_normal(len(case.units))
