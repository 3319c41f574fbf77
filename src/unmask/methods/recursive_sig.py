"""Recursive SIG: mask the unit that costs most, score the remaining units again without it, and repeat.

The losses telescope: the losses of the chosen units add up to F(x) - F(x without all chosen units). SIG scores every
unit while all others are present, so units that say the same thing all score near 0. Here, the second of two such units
is scored without the first.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from ..errors import ArgumentError, TextError
from ..questions import Asking, Instance, Numbers, Perturbation, Question, Scores, ask_outputs
from .base import Cost, Method, check_choice, check_positive

if TYPE_CHECKING:
    from torch import Tensor

Operator = Literal["baseline", "remove"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecursiveSIG(Method):
    """The loss when a unit is masked after the units that cost more.

    The top units are chosen one by one. Each choice is the unit whose masking costs most, given that the units chosen
    before it are masked, and its score is that cost. These scores add up to the change when all chosen units are
    masked. Every other unit is scored once, with all chosen units masked, so its score is what it contributes without
    them. A cost can be larger than the one before it, so scores alone do not give the order. `ranking` does: first the
    chosen units in the order in which they were masked, then the others by score, largest first.

    Args:
        share: The share of the units to choose one by one, above 0 and up to 1.
        pool: The size of the pool of most promising units, as a multiple of the number to choose; None for all units.
        two_sided: Whether to rank the pool by two-sided scores instead of those of `sig`.
        operator: `baseline` to mask units, `remove` to delete them from the text.
    """

    share: float = 0.2
    pool: float | None = 2.0
    two_sided: bool = True
    operator: Operator = "baseline"  # type: ignore[misc]  # a setting here, a constant of other methods

    name: ClassVar[str] = "recursive_sig"
    summary: ClassVar[str] = (
        "Score = {quantity} with the {unit} minus {scale} without it, after deleting the top-ranked {unit}s above it."
    )
    passes: ClassVar[str] = "2.8 N + 0.06 N^2 + 2"
    rank: ClassVar[int] = 1
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_positive("share", self.share)
        if self.share > 1:
            raise ArgumentError(f"share={self.share!r}: expected a number above 0 and at most 1")
        if self.pool is not None:
            check_positive("pool", self.pool)
            if self.pool < 1:
                raise ArgumentError(f"pool={self.pool!r}: expected a number of at least 1, or none for all units")
        if not isinstance(self.two_sided, bool):
            raise ArgumentError(f"two_sided={self.two_sided!r}: expected true or false")
        check_choice("operator", self.operator, Operator)

    @property
    def uses_baseline(self) -> bool:  # type: ignore[override]  # depends on a setting
        """Whether units are masked."""
        return self.operator == "baseline"

    def ask(self, instance: Instance) -> Asking:
        """Request the outputs without each unit, without each unit of the pool at each step, and for the others."""
        units = range(len(instance.units))
        value = float(instance.target(instance.whole))
        after = yield from self._without_each(instance, (), units)
        pool = yield from self._most_promising(instance, after)
        after, chosen, scores = after[pool], list[int](), np.zeros(len(units))
        while True:
            at = int(np.argmin(after))
            unit = pool.pop(at)
            scores[unit], value = value - after[at], float(after[at])
            chosen.append(unit)
            if len(chosen) == self._count(len(units)):
                break
            after = yield from self._without_each(instance, chosen, pool)
        if rest := [unit for unit in units if unit not in chosen]:
            scores[rest] = value - (yield from self._without_each(instance, chosen, rest))
        ranking = (*chosen, *sorted(rest, key=lambda unit: -scores[unit]))
        return Scores(instance.whole.new_tensor(scores), ranking=ranking)

    def cost(self, units: int, tokens: int) -> Cost:
        """One forward pass per unit (two if `two_sided`), per unit of the pool at each step, and per remaining unit."""
        count, pool = self._count(units), self._pool_size(units)
        alone = units if self.two_sided and pool < units else 0
        searched = sum(pool - step for step in range(1, count))
        return Cost(forward=units + alone + searched + units - count)

    def _count(self, units: int) -> int:
        """The number of units that are chosen one by one."""
        return ceil(round(self.share * units, 9))  # rounded because 0.2 * 15 is slightly more than 3

    def _pool_size(self, units: int) -> int:
        return units if self.pool is None else min(units, ceil(round(self.pool * self._count(units), 9)))

    def _most_promising(self, instance: Instance, after: Numbers) -> Generator[Question, "Tensor", list[int]]:
        """The units to choose from, most promising first; `after` holds the target's value without each unit."""
        units = len(instance.units)
        promise = -after
        if self.two_sided and self._pool_size(units) < units:
            others = ([one for one in range(units) if one != unit] for unit in range(units))
            promise += yield from self._values(instance, others)
        return np.argsort(-promise, kind="stable")[: self._pool_size(units)].tolist()  # type: ignore[no-any-return]

    def _without_each(
        self, instance: Instance, gone: Sequence[int], units: Iterable[int]
    ) -> Generator[Question, "Tensor", Numbers]:
        """For each of `units`, the target's value without that unit and without those in `gone`."""
        return (yield from self._values(instance, ([*gone, unit] for unit in units)))

    def _values(self, instance: Instance, gone: Iterable[Sequence[int]]) -> Generator[Question, "Tensor", Numbers]:
        """The target's value without each set of units."""
        outputs = yield from ask_outputs(self._perturbation(instance, units) for units in gone)
        return np.asarray(instance.target(outputs))

    def _perturbation(self, instance: Instance, gone: Sequence[int]) -> Perturbation:
        tokens = tuple(sorted(token for unit in gone for token in instance.units[unit]))
        if self.operator == "baseline":
            return Perturbation(tokens)
        if len(tokens) == instance.length:
            raise TextError("recursive_sig cannot remove all units: nothing would be left to read")
        return Perturbation(dropped=tokens)
