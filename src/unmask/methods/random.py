"""Random scores, as a control."""

from dataclasses import dataclass
from typing import ClassVar

from ..questions import Asking, Instance, Numbers, Scores
from .base import Cost, Method, check_count


@dataclass(frozen=True, slots=True, kw_only=True)
class Random(Method):
    """Normal random numbers: the control that every method should beat."""

    seed: int = 0

    name: ClassVar[str] = "random"
    summary: ClassVar[str] = "Score = a random number, as a control."
    passes: ClassVar[str] = "2"
    rank: ClassVar[int] = 0
    uses_baseline: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_count("seed", self.seed, least=0)

    def ask(self, instance: Instance) -> Asking:
        """Return random scores; this needs no model outputs."""
        yield from ()
        return Scores(instance.whole.new_tensor(self.drawn(instance)))

    def cost(self, units: int, tokens: int) -> Cost:
        """No model inputs."""
        return Cost()

    def drawn(self, instance: Instance) -> Numbers:
        """One number per unit; the same text always gets the same numbers."""
        return instance.rng(self.seed).standard_normal(len(instance.units))
