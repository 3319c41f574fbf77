"""Runs the inputs needed for many texts in batches, and yields results in order. The model is left unchanged."""

import logging
import time
import timeit
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from torch import Tensor

from ..errors import GateError, MemoryLimitError, UnmaskError
from ..models import equivalence
from ..models.adapter import Adapter
from ..progress import Progress, Report
from ..questions import DeepLiftQuery, Embeddings, Perturbation
from ..results.metadata import Passes
from .batching import pack_rows, split_by_positions
from .calibration import BudgetTrial, kept_budget, usual_budget
from .deeplift import ROWS, deeplift_contributions
from .failures import explained, not_finite
from .forward import EngineText, PendingRow, is_finite, is_out_of_memory, run_rows, text_and_baseline
from .job import ActiveJob, Job, JobGroup, JobResult, Result
from .prefix import PrefixRunner, pack_by_prefix, repays

CPU_LOGITS, DEVICE_LOGITS = 2**24, 2**28  # logits in memory at once; on a CPU, 64 MB in float32
GRADIENT = 2  # a batch with gradients is smaller by this factor
TEXTS = 256  # texts in progress at once: enough to fill batches with inputs of similar length
TIMED = 1.0  # seconds for one measurement, unless a single input takes longer
WINDOW = 32  # number of batches whose inputs are sorted by length together
FEW = 4  # the same, if the order of texts may change after each batch
logger = logging.getLogger(__name__)

Combine: TypeAlias = Callable[[Sequence[Any]], Any]
UnderWay: TypeAlias = tuple[list[ActiveJob[Any]], Combine]  # the jobs of one text, and how to combine their results


