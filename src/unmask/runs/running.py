"""A plan at work in a folder: what is there is not done again, and what is done is kept at once."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from .benches import Bench, Cell
from .cells import JudgeCell
from .counting import UNIT_BY_UNIT, cost, rows_of
from .lock import held
from .pace import Pace
from .plan import Plan
from .store import Store
from .working import Work

if TYPE_CHECKING:
    from ..opened import Opened
    from ..report import Report

Item = TypeVar("Item")
RANKS = (0, 1, 2, 3)  # cheap methods first, of all pairs, so that a first table is there early


@dataclass(frozen=True, slots=True)
class Doing:
    """How far a run is, said after every chunk."""

    what: str
    seconds: float
    left: float  # seconds, at the pace so far

    @property
    def share(self) -> float:
        """How much of it is done."""
        return self.seconds / (self.seconds + self.left)


@dataclass(slots=True)
class Todo:
    """A cell that lacks texts."""

    bench: Bench
    cell: Cell
    left: float  # work, about: rows times their lengths

    @property
    def kinds(self) -> tuple[tuple[str, ...], ...]:
        """Whose pace it has: that of this row on this pair, of such rows on this pair, of such rows."""
        sort, pair = _sort(self.cell), self.bench.pair.name
        return (sort, pair, self.cell.row), (sort, pair), (sort,)


Telling = Callable[[Doing], None]


class Run:
    """A plan and the folder in which its results are kept.

    Args:
        device: Where models run; the best there is unless told otherwise.
    """

    def __init__(
        self, folder: str | Path, plan: Plan, *, device: str | None = None, batch_tokens: int | None = None
    ) -> None:
        self.folder, self.plan = Path(folder), plan
        self._device, self._batch_tokens = device, batch_tokens
        self._held: tuple[str, Opened] | None = None  # one model in memory at a time

    def go(self, *, retry_failed: bool = False, progress: Telling | None = None) -> None:
        """Do what is not done; ends at once where all is there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with held(self.folder):
            store = Store(self.folder)
            try:
                store.note("plan", self.plan.to_dict())
                if retry_failed:
                    store.forget_failures()
                self._work(store, progress)
            finally:
                store.close()

    def report(self, *, reference: str | None = None, times: bool = False) -> "Report":
        """What is there, as a value that can be drawn; another process may be at work."""
        from .reporting import report

        return report(self.folder, self.plan, reference=reference, times=times)

    def benches(self, store: Store) -> Iterator[Bench]:
        """Every pair under every baseline."""
        for pair in self.plan.pairs():
            for baseline in self.plan.baselines:
                yield Bench(self.plan, pair, baseline, store, self._opened)

    def _work(self, store: Store, progress: Telling | None) -> None:
        benches = list(self.benches(store))
        todo = list(missing(benches))
        pace, started = Pace(), time.perf_counter()
        for rank, bench in product(RANKS, benches):
            for one in todo:
                if one.bench is bench and one.cell.rank == rank:
                    for seconds, works in timed(bench.run(one.cell)):
                        done = work_of(one.cell, bench, works)
                        one.left -= done
                        pace.learn(one.kinds, work=done, seconds=seconds)
                        if progress is not None:
                            left = sum(pace.seconds(other.kinds, work=other.left) for other in todo)
                            progress(Doing(_named(bench, one.cell), time.perf_counter() - started, left))
            bench.close()

    def _opened(self, source: str) -> "Opened":
        """The model of that source; the one before is let go."""
        if self._held is None or self._held[0] != source:
            from ..explainer import Explainer

            self._held = None
            explainer = Explainer.from_pretrained(
                source,
                device=self._device,
                dtype=self.plan.dtype,
                max_length=self.plan.max_length,
                batch_tokens=self._batch_tokens,
            )
            self._held = (source, explainer._opened)
        return self._held[1]


def missing(benches: Iterable[Bench]) -> Iterator[Todo]:
    """The cells that lack texts; one that two baselines have in common once."""
    seen = set[bytes]()
    for bench in benches:
        for cell in bench.cells():
            key = cell.digest + bench.pair.name.encode()
            if key not in seen and (works := bench.missing(cell)):
                yield Todo(bench, cell, work_of(cell, bench, works))
            seen.add(key)


def work_of(cell: Cell, bench: Bench, works: Sequence[Work]) -> float:
    """The rows of some texts times their lengths, about: words stand for units and for tokens."""
    lengths = [len(work.example.request.text.split()) + 2 for work in works]
    return sum(cost(rows_of(cell, length, bench.exam)) * length for length in lengths)


def timed(source: Iterator[Item]) -> Iterator[tuple[float, Item]]:
    """Each item, and how long it took to come."""
    started = time.perf_counter()
    for item in source:
        yield time.perf_counter() - started, item
        started = time.perf_counter()


def _sort(cell: Cell) -> str:
    """What is alike in pace; deeplift is like nothing else, for it goes one text at a time."""
    if isinstance(cell, JudgeCell) or cell.method.name in UNIT_BY_UNIT:
        return "rows"
    return "deeplift" if cell.method.name == "deeplift" else "gradients"


def _named(bench: Bench, cell: Cell) -> str:
    how = f" by {cell.operator}" if isinstance(cell, JudgeCell) else ""
    return f"{bench.pair.name} {cell.row}{how} ({bench.baseline})"
