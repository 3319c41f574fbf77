"""A plan at work in a folder: what is there is not done again, and what is done is kept at once."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..errors import InputError
from .cost import eta_kinds
from .eta import EtaModel
from .lock import held
from .memory import give_back
from .plan import Plan
from .runner import PairRunner
from .store import Store, is_made
from .store_keys import LEFT, PLAN
from .work_items import MetricItem, ScoreItem, WorkItem

if TYPE_CHECKING:
    from ..attribution.session import ModelSession
    from ..results.report import Report

NOTING = 5  # seconds after which the time that is left is noted again
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is, said after every chunk."""

    what: str
    seconds: float
    left: float  # seconds, at the pace so far

    @property
    def share(self) -> float:
        """How much of it is done."""
        return self.seconds / (self.seconds + self.left)


@dataclass(slots=True)
class PendingItem:
    """A cell that lacks texts."""

    bench: PairRunner
    cell: WorkItem
    texts: int
    left: float  # work: rows times their lengths

    @property
    def kinds(self) -> tuple[tuple[str, ...], ...]:
        """Whose pace it has: its own on this pair, else that of its sorts there, else of all that was done there."""
        kind = "judging" if isinstance(self.cell, MetricItem) else "scoring"
        pair = self.bench.pair.name
        return *((pair, kind, sort) for sort in eta_kinds(self.cell)), (pair,)


ReportProgress = Callable[[RunProgress], None]


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
        self._held: tuple[str, ModelSession] | None = None  # one model in memory at a time

    def go(self, *, retry_failed: bool = False, progress: ReportProgress | None = None) -> None:
        """Do what is not done; ends at once where all is there."""
        for pair in self.plan.pairs():
            pair.check_there()
        _made(self.folder)
        is_made(self.folder)  # what is not ours is refused before anything is put beside it
        with held(self.folder):
            store = Store(self.folder)
            try:
                self._work(store, progress, retry_failed=retry_failed)
            finally:
                store.close()

    def report(self, *, reference: str | None = None, times: bool = False) -> "Report":
        """What is there, as a value that can be drawn; another process may be at work."""
        from .reporting import report

        return report(self.folder, self.plan, reference=reference, times=times)

    def benches(self, store: Store) -> Iterator[PairRunner]:
        """Every pair under every baseline."""
        for pair in self.plan.pairs():
            for baseline in self.plan.baselines:
                yield PairRunner(self.plan, pair, baseline, store, self._session)

    def _work(self, store: Store, progress: ReportProgress | None, *, retry_failed: bool) -> None:
        benches = list(self.benches(store))
        if retry_failed:
            _forget_failures(store, benches)
        todo = list(missing(benches))
        for bench in benches:
            bench.note_texts()
        store.note(PLAN, self.plan.to_dict())  # now that all of it can be read
        store.note(LEFT, None)
        pace, started, noted = EtaModel(), time.perf_counter(), 0.0
        for bench, ours in groupby(sorted(todo, key=lambda one: one.cell.rank), key=lambda one: one.bench):
            cells = list(ours)
            bench.open()
            chunks = ((cell, chunk) for cell in cells for chunk in timed(bench.run(cell.cell)))
            for one, (seconds, works) in chunks:
                give_back()
                work = sum(bench.work(one.cell, each) for each in works)
                one.texts, one.left = one.texts - len(works), one.left - work
                pace.learn(one.kinds, texts=len(works), work=work, seconds=seconds)
                left = sum(pace.seconds(other.kinds, texts=other.texts, work=other.left) for other in todo)
                doing = RunProgress(_named(bench, one.cell), time.perf_counter() - started, left)
                if progress is not None:
                    progress(doing)
                if not noted or doing.seconds - noted > NOTING:
                    store.note(LEFT, left)
                    noted = doing.seconds
            for one in cells:
                one.texts, one.left = 0, 0.0  # also where another dataset had some of its texts
            bench.close()
        store.note(LEFT, 0.0)

    def _session(self, source: str) -> "ModelSession":
        """The model of that source; the one before is let go."""
        if self._held is None or self._held[0] != source:
            from ..attribution.session import ModelSession
            from ..models.huggingface.adapter import HuggingFaceAdapter
            from ..models.huggingface.loading import load

            self._held = None
            model, tokenizer = load(source, device=self._device, dtype=self.plan.dtype)
            adapter = HuggingFaceAdapter(model, tokenizer)
            session = ModelSession(adapter, max_length=self.plan.max_length, batch_tokens=self._batch_tokens)
            self._held = (source, session)
        return self._held[1]


def missing(benches: Iterable[PairRunner]) -> Iterator[PendingItem]:
    """The cells that lack texts; one that two baselines have in common once."""
    seen = set[bytes]()
    for bench in benches:
        for cell in bench.cells():
            key = cell.digest + bench.pair.name.encode()
            if key not in seen and (works := bench.missing(cell)):
                yield PendingItem(bench, cell, len(works), sum(bench.work(cell, one) for one in works))
            seen.add(key)
        bench.close()


def _forget_failures(store: Store, benches: Iterable[PairRunner]) -> None:
    for bench in benches:
        cells = list(bench.cells())
        store.forget_failures("scores", [cell.digest for cell in cells if isinstance(cell, ScoreItem)])
        store.forget_failures("judgments", [cell.digest for cell in cells if isinstance(cell, MetricItem)])
        bench.close()


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"a run is kept in a folder, and {str(folder)!r} cannot be one: {error.strerror}", hint="name another one"
        ) from error


def timed(source: Iterator[Item]) -> Iterator[tuple[float, Item]]:
    """Each item, and how long it took to come."""
    started = time.perf_counter()
    for item in source:
        yield time.perf_counter() - started, item
        started = time.perf_counter()


def _named(bench: PairRunner, cell: WorkItem) -> str:
    how = f" by {cell.operator}" if isinstance(cell, MetricItem) and cell.operator else ""
    return f"{bench.pair.name} {cell.row}{how} ({bench.baseline})"
