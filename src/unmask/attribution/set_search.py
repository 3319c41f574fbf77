"""Searches for the fewest units that reach a goal, within a budget of passes. Needs no torch.

A set is grown from the most promising units and pruned until no single unit can be dropped. The remaining passes are
spent on smaller sets. Enough passes are always reserved for the steps of the set: its first unit, its first two, ...
"""

from collections.abc import Collection, Generator, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from ..questions import Perturbation, Question
from .known_sets import Kind, KnownSets, Units, prefixes
from .set_ledger import Goal, RowLedger

if TYPE_CHECKING:
    from torch import Tensor

POOL = 4  # the next unit is chosen from at least this many
BATCH = 16  # number of smaller sets tried together
CANDIDATES = 5_000  # number of smaller sets ranked before some of them are tried


class SetSearch(KnownSets):
    """The search for one set: `best` is the smallest so far, `is_minimal` says whether each of its units is needed.

    `has_ended` is False if the passes ran out before the search ended by itself.
    """

    def __init__(self, ledger: RowLedger, goal: Goal, kind: Kind) -> None:
        super().__init__(ledger, goal, kind)
        self.best: Units | None = None
        self.is_minimal = self.has_ended = False
        self._allowance = 0

    def find(self, allowance: int) -> "Generator[Question, Tensor, None]":
        """Find a set and prune it, within an allowance of passes. The empty set must not reach the goal."""
        self._allowance = allowance
        if singles := self._met((unit,) for unit in range(self._count) if self._knows((unit,))):
            self.best, self.is_minimal = max(singles, key=self._reach), True
        elif self._is_met(self._ranking):
            self.best = self._ranking
            yield from self._shorten()
            yield from self._grow()
        else:
            yield from self._explore()
            self.has_ended &= all(self._knows((unit,)) for unit in range(self._count))
        yield from self._prune()

    def find_further(self, allowance: int) -> "Generator[Question, Tensor, None]":
        """If `find` found nothing, try all other sets if the passes suffice, else promising ones."""
        self._allowance = allowance
        can_try_all = self._can_try(range(1, self._count), allowance)
        self.best = yield from (self._try_all() if can_try_all else self._try_promising())
        yield from self._prune()

    def improve(self, allowance: int) -> "Generator[Question, Tensor, None]":
        """Finish pruning, then try smaller sets, within an allowance of passes."""
        self._allowance = allowance
        yield from self._prune()
        while smaller := self._known_smaller() or (yield from self._smaller()):
            self.best, self.is_minimal = smaller, False
            yield from self._prune()

    @property
    def steps(self) -> list[Units]:
        """Return the first unit of the best set, the first two, and so on up to the whole set."""
        return prefixes(self.best or ())

    @property
    def steps_cost(self) -> int:
        """The number of passes that the steps take."""
        return self._steps_cost(self.best or ())

    @property
    def is_smallest(self) -> bool | None:
        """True if every smaller set was tried; None if not."""
        sizes = range(1, len(self.best or ()))
        return (self._knows_all(sizes) and not self._met(self._sets(sizes))) or None

    @property
    def is_exhausted(self) -> bool:
        """Whether every set was tried."""
        return self._knows_all(range(1, self._count))

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
        known = self._known_smaller()
        if known and len(known) < self._count - 1:
            self.best = known
        promising, limit = self._ranking[: int((self._gains > 0).sum())], len(self.best or self._ranking)
        parts = [promising[:size] for size in _spread(len(promising)) if 1 < size < limit]
        tried = yield from self._try(parts)
        self.best = next(iter(self._met(tried)), self.best)
        if self.best is not None:
            yield from self._grow()
        elif len(tried) == len(parts):
            peak = len(max(tried, key=self._reach, default=()))
            self.best = yield from self._recurse(min(peak + 2, self._count - 1), spend=self._room() // 2)
        self.best = self.best or known

    def _try_all(self) -> "Generator[Question, Tensor, Units | None]":
        """Try all sets, smaller ones first, so that the steps of a set are known before it is tried."""
        for size in range(1, self._count):
            untried = [units for units in self._sets([size]) if not self._knows(units)]
            if found := (yield from self._first_met(untried, keep=1 - size)):
                return found
        return None

    def _try_promising(self) -> "Generator[Question, Tensor, Units | None]":
        """Try promising sets: spend half of the passes on pairs, half of the rest on sets of three, ..., then all."""
        for kept in (0.5, 0.0):
            for size in range(2, self._count):
                keep = size + int(kept * self._room())
                if self._room() <= keep:
                    break
                if found := (yield from self._first_met(self._promising(size), keep=keep)):
                    return found
        return None

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
                self.has_ended |= len(tried) == len(sets)
                return None
            added = [units[-1] for units in ranked[: min(1 + len(chosen) // 4, depth - len(chosen))]]
            longer = [(*chosen, *added[:count]) for count in range(1, len(added) + 1)]
            tried = yield from self._try(longer, keep=keep)
            if (met := self._met(tried)) or len(tried) < len(longer):
                return next(iter(met), None)
            chosen = longer[-1]
        self.has_ended = True
        return None

    def _prune(self) -> "Generator[Question, Tensor, None]":
        """Drop units until every remaining one is needed."""
        while self.best is not None and not self.is_minimal:
            can_stay = self.steps_cost <= self._allowance
            steps = 0 if can_stay else None  # passes reserved for the steps of a smaller set
            parts = [_without(self.best, [unit]) for unit in reversed(self.best) if len(self.best) > 1]
            tried = yield from self._try(parts, steps=steps)
            met = sorted(self._met(tried), key=self._reach, reverse=True)
            if not met:
                self.is_minimal = len(tried) == len(parts)
                return
            needless = [(set(self.best) - set(units)).pop() for units in met]
            counts = [count for count in _spread(len(needless)) if 1 < count < len(self.best)]
            fewer = yield from self._try([_without(self.best, needless[:count]) for count in counts], steps=steps)
            smaller = [units for units in (*met[:BATCH], *self._met(fewer)) if not can_stay or self._can_show(units)]
            if not smaller:
                return
            self.best = min(smaller, key=len)

    def _smaller(self) -> "Generator[Question, Tensor, Units | None]":
        """Find a smaller set that reaches the goal: try all smaller sets if the passes suffice, else promising ones."""
        sizes, size = range(1, len(self.best or ())), len(self.best or ()) - 1
        if not self.is_minimal or not sizes:
            return None
        if self._can_try(sizes, self._room()):
            tried = yield from self._try(list(self._sets(sizes)))
            return next(iter(self._met(tried)), None)
        return (yield from self._first_met(self._promising(size), keep=size)) if size > 1 else None

    def _first_met(self, sets: Sequence[Units], *, keep: int) -> "Generator[Question, Tensor, Units | None]":
        """Try these sets, some at a time, until one reaches the goal."""
        for start in range(0, len(sets), BATCH):
            tried = yield from self._try(sets[start : start + BATCH], keep=keep)
            if (met := self._met(tried)) or not tried:
                return max(met, key=self._reach) if met else None
        return None

    def _known_smaller(self) -> Units | None:
        """Return the smallest known set that reaches the goal, if it is smaller than the best set."""
        known = map(self.masked, self._ledger.known_sets())  # from masked units to chosen units, or back
        limit = len(self.best or self._ranking)
        sets = [tuple(unit for unit in self._ranking if unit in one) for one in known if 0 < len(one) < limit]
        met = sorted(self._met(sets), key=lambda units: (len(units), -self._reach(units)))
        return next((units for units in met if self.best is None or self._steps_cost(units) <= self._allowance), None)

    def _promising(self, size: int) -> list[Units]:
        """Return untried sets of this size, those with the largest sum of gains first."""
        pool = size
        while pool < self._count and comb(pool + 1, size) <= CANDIDATES:
            pool += 1
        sets = (units for units in combinations(self._ranking[:pool], size) if not self._knows(units))
        return sorted(sets, key=lambda units: -self._gains[list(units)].sum())

    def _try(
        self, sets: Sequence[Units], *, keep: int = 0, steps: int | None = None
    ) -> "Generator[Question, Tensor, list[Units]]":
        """Try these sets, or only the first ones if passes are short; return the sets whose outputs are then known.

        `keep` passes are reserved, and as many as `steps` for the steps of a new best set; by default, all of them.
        """
        steps = max(map(len, sets), default=1) - 1 if steps is None else steps
        room = min(self._room(), self._allowance - steps) - keep
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

    def _can_show(self, units: Units) -> bool:
        """Whether the passes suffice for the steps of this set."""
        return len(units) <= self._allowance or self._steps_cost(units) <= self._allowance

    def _room(self) -> int:
        """Return how many passes may be spent; those for the best set's steps are reserved if there are enough."""
        cost = self.steps_cost
        return self._allowance - (cost if cost <= self._allowance else 0)

    def _first(self) -> Units:
        known = [(unit,) for unit in self._ranking if self._knows((unit,))]
        return max(known, key=self._reach) if known else self._ranking[:1]


def _without(units: Units, dropped: Collection[int]) -> Units:
    return tuple(unit for unit in units if unit not in dropped)


def _spread(count: int) -> list[int]:
    """Integers up to `count`, with growing gaps.

    >>> _spread(20)
    [1, 2, 3, 4, 6, 8, 12, 16, 20]
    """
    sizes = [size << power for power in range(count.bit_length()) for size in (2, 3)]
    return sorted({1, *(size for size in sizes if size < count), count}) if count else []
