"""A plan at work in a folder: what is there is not done again, and what is done is kept at once."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError
from .cost import GRADIENT_TIME, OPERATIONS
from .identity import LEFT, PLAN
from .plan import Pair, Plan
from .planned_pair import PlannedPair
from .runner import DoneChunk, Runner
from .store import Store, hold, is_made
from .work_items import ScoreItem, WorkItem

if TYPE_CHECKING:
    from ..attribution.session import ModelSession
    from ..results.report import Report

NOTING = 5  # seconds after which the time left is noted again


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is, reported after every chunk."""

    what: str
    seconds: float
    left: float  # seconds, in proportion to the cost that is left

    @property
    def share(self) -> float:
        """How much of it is done."""
        return self.seconds / (self.seconds + self.left)


@dataclass(frozen=True, slots=True)
class PendingItem:
    """A work item that lacks texts."""

    pair: PlannedPair
    item: WorkItem
    texts: int
    cost: float


ReportProgress = Callable[[RunProgress], None]


class Run:
    """A plan and the folder in which its results are kept.

    Args:
        device: Where models run; the best there is by default.
    """

    def __init__(
        self, folder: str | Path, plan: Plan, *, device: str | None = None, batch_tokens: int | None = None
    ) -> None:
        self.folder, self.plan = Path(folder), plan
        self._device, self._batch_tokens = device, batch_tokens
        self._open: tuple[str, ModelSession] | None = None  # one model in memory at a time

    @property
    def opened(self) -> str | None:
        """The model that was opened last; None where none had to be."""
        return None if self._open is None else self._open[0]

    def go(self, *, retry_failed: bool = False, progress: ReportProgress | None = None) -> None:
        """Compute what is missing; returns at once where nothing is."""
        for pair in self.plan.pairs():
            pair.check_there()
        _make(self.folder)
        is_made(self.folder)  # what is not ours is refused before anything is put beside it
        with hold(self.folder):
            store = Store(self.folder)
            try:
                self._work(store, progress, retry_failed=retry_failed)
            finally:
                store.close()

    def report(self, *, reference: str | None = None, times: bool = False) -> "Report":
        """What is there, as a value that can be drawn; another process may be at work."""
        from .reporting import report

        return report(self.folder, self.plan, reference=reference, times=times)

    def pairs(self, store: Store) -> Iterator[PlannedPair]:
        """Every pair under every baseline."""
        for pair in self.plan.pairs():
            for baseline in self.plan.baselines:
                yield PlannedPair(self.plan, pair, baseline, store, self._session)

    def _work(self, store: Store, progress: ReportProgress | None, *, retry_failed: bool) -> None:
        pairs = list(self.pairs(store))
        if retry_failed:
            for pair in pairs:
                _forget_failures(store, pair.runner)
                pair.close()
        todo = list(pending_items(pairs))
        for pair in pairs:
            pair.note_texts()
        store.note(PLAN, self.plan.to_dict())  # now that all of it can be read
        store.note(LEFT, None)
        clock, noted = _Clock(sum(one.cost for one in todo)), 0.0
        groups = groupby(sorted(todo, key=lambda one: one.item.rank), key=lambda one: (one.item.rank, one.pair))
        for (_, pair), group in groups:
            for chunk in self._chunks(pair, [one.item for one in group]):
                doing = clock.after(chunk, pair)
                if progress is not None:
                    progress(doing)
                if not noted or doing.seconds - noted > NOTING:
                    store.note(LEFT, doing.left)
                    noted = doing.seconds
            pair.close()
        store.note(LEFT, 0.0)

    def _chunks(self, pair: PlannedPair, items: list[WorkItem]) -> Iterator[DoneChunk]:
        """The chunks of all items of a rank; which of them lack texts does not change where they end."""
        rank, runner = items[0].rank, pair.runner
        adapter = pair.model.session.adapter
        budget = OPERATIONS.get(adapter.device.type, OPERATIONS["cuda"]) / pair.operations
        return runner.run([item for item in runner.items if item.rank == rank], budget=budget)

    def _session(self, pair: Pair) -> "ModelSession":
        """The model of a pair; the one before is let go."""
        name = f"{pair.address} {pair.labels}"
        if self._open is None or self._open[0] != name:
            from ..attribution.session import ModelSession
            from ..models.huggingface.adapter import HuggingFaceAdapter
            from ..models.huggingface.loading import load

            self._open = None
            model, tokenizer = load(pair.source, device=self._device, dtype=self.plan.dtype, revision=pair.revision)
            session = ModelSession(
                HuggingFaceAdapter(model, tokenizer),
                max_length=self.plan.max_length,
                batch_tokens=self._batch_tokens,
                labels=pair.labels,
            )
            self._open = (name, session)
        return self._open[1]


class _Clock:
    """The time left, in proportion to the cost that is left."""

    def __init__(self, cost: float) -> None:
        self._started, self._total, self._done = time.perf_counter(), cost, 0.0

    def after(self, chunk: DoneChunk, pair: PlannedPair) -> RunProgress:
        """How far a run is after a chunk."""
        self._done += sum(pair.runner.cost(text, items, gradient=GRADIENT_TIME) for text, items in chunk.work)
        seconds = time.perf_counter() - self._started
        left = seconds * max(0.0, self._total - self._done) / self._done if self._done else 0.0
        return RunProgress(f"{pair.pair.name} {', '.join(chunk.rows)} ({pair.baseline})", seconds, left)


def pending_items(pairs: Iterable[PlannedPair]) -> Iterator[PendingItem]:
    """The items that lack texts; one that two baselines have in common once."""
    seen = set[tuple[bytes, str]]()
    for pair in pairs:
        runner = pair.runner
        for item in runner.items:
            key = (item.digest, pair.pair.name)
            if key not in seen and (texts := runner.missing(item)):
                cost = sum(runner.cost(text, [item], gradient=GRADIENT_TIME) for text in texts.values())
                yield PendingItem(pair, item, len(texts), cost)
            seen.add(key)
        pair.close()


def _forget_failures(store: Store, runner: Runner) -> None:
    store.forget_failures("scores", [item.digest for item in runner.items if isinstance(item, ScoreItem)])
    store.forget_failures("judgments", [item.digest for item in runner.items if not isinstance(item, ScoreItem)])


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"a run is kept in a folder, and {str(folder)!r} cannot be one: {error.strerror}", hint="choose another one"
        ) from error
