"""What is known about the sets of units that may reach a goal. Runs nothing; needs no torch."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from typing import Literal, TypeAlias

import numpy as np

from ..questions import Numbers, Perturbation
from .set_ledger import Goal, RowLedger

Kind = Literal["necessary", "sufficient"]
Units: TypeAlias = tuple[int, ...]


class KnownSets:
    """The sets of units whose outputs are known, and how far each gets toward a goal.

    Args:
        kind: The units of a necessary set are masked; for a sufficient set, all others are.
    """

    def __init__(self, ledger: RowLedger, goal: Goal, kind: Kind) -> None:
        self.goal, self.kind = goal, kind
        self._ledger, self._count = ledger, ledger.count
        self._gains = self._two_sided()
        self._ranking: Units = tuple(np.argsort(-self._gains, kind="stable").tolist())

    def masked(self, units: Iterable[int]) -> frozenset[int]:
        """Return the units to mask if these are chosen."""
        chosen = frozenset(units)
        return chosen if self.kind == "necessary" else frozenset(range(self._count)) - chosen

    def rows(self, sets: Iterable[Iterable[int]]) -> list[Perturbation]:
        """Return the perturbation for each set."""
        return [self._ledger.row(self.masked(units)) for units in sets]

    def _steps_cost(self, units: Units) -> int:
        return self._ledger.cost(self.rows(prefixes(units)))

    def _knows_all(self, sizes: Iterable[int]) -> bool:
        return all(map(self._knows, self._sets(sizes)))

    def _can_try(self, sizes: Iterable[int], passes: int) -> bool:
        """Whether this number of passes is enough to try all sets of these sizes."""
        if sum(comb(self._count, size) for size in sizes) > passes + self._ledger.known_count:
            return False
        return self._ledger.cost(self.rows(self._sets(sizes))) <= passes

    def _sets(self, sizes: Iterable[int]) -> Iterator[Units]:
        return (units for size in sizes for units in combinations(self._ranking, size))

    def _two_sided(self) -> Numbers:
        """How promising each unit is: its gain when added to the empty set and to all other units, as far as known."""
        everything, gains = frozenset(range(self._count)), np.zeros(self._count)
        for unit in everything:
            for after, before in (({unit}, ()), (everything, everything - {unit})):
                if self._knows(after) and self._knows(before):
                    gains[unit] += self._reach(after) - self._reach(before)
        return gains

    def _knows(self, units: Iterable[int]) -> bool:
        return self._ledger.knows(self.masked(units))

    def _met(self, sets: Iterable[Units]) -> list[Units]:
        return [units for units in sets if self._is_met(units)]

    def _is_met(self, units: Iterable[int]) -> bool:
        return bool(self.goal.is_met(self._ledger.outputs(self.masked(units))))

    def _reach(self, units: Iterable[int]) -> float:
        """How far a set gets toward the goal; an untried set counts as zero progress."""
        masked = self.masked(units)
        return float(self.goal.reach(self._ledger.outputs(masked))) if self._ledger.knows(masked) else -np.inf


def prefixes(units: Units) -> list[Units]:
    """Return the first unit, the first two, and so on up to all."""
    return [units[:size] for size in range(1, len(units) + 1)]
