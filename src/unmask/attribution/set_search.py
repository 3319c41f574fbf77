"""Searches for the fewest units that reach a goal, within a budget of passes. Needs no torch.

A set is grown from the most promising units and pruned until no single unit can be dropped. The remaining passes are
spent on smaller sets. Enough passes are always reserved for the steps of the set: its first unit, its first two, ...
"""

from collections.abc import Collection, Generator, Iterable, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from ..questions import Numbers, Perturbation, Question
from .set_ledger import Goal, RowLedger

if TYPE_CHECKING:
    from torch import Tensor

Kind = Literal["necessary", "sufficient"]
Units: TypeAlias = tuple[int, ...]
POOL = 4  # the next unit is chosen from at least this many
BATCH = 16  # number of smaller sets tried together
CANDIDATES = 5_000  # number of smaller sets ranked before some of them are tried


class SetSearch:
    """The search for one set: `best` is the smallest so far, `is_minimal` says whether each of its units is needed.

    `is_complete` is False if the passes ran out before the search could rule out that a set exists.

    Args:
        kind: The units of a necessary set are masked; for a sufficient set, all others are.
    """

    def __init__(self, ledger: RowLedger, goal: Goal, kind: Kind) -> None:
        self.goal, self.kind = goal, kind
        self.best: Units | None = None
        self.is_minimal = self.is_complete = False
        self._ledger, self._count, self._allowance = ledger, ledger.count, 0
        self._gains = self._two_sided()
        self._ranking: Units = tuple(np.argsort(-self._gains, kind="stable").tolist())

    def find(self, allowance: int) -> "Generator[Question, Tensor, None]":
        """Find a set and prune it, within an allowance of passes. The empty set must not reach the goal."""
        self._allowance = allowance
        if singles := self._met((unit,) for unit in range(self._count) if self._knows((unit,))):
            self.best, self.is_minimal, self.is_complete = max(singles, key=self._reach), True, True
        elif self._is_met(self._ranking):
            self.best, self.is_complete = self._ranking, True
            yield from self._shorten()
            yield from self._grow()
        else:
            yield from self._explore()
            self.is_complete &= all(self._knows((unit,)) for unit in range(self._count))
        yield from self._prune()

    def improve(self, allowance: int) -> "Generator[Question, Tensor, None]":
        """Finish pruning, then try smaller sets, within an allowance of passes."""
        self._allowance = allowance
        yield from self._prune()
        while self.is_minimal and (smaller := (yield from self._smaller())):
            self.best, self.is_minimal = smaller, False
            yield from self._prune()

    @property
    def steps(self) -> list[Units]:
        """Return the first unit of the best set, the first two, and so on up to the whole set."""
        return [] if self.best is None else [self.best[:size] for size in range(1, len(self.best) + 1)]

    @property
    def steps_cost(self) -> int:
        """The number of passes that the steps take."""
        return self._ledger.cost(self.rows(self.steps))

    @property
    def is_smallest(self) -> bool | None:
        """True if every smaller set was tried; None if not."""
        sizes = range(1, len(self.best or ()))
        every = (units for size in sizes for units in combinations(range(self._count), size))
        return all(map(self._knows, every)) or None

    def masked(self, units: Iterable[int]) -> frozenset[int]:
        """Return the units to mask if these are chosen."""
        chosen = frozenset(units)
        return chosen if self.kind == "necessary" else frozenset(range(self._count)) - chosen

    def rows(self, sets: Iterable[Iterable[int]]) -> list[Perturbation]:
        """Return the perturbation for each set."""
        return [self._ledger.row(self.masked(units)) for units in sets]

    def _shorten(self) -> "Generator[Question, Tensor, None]":
        """Find by bisection how many of the most promising units reach the goal, given that all units do."""
        low, high = 1, self._count
        while high - low > 1:
            middle = max(low + 1, min(high - 1, round((low * high) ** 0.5)))  # most sets are small
            first = self._ranking[:middle]
            if not (yield from self._try([first])):
                return
            if self._is_met(first):
                self.best, high = first, middle
            else:
                low = middle

    def _grow(self) -> "Generator[Question, Tensor, None]":
        """Grow a set that is smaller than the best one, keeping enough passes to prune it once."""
        size = len(self.best or ())
        spend = max(0, self._room() - size)
        self.best = (yield from self._recurse(size - 1, spend=spend, keep=size)) or self.best

    def _explore(self) -> "Generator[Question, Tensor, None]":
        """Look for a set even though all units together do not reach the goal."""
        promising = self._ranking[: int((self._gains > 0).sum())]
        parts = [promising[:size] for size in _spread(len(promising)) if 1 < size < self._count]
        tried = yield from self._try(parts)
        if met := self._met(tried):
            self.best, self.is_complete = met[0], True
            yield from self._grow()
        elif len(tried) == len(parts):
            peak = len(max(tried, key=self._reach, default=()))
            self.best = yield from self._recurse(min(peak + 2, self._count - 1), spend=self._room() // 2)
        if self.best is None:
            self._take_all_but_one()

    def _take_all_but_one(self) -> None:
        """Take all units except one if that is known to reach the goal, as when a single unit changes the label."""
        parts = (_without(self._ranking, [unit]) for unit in self._ranking)
        if met := self._met(units for units in parts if units and self._knows(units)):
            self.best, self.is_complete = max(met, key=self._reach), True

    def _recurse(self, depth: int, *, spend: int, keep: int = 0) -> "Generator[Question, Tensor, Units | None]":
        """Grow a set from the best single unit; each next unit is the best of a pool, given the units before it.

        Long sets grow by several units at a time. The pool is sized to spend about `spend` passes; `keep` passes are
        always reserved.
        """
        chosen, rounds = self._first(), max(1, min(depth - 1, 3 + 2 * depth.bit_length()))
        pool = self._ranking[: max(POOL, round(spend / rounds + rounds / 2))]
        while len(chosen) < depth and (sets := [(*chosen, unit) for unit in pool if unit not in chosen]):
            tried = yield from self._try(sets, keep=keep)
            if met := self._met(tried):
                return max(met, key=self._reach)
            ranked = sorted(tried, key=self._reach, reverse=True)
            if len(tried) < len(sets) or self._reach(ranked[0]) <= self._reach(chosen):
                self.is_complete |= len(tried) == len(sets)
                return None
            added = [units[-1] for units in ranked[: min(1 + len(chosen) // 4, depth - len(chosen))]]
            longer = [(*chosen, *added[:count]) for count in range(1, len(added) + 1)]
            tried = yield from self._try(longer, keep=keep)
            if (met := self._met(tried)) or len(tried) < len(longer):
                return met[0] if met else None
            chosen = longer[-1]
        self.is_complete = True
        return None

    def _prune(self) -> "Generator[Question, Tensor, None]":
        """Drop units until every remaining one is needed."""
        while self.best is not None and not self.is_minimal:
            parts = [_without(self.best, [unit]) for unit in reversed(self.best) if len(self.best) > 1]
            tried = yield from self._try(parts)
            met = sorted(self._met(tried), key=self._reach, reverse=True)
            if not met:
                self.is_minimal = len(tried) == len(parts)
                return
            needless = [(set(self.best) - set(units)).pop() for units in met]
            counts = [count for count in _spread(len(needless)) if 1 < count < len(self.best)]
            fewer = yield from self._try([_without(self.best, needless[:count]) for count in counts])
            self.best = min((met[0], *self._met(fewer)), key=len)

    def _smaller(self) -> "Generator[Question, Tensor, Units | None]":
        """Find a smaller set that reaches the goal: try all smaller sets if the passes suffice, else promising ones."""
        size = len(self.best or ()) - 1
        if sum(comb(self._count, fewer) for fewer in range(1, size + 1)) <= CANDIDATES:
            every = [units for fewer in range(1, size + 1) for units in combinations(self._ranking, fewer)]
            if self._ledger.cost(self.rows(every)) <= self._room():
                tried = yield from self._try(every)
                return next(iter(self._met(tried)), None)
        sets = self._promising(size) if size > 1 else []
        for start in range(0, len(sets), BATCH):
            tried = yield from self._try(sets[start : start + BATCH], keep=size)
            if (met := self._met(tried)) or not tried:
                return max(met, key=self._reach) if met else None
        return None

    def _promising(self, size: int) -> list[Units]:
        """Return untried sets of this size, those with the largest sum of gains first."""
        pool = size
        while pool < self._count and comb(pool + 1, size) <= CANDIDATES:
            pool += 1
        sets = (units for units in combinations(self._ranking[:pool], size) if not self._knows(units))
        return sorted(sets, key=lambda units: -self._gains[list(units)].sum())

    def _try(self, sets: Sequence[Units], *, keep: int = 0) -> "Generator[Question, Tensor, list[Units]]":
        """Try these sets, or only the first ones if passes are short; return the sets whose outputs are then known."""
        longest = max(map(len, sets), default=1)
        room = min(self._room(), self._allowance - longest + 1) - keep  # a new best set needs passes for its steps
        known, rows, cost = list[Units](), dict[Perturbation, None](), 0
        for units, row in zip(sets, self.rows(sets), strict=True):
            cost += 0 if row in rows else self._ledger.cost([row])
            if cost and cost > room:
                break
            rows[row] = None
            known.append(units)
        before = self._ledger.spent
        yield from self._ledger.ask(rows)
        self._allowance -= self._ledger.spent - before
        return known

    def _room(self) -> int:
        """Return how many passes may be spent; those for the best set's steps are reserved if there are enough."""
        cost = self.steps_cost
        return self._allowance - (cost if cost <= self._allowance else 0)

    def _first(self) -> Units:
        known = [(unit,) for unit in self._ranking if self._knows((unit,))]
        return max(known, key=self._reach) if known else self._ranking[:1]

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


def _without(units: Units, dropped: Collection[int]) -> Units:
    return tuple(unit for unit in units if unit not in dropped)


def _spread(count: int) -> list[int]:
    """Integers up to `count`, with growing gaps.

    >>> _spread(20)
    [1, 2, 3, 4, 6, 8, 12, 16, 20]
    """
    sizes = [size << power for power in range(count.bit_length()) for size in (2, 3)]
    return sorted({1, *(size for size in sizes if size < count), count}) if count else []
