"""Runs a plan in a folder: skips stored results, stores new ones immediately, and estimates the cost."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..attribution.estimate import rehearse
from ..errors import InputError
from ..executors.base import ExecutionEngine, Executor, LocalEngine
from ..methods.registry import resolve_methods
from .chunk_work import Work
from .identity import LEFT, PLAN, THREADS, KeyedExample, note_of, texts_fact
from .plan import Pair, Plan
from .runner import PairRunner
from .store import Store, hold, is_made
from .stored_paths import stored_pair, stored_plan
from .work_items import GRADIENT, GRADIENT_TIME, ScoreItem, Size, WorkItem, row_counts

if TYPE_CHECKING:
    from ..attribution.session import ModelSession
    from ..results.report import Report

NOTING = 5  # seconds between updates of the stored time left
OPERATIONS = {"cpu": 2e11, "cuda": 2e13, "mps": 2e12}  # per chunk: takes a few seconds
SAMPLE = 50  # number of texts per pair that an estimate is based on
Rates: TypeAlias = dict[bool, float]  # seconds per token, without and with a gradient
Pending: TypeAlias = tuple[PairRunner, WorkItem, float]  # a work item with missing results, and its cost


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a run, reported after every chunk."""

    what: str
    seconds: float
    left: float  # seconds

    @property
    def share(self) -> float:
        """The share that is done."""
        return self.seconds / (self.seconds + self.left)


@dataclass(frozen=True, slots=True)
class PairEstimate:
    """The estimated cost of a pair with one baseline. Work shared by two baselines is counted once.

    `texts` is 0 if no text can be read. If `is_least`, a method refines its scores until they are accurate enough, and
    may take several times as many passes.
    """

    name: str
    baseline: str
    items: int  # work items with missing results
    texts: int
    passes: int
    operations: float  # additions and multiplications
    seconds: float
    is_least: bool


ReportProgress: TypeAlias = Callable[[RunProgress], None]


