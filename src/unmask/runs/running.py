"""A plan at work in a folder: what is there is not done again, and what is done is kept at once."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .benches import Bench, Cell
from .cells import JudgeCell
from .lock import held
from .plan import Plan
from .store import Store
from .weights import weight
from .working import Work

if TYPE_CHECKING:
    from ..opened import Opened
    from ..report import Report

RANKS = (0, 1, 2, 3)  # cheap methods first, of all pairs, so that a first table is there early


@dataclass(frozen=True, slots=True)
class Doing:
    """How far a run is, said after every chunk."""

    what: str
    done: float  # rows, about
    total: float
    seconds: float

    @property
    def left(self) -> float:
        """Seconds that are left, at the rate so far."""
        return self.seconds * (self.total - self.done) / self.done


Telling = Callable[[Doing], None]
Weighing = Callable[[Sequence[Work]], float]


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
        todo = list(_missing(benches))
        total = sum(weigh(works) for _, _, works, weigh in todo)
        done, started = 0.0, time.perf_counter()
        for rank in RANKS:
            for bench, cell, _, weigh in (one for one in todo if one[1].rank == rank):
                for works in bench.run(cell):
                    done += weigh(works)
                    if progress is not None:
                        progress(Doing(_named(bench, cell), done, total, time.perf_counter() - started))

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


def _missing(benches: Sequence[Bench]) -> Iterator[tuple[Bench, Cell, list[Work], Weighing]]:
    """The cells that lack texts; one that two baselines have in common once."""
    seen = set[bytes]()
    for bench in benches:
        for cell in bench.cells():
            key = cell.digest + bench.pair.name.encode()
            if key not in seen and (works := bench.missing(cell)):
                yield bench, cell, works, partial(_weighed, cell)
            seen.add(key)


def _weighed(cell: Cell, works: Sequence[Work]) -> float:
    """Rows times their length."""
    lengths = [len(work.example.request.text.split()) + 2 for work in works]
    return sum(weight(cell, length) * length for length in lengths)


def _named(bench: Bench, cell: Cell) -> str:
    how = f" by {cell.operator}" if isinstance(cell, JudgeCell) else ""
    return f"{bench.pair.name} {cell.row}{how} ({bench.baseline})"