class Engine:
    """Runs jobs on one model; inputs of different texts share batches.

    Args:
        batch_tokens: The token budget of a batch; with None or `auto`, it is measured during the first long job on this
            machine. If a batch does not fit in memory, the budget is permanently halved.
    """

    def __init__(self, adapter: Adapter, *, batch_tokens: int | Literal["auto"] | None = None) -> None:
        self._adapter = adapter
        known = batch_tokens if isinstance(batch_tokens, int) else kept_budget(adapter)
        self._trial = BudgetTrial(adapter) if known is None else None
        self.first_tokens = known or usual_budget(adapter)  # the budget before anything has run
        self._budgets = _budgets(self.first_tokens)
        self._pads = adapter.pads
        self._positions = _position_budget(adapter)
        self._prefixes = PrefixRunner(adapter)
        self._tried = set[tuple[int | None, bool]]()  # baselines that passed the equivalence check

    def run(
        self, jobs: Iterable[Job[Result] | JobGroup[Result] | UnmaskError], *, progress: Report | None = None
    ) -> Iterator[JobResult[Result]]:
        """Yield the results of jobs and job groups, lazily and in order. An error in place of a job is its result."""
        source, under_way = iter(jobs), deque[UnderWay]()
        finished = rows = 0
        while self._admit(source, under_way):
            for batch in self._batches(under_way):
                self._run_batch(batch)
                rows += len(batch)
                for result in _finished(under_way):
                    finished += 1
                    yield result
                if progress is not None:
                    progress(Progress(finished, rows, _partial(under_way)))
            for result in _finished(under_way):  # texts without questions
                finished += 1
                yield result
        self._prefixes.forget()
        if progress is not None:
            progress(Progress(finished, rows))

    @property
    def batch_tokens(self) -> int:
        """The current token budget of a batch without gradients."""
        return self._budgets[False]

    def _try_budgets(self, rows: list[PendingRow]) -> Iterator[list[PendingRow]]:
        """If there are enough rows, take batches of several sizes from them; the fastest size becomes the budget."""
        if self._trial is not None and self._pads:
            yield from self._trial.batches(rows)
            if self._trial.choice is not None:
                self._budgets, self._trial = _budgets(self._trial.choice), None

    def seconds_per_row(self, examples: Sequence[PendingRow]) -> Iterator[float]:
        """Yield, for each example, the measured time of one such input on this machine."""
        for row in examples:
            try:
                self._pass_gate(row.text)
                yield self._seconds_per_row(row)
            except UnmaskError:
                raise
            except Exception as error:
                raise explained(error, row) from error

    def _seconds_per_row(self, row: PendingRow) -> float:
        """Measure the time of one such input after a warm-up, in batches as large as in a run."""
        alone = self._seconds([row])
        rows = min(self._budgets[row.target is not None] // row.length, int(TIMED / max(alone, 1e-6)))
        while rows > 1:
            try:
                return self._seconds([row] * rows) / rows
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
            rows //= 2
        return alone

    def _seconds(self, rows: Sequence[PendingRow]) -> float:
        """The shorter of two measured times."""
        return min(timeit.repeat(lambda: run_rows(self._adapter, rows), number=1, repeat=2))

    def _admit(self, source: Iterator[Job[Any] | JobGroup[Any] | UnmaskError], under_way: deque[UnderWay]) -> bool:
        """Start texts until the next batches can be filled; return whether any text is in progress."""
        waiting = sum(job.waiting for jobs, _ in under_way for job in jobs)
        while len(under_way) < TEXTS and waiting < WINDOW * self._budgets[False]:
            if (entry := next(source, None)) is None:
                break
            under_way.append(self.start(entry))
            waiting += sum(job.waiting for job in under_way[-1][0])
        return bool(under_way)

    def start(self, entry: Job[Any] | JobGroup[Any] | UnmaskError) -> UnderWay:
        """Start the jobs of one text; each runs until it first needs the model."""
        parts, combine = (entry.jobs, entry.combine) if isinstance(entry, JobGroup) else ([entry], itemgetter(0))
        return [ActiveJob[Any](part, single_text=self._answer_single) for part in parts], combine

    def run_first(self, under_way: Sequence[UnderWay]) -> None:
        """Run one batch that includes the first input of these texts; if the batch fails, so do its jobs."""
        first = next((row for jobs, _ in under_way for job in jobs for row in job.rows()), None)
        batches = () if first is None else self._batches(under_way, ahead=FEW)
        batch = next((batch for batch in batches if first and any(map(first.is_same, batch))), [])
        try:
            self._run_batch(batch)
        except Exception as error:  # from the equivalence check or a faulty method
            for owner in {row.owner for row in batch if row.owner is not None}:
                owner.abandon(explained(error, batch[0]))

    def rest(self) -> None:
        """Free memory that is kept between batches."""
        self._prefixes.forget()

    def _batches(self, under_way: Iterable[UnderWay], *, ahead: int = WINDOW) -> Iterator[list[PendingRow]]:
        """Yield the next batches, oldest texts first; inputs that need gradients get separate batches."""
        window, tokens, most = list[PendingRow](), 0, ahead * self._budgets[False]
        for row in (row for jobs, _ in under_way for job in jobs for row in job.rows()):
            if tokens >= most:
                break
            tokens += row.length
            window.append(row)
        yield from self._behind_prefixes(window)
        for has_gradient in (False, True):
            rows = [row for row in window if (row.target is not None) is has_gradient]
            for batch in self._try_budgets([] if has_gradient else rows):
                yield from split_by_positions(batch, self._positions)
            for batch in pack_rows(rows, self._budgets[has_gradient], padded=self._pads):
                yield from split_by_positions(batch, self._positions)

    def _behind_prefixes(self, window: list[PendingRow]) -> Iterator[list[PendingRow]]:
        """Yield batches for texts with enough inputs to share a cached prefix; remove those inputs from the window."""
        texts = dict[int, list[PendingRow]]()
        for row in window:
            if row.text.shares_prefix and self._prefixes.shares(row):
                texts.setdefault(id(row.text), []).append(row)
        for rows in texts.values():
            if not repays(rows):
                continue
            taken = set(map(id, rows))
            window[:] = [row for row in window if id(row) not in taken]
            for batch in pack_by_prefix(rows, self._budgets[False]):
                yield from split_by_positions(batch, self._positions)

    def _run_batch(self, rows: Sequence[PendingRow]) -> None:
        """Run a batch and deliver the outputs; after a failure, find the faulty input by bisection."""
        rows = [row for row in rows if row.owner is not None and row.owner.needs(row)]
        if not rows:
            return
        has_gradient = rows[0].target is not None
        try:
            self._pass_gate(rows[0].text)
            parts = [rows] if self._pads else list(pack_rows(rows, self._budgets[has_gradient], padded=False))
            started = time.perf_counter()
            run = self._prefixes.run if self._trial is None else partial(self._trial.timed, self._prefixes.run)
            outputs = run(rows) if len(parts) == 1 else None
        except GateError:
            raise
        except Exception as error:  # a model may raise anything
            failure = explained(error, rows[0])
        else:
            if outputs is not None:
                _deliver(rows, outputs, (time.perf_counter() - started) / len(rows))
                return
            for part in parts:  # whether padding changes outputs was unknown when the batch was made
                self._run_batch(part)
            return
        if len(rows) == 1:  # outside the handler: its traceback would keep the failed batch's tensors alive
            if rows[0].owner is not None:
                rows[0].owner.fail(rows[0], failure)
            return
        if isinstance(failure, MemoryLimitError):
            tokens = max(1, len(rows) * rows[0].length // 2)
            self._budgets[has_gradient] = min(self._budgets[has_gradient], tokens)
            logger.warning("a batch of %d inputs does not fit in memory; continuing with smaller batches", len(rows))
        self._run_batch(rows[: len(rows) // 2])
        self._run_batch(rows[len(rows) // 2 :])

    def vectors(self, text: EngineText) -> Tensor:
        """Return the embeddings of a text and of its baseline, [2, tokens, width]."""
        return self._answer_single(text, Embeddings())[0]

    def _answer_single(self, text: EngineText, question: Embeddings | DeepLiftQuery) -> tuple[Tensor, Passes]:
        """Answer a question about embeddings or DeepLift; an error in the model fails only this text."""
        try:
            if isinstance(question, Embeddings):
                return text_and_baseline(self._adapter, text), Passes(0, 0)
            self._pass_gate(text)
            contributions = deeplift_contributions(self._adapter, text, question)
            if not is_finite(contributions):
                raise not_finite(PendingRow(text, question.perturbation), None)
            return contributions, Passes(ROWS, ROWS)
        except GateError:
            raise
        except Exception as error:
            raise explained(error, PendingRow(text, Perturbation())) from error

    def _pass_gate(self, text: EngineText) -> None:
        baseline = (text.baseline.id, text.baseline.is_ignored)
        if baseline in self._tried:
            return
        padding = equivalence.check_equivalence(
            self._adapter, text.encoded, text.baseline, reads_tokens=text.readout.positions is not None
        )
        if padding is not equivalence.PaddingCheck.UNKNOWN:
            self._tried.add(baseline)
            self._pads = padding is equivalence.PaddingCheck.PADDED


def _budgets(tokens: int) -> dict[bool, int]:
    """Return the token budgets of batches without and with gradients."""
    return {False: tokens, True: max(1, tokens // GRADIENT)}


def _position_budget(adapter: Adapter) -> int | None:
    """Return how many positions a batch may read if each needs logits for the whole vocabulary; None for no limit."""
    vocabulary = getattr(adapter, "vocabulary_size", None)
    if vocabulary is None:
        return None
    return max(1, (CPU_LOGITS if adapter.device.type == "cpu" else DEVICE_LOGITS) // int(vocabulary))


def _finished(under_way: deque[UnderWay]) -> Iterator[JobResult[Any]]:
    """Yield the results of finished texts in order, up to the first unfinished one."""
    while under_way and (all(job.is_done for job in under_way[0][0]) or any(job.error for job in under_way[0][0])):
        yield combined_result(*under_way.popleft())


def _partial(under_way: Iterable[UnderWay]) -> float:
    """Return the summed progress of the unfinished texts."""
    return sum(sum(job.share_done for job in jobs) / len(jobs) for jobs, _ in under_way)


def combined_result(jobs: Sequence[ActiveJob[Any]], combine: Combine) -> JobResult[Any]:
    """Combine the results of finished jobs; if one failed, the result is its error."""
    passes = Passes(sum(job.forward for job in jobs), sum(job.backward for job in jobs))
    seconds = sum(job.seconds for job in jobs)
    error = next((job.error for job in jobs if job.error is not None), None)
    result = None
    if error is None:
        try:
            result = combine([job.result for job in jobs])
        except UnmaskError as failure:
            error = failure
    return JobResult(result, error, passes, seconds)


def _deliver(rows: Sequence[PendingRow], values: Sequence[tuple[Tensor, Tensor | None]], seconds: float) -> None:
    """Give each job the outputs and gradients of its inputs, or an error if they are not finite."""
    for row, (outputs, product) in zip(rows, values, strict=True):
        if row.owner is None:
            continue
        if not is_finite(outputs):
            row.owner.fail(row, not_finite(row, outputs))
        elif product is not None and not is_finite(product):
            row.owner.fail(row, not_finite(row, None))
        else:
            row.owner.accept(row, outputs, product, seconds=seconds)