class Run:
    """A plan and the folder with its results.

    Args:
        device: By default, the best available device.
        engine: `RayEngine(...)` to compute on Ray workers; by default, this process computes. The results are the same.
    """

    def __init__(
        self,
        folder: str | Path,
        plan: Plan,
        *,
        device: str | None = None,
        batch_tokens: int | Literal["auto"] | None = None,
        engine: ExecutionEngine | None = None,
    ) -> None:
        self.folder, self.plan, self._engine = Path(folder), plan, engine or LocalEngine()
        self._device, self._batch_tokens = device, batch_tokens
        self._open: tuple[str, ModelSession] | None = None  # one model in memory at a time

    @property
    def opened(self) -> str | None:
        """The model that was opened last, or None."""
        return None if self._open is None else self._open[0]

    def go(self, *, retry_failed: bool = False, progress: ReportProgress | None = None) -> None:
        """Compute the missing results. Returns at once if there are none."""
        for pair in self.plan.pairs():
            pair.check_there()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"cannot create the folder {str(self.folder)!r}: {error.strerror}", hint="use another folder"
            ) from error
        is_made(self.folder)  # rejects a foreign file before writing anything
        with hold(self.folder), closing(Store(self.folder)) as store, self._engine.open() as executor:
            self._work(store, executor, progress, retry_failed=retry_failed)

    def report(self, *, reference: str | None = None, times: bool = False) -> "Report":
        """Report the results so far, even while another process is running."""
        from .reporting import report

        with closing(Store(self.folder, reading=True)) as store:
            return report(store, self.plan, reference=reference, times=times)

    def estimate(self) -> Iterator[PairEstimate]:
        """Estimate the cost of each pair with each baseline on this machine, ignoring stored results."""
        for one in self.plan.pairs():
            one.check_there()
        rates, seen = dict[str, Rates](), set[tuple[str, bytes]]()
        with closing(Store(None)) as store:
            for pair in self._pairs(store):
                texts = pair.texts[:: -(-len(pair.texts) // SAMPLE) or 1]
                sample = [(text, size) for text in texts if all(size := pair.size(text))]
                name = pair.pair.name
                if sample:
                    rates[name] = rates.get(name) or _rates(pair, sample)
                    yield _estimate(pair, [size for _, size in sample], rates[name], seen)
                else:
                    yield PairEstimate(name, pair.baseline, 0, 0, 0, 0.0, 0.0, is_least=False)
                pair.close()

    def _pairs(self, store: Store) -> Iterator[PairRunner]:
        """Yield each pair with each baseline."""
        for pair, baseline in product(self.plan.pairs(), self.plan.baselines):
            yield PairRunner(self.plan, pair, baseline, store, self._session)

    def _work(self, store: Store, executor: Executor, progress: ReportProgress | None, *, retry_failed: bool) -> None:
        pairs, todo, seen = list[PairRunner](), list[Pending](), set[tuple[str, bytes]]()
        if retry_failed:
            store.forget_damage()
        for pair in self._pairs(store):
            pairs.append(pair)
            if retry_failed:
                store.forget_failures((item.table, item.digest) for item in pair.items)
            todo += pending_items(pair, seen)
            pair.close()
        for pair in pairs:  # so that a report need not read datasets; stored only after all datasets have been read
            store.note(texts_fact(stored_pair(pair.pair, store)), list(map(note_of, pair.examples)))
        store.note(PLAN, stored_plan(self.plan, self.folder).to_dict())
        store.note(LEFT, None)
        threads = _threads(store)
        clock, noted = _Clock(sum(cost for _, _, cost in todo)), 0.0
        ranked = sorted(((item.rank, pair) for pair, item, _ in todo), key=lambda one: one[0])
        for (rank, pair), _ in groupby(ranked):
            for chunk in self._chunks(pair, rank, executor, threads):
                doing = clock.after(chunk, pair)
                if progress is not None:
                    progress(doing)
                if not noted or doing.seconds - noted > NOTING:
                    store.note(LEFT, doing.left)
                    noted = doing.seconds
            pair.close()
        store.note(LEFT, 0.0)

    def _chunks(self, pair: PairRunner, rank: int, executor: Executor, threads: int) -> Iterator[Work]:
        """Run all items that share this rank, even complete ones, so that chunks are the same after a resume."""
        device = pair.model.session.adapter.device.type
        budget = OPERATIONS.get(device, OPERATIONS["cuda"]) / pair.operations
        items = [item for item in pair.items if item.rank == rank]
        return pair.run(items, budget=budget, executor=executor, threads=threads)

    def _session(self, pair: Pair) -> "ModelSession":
        """Open the model of a pair and release the previous one."""
        name = f"{pair.address} {pair.labels} {pair.task}"
        if self._open is None or self._open[0] != name:
            from ..attribution.session import ModelSession
            from ..engine.calibration import usual_budget
            from ..models.huggingface.loading import load
            from ..models.huggingface.opening import open_model

            self._open = None
            adapter = open_model(
                *load(pair.source, device=self._device, dtype=self.plan.dtype, revision=pair.revision, task=pair.task)
            )
            session = ModelSession(
                adapter,
                max_length=self.plan.max_length,
                batch_tokens=self._batch_tokens or usual_budget(adapter),  # the same on every machine
                labels=pair.labels,
            )
            self._open = (name, session)
        return self._open[1]


def _threads(store: Store) -> int:
    """Return the number of torch threads that a run started with, because it can affect the last digits."""
    import torch

    if store.fact(THREADS) is None:
        store.note(THREADS, torch.get_num_threads())
    return int(store.fact(THREADS))


class _Clock:
    """Estimates the time left, in proportion to the remaining cost."""

    def __init__(self, cost: float) -> None:
        self._started, self._total, self._done = time.perf_counter(), cost, 0.0

    def after(self, chunk: Work, pair: PairRunner) -> RunProgress:
        """Return the progress after a chunk."""
        self._done += sum(pair.cost(text, items, gradient=GRADIENT_TIME) for text, items in chunk)
        seconds = time.perf_counter() - self._started
        left = seconds * max(0.0, self._total - self._done) / self._done if self._done else 0.0
        rows = dict.fromkeys(item.row for _, items in chunk for item in items)
        return RunProgress(f"{pair.pair.name} {', '.join(rows)} ({pair.baseline})", seconds, left)


def pending_items(pair: PairRunner, seen: set[tuple[str, bytes]]) -> Iterator[Pending]:
    """Yield work items with missing results and their cost, except items already listed for another baseline."""
    for item in pair.items:
        key = (pair.pair.name, item.digest)
        if key not in seen and (texts := pair.missing(item)):
            yield pair, item, sum(pair.cost(text, [item], gradient=GRADIENT_TIME) for text in texts.values())
        seen.add(key)


def _estimate(pair: PairRunner, sizes: Sequence[Size], rates: Rates, seen: set[tuple[str, bytes]]) -> PairEstimate:
    """Extrapolate the cost from a sample to all texts."""
    items = [item for _, item, _ in pending_items(pair, seen)]
    passes = tokens = seconds = 0.0
    for item, size in product(items, sizes):
        if item.max_units is not None and size[0] > item.max_units:
            continue
        for rows in row_counts(item, size, pair.config.faithfulness):
            read = rows.count * rows.share * size[1]
            passes += rows.count
            tokens += read * (GRADIENT if rows.has_gradient else 1)
            seconds += read * rates[rows.has_gradient]
    texts = len({text.keys["text"] for text in pair.texts})
    each = texts / len(sizes)
    return PairEstimate(
        name=pair.pair.name,
        baseline=pair.baseline,
        items=len(items),
        texts=texts,
        passes=round(passes * each),
        operations=tokens * each * pair.operations,
        seconds=seconds * each,
        is_least=any(isinstance(item, ScoreItem) and item.method is not None and item.method.refines for item in items),
    )


def _rates(pair: PairRunner, sample: Sequence[tuple[KeyedExample, Size]]) -> Rates:
    """Measure the time per token on the text of median length."""
    session = pair.model.session
    middle, _ = sorted(sample, key=lambda one: one[1])[len(sample) // 2]
    (gradient,) = resolve_methods(["grad_x_input"])
    config = replace(next(iter(pair.model.baselines.values())), method=gradient)
    rows = rehearse(session.prepare(middle.example.request, config), config, session.engine)
    both = [next(row for row in rows if (row.target is not None) is sloped) for sloped in (False, True)]
    seconds = session.engine.seconds_per_row(both)
    return {row.target is not None: one / row.length for row, one in zip(both, seconds, strict=True)}
