"""Runs the questions of many texts at once, in batches, and hands the results back in order.

Between two results no hook is on the model and nothing of it is changed.
"""

import logging
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from torch import Tensor

from ..errors import GateError, MemoryLimitError, ModelError, UnmaskError, first_line
from ..models import equivalence
from ..models.adapter import Adapter
from ..progress import Progress, Report
from ..questions import DeepLiftQuery, Embeddings, Perturbation
from ..results.metadata import Passes
from ..text.spans import shorten
from .batching import pack_rows
from .deeplift import ROWS, deeplift_contributions
from .forward import Row, RowOutput, Subject, is_out_of_memory, run_rows, text_and_baseline
from .job import ActiveJob, Job, PendingRow, Result
from .timing import seconds_per_row

CPU_TOKENS, DEVICE_TOKENS = 2_048, 16_384  # a batch's budget; more was no faster on two cores
GRADIENT = 2  # a batch with gradients has so many times fewer tokens
TEXTS = 256  # under way at once: enough that rows of like length fill batches
WINDOW = 32  # batches that are sorted by length together; results wait for them
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JobResult(Generic[Result]):
    """How a job ended: a result or an error, the rows that it took and its share of the model's time."""

    result: Result | None
    error: UnmaskError | None
    passes: Passes
    seconds: float

    def unwrap(self) -> Result:
        """The result; raises the error where there is none."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


class Engine:
    """Answers questions with one model.

    Args:
        batch_tokens: The token budget of a batch; halved for good when a batch does not fit in memory.
    """

    def __init__(self, adapter: Adapter, *, batch_tokens: int | None = None) -> None:
        self._adapter = adapter
        tokens = batch_tokens or (CPU_TOKENS if adapter.device.type == "cpu" else DEVICE_TOKENS)
        self._budgets = {False: tokens, True: max(1, tokens // GRADIENT)}  # without gradients, and with
        self._pads = adapter.pads
        self._tried = set[int | None]()  # baselines with which the gate was passed

    def run(
        self, jobs: Iterable[Job[Result] | UnmaskError], *, progress: Report | None = None
    ) -> Iterator[JobResult[Result]]:
        """The outcomes of the jobs, lazily and in order; an error in a job's place is its outcome."""
        source, under_way = iter(jobs), deque[ActiveJob[Result]]()
        finished = rows = 0
        while self._admit(source, under_way):
            for batch in self._batches(under_way):
                self._answer(batch)
                rows += len(batch)
                for outcome in _finished(under_way):
                    finished += 1
                    yield outcome
                if progress is not None:
                    progress(Progress(finished, rows))
            for outcome in _finished(under_way):  # those that asked nothing
                finished += 1
                yield outcome
        if progress is not None:
            progress(Progress(finished, rows))

    def seconds_per_row(self, examples: Sequence[Row]) -> Iterator[float]:
        """The time of one row like each of these on this machine, measured.

        Raises:
            UnmaskError: Where the model fails on one of them.
        """
        for row in examples:
            try:
                self._pass_gate(row.subject)
                yield seconds_per_row(self._adapter, row, budget=self._budgets[row.target is not None])
            except UnmaskError:
                raise
            except Exception as error:
                raise _explained(error, row) from error

    def _admit(self, source: Iterator[Job[Result] | UnmaskError], under_way: deque[ActiveJob[Result]]) -> bool:
        """Take in texts until there is enough to fill the next batches; whether any is under way."""
        waiting = sum(running.waiting for running in under_way)
        while len(under_way) < TEXTS and waiting < WINDOW * self._budgets[False]:
            if (job := next(source, None)) is None:
                break
            under_way.append(running := ActiveJob(job, alone=self._answer_alone))
            waiting += running.waiting
        return bool(under_way)

    def _batches(self, under_way: Iterable[ActiveJob[Result]]) -> Iterator[list[PendingRow]]:
        """The next rows to run, those with gradients apart."""
        window = list(self._window(under_way))
        for is_sloped, budget in self._budgets.items():
            rows = [row for row in window if (row.target is not None) is is_sloped]
            yield from pack_rows(rows, budget, padded=self._pads)

    def _window(self, under_way: Iterable[ActiveJob[Result]]) -> Iterator[PendingRow]:
        """The next rows to run, those of the oldest texts first."""
        tokens = 0
        for running in under_way:
            for row in running.rows():
                if tokens >= WINDOW * self._budgets[False]:
                    return
                tokens += row.length
                yield row

    def _answer(self, rows: Sequence[PendingRow]) -> None:
        """Run the rows and tell their owners; where that fails, find out by halves whose fault it is."""
        rows = [row for row in rows if row.owner.wants(row)]
        if not rows:
            return
        is_sloped = rows[0].target is not None
        try:
            self._pass_gate(rows[0].subject)
            parts = [rows] if self._pads else list(pack_rows(rows, self._budgets[is_sloped], padded=False))
            started = time.perf_counter()
            found = run_rows(self._adapter, rows) if len(parts) == 1 else None
        except GateError:
            raise
        except Exception as error:  # a model may raise anything
            failure = _explained(error, rows[0])
        else:
            if found is not None:
                _tell(rows, found, (time.perf_counter() - started) / len(rows))
                return
            for part in parts:  # that padding matters was not known when the batch was made
                self._answer(part)
            return
        if len(rows) == 1:  # outside the handler: its traceback would keep the failed batch's tensors alive
            rows[0].owner.fail(rows[0], failure)
            return
        if isinstance(failure, MemoryLimitError):
            self._budgets[is_sloped] = min(self._budgets[is_sloped], max(1, len(rows) * rows[0].length // 2))
            logger.warning("a batch of %d rows does not fit in memory; going on with smaller ones", len(rows))
        self._answer(rows[: len(rows) // 2])
        self._answer(rows[len(rows) // 2 :])

    def vectors(self, subject: Subject) -> Tensor:
        """The vectors of a text and of its baseline, [2, tokens, width]."""
        return self._answer_alone(subject, Embeddings())[0]

    def _answer_alone(self, subject: Subject, question: Embeddings | DeepLiftQuery) -> tuple[Tensor, Passes]:
        """A text's vectors, or what DeepLift asks; an error of the model's is the text's own."""
        try:
            if isinstance(question, Embeddings):
                return text_and_baseline(self._adapter, subject), Passes(0, 0)
            self._pass_gate(subject)
            return _finite(
                deeplift_contributions(self._adapter, subject, question), Row(subject, question.perturbation)
            ), Passes(ROWS, ROWS)
        except GateError:
            raise
        except Exception as error:
            raise _explained(error, Row(subject, Perturbation())) from error

    def _pass_gate(self, subject: Subject) -> None:
        if subject.baseline.id in self._tried:
            return
        verdict = equivalence.check_equivalence(self._adapter, subject.encoded, subject.baseline)
        if verdict is not equivalence.PaddingCheck.UNKNOWN:
            self._tried.add(subject.baseline.id)
            self._pads = verdict is equivalence.PaddingCheck.PADDED


def _finished(under_way: deque[ActiveJob[Result]]) -> Iterator[JobResult[Result]]:
    """The oldest texts' outcomes, as far as they are there: none overtakes another."""
    while under_way and under_way[0].is_done:
        done = under_way.popleft()
        yield JobResult(done.result, done.error, Passes(done.forward, done.backward), done.seconds)


def _tell(rows: Sequence[PendingRow], found: Sequence[RowOutput], seconds: float) -> None:
    """Give each row's owner its answer, or an error where that is no numbers."""
    for row, answer in zip(rows, found, strict=True):
        if answer.is_finite:
            row.owner.learn(row, answer, seconds=seconds)
        else:
            row.owner.fail(row, _not_finite(row, answer))


def _finite(features: Tensor, row: Row) -> Tensor:
    """Features that are numbers, [tokens, width], or an error."""
    answer = RowOutput(features.new_zeros(0), features)
    if not answer.is_finite:
        raise _not_finite(row, answer)
    return features


def _not_finite(row: Row, answer: RowOutput) -> ModelError:
    is_altered = row.perturbation.moved or row.perturbation.dropped
    what = "with some of its words replaced" if is_altered else "as it is"
    name, values = shorten(row.subject.encoded.segments[0].text), answer.outputs
    if values.isfinite().all():
        return ModelError(f"the model's gradient for {name!r}, {what}, is not finite")
    return ModelError(f"the model's outputs for {name!r}, {what}, are not finite: {values.tolist()}")


def _explained(error: Exception, row: Row) -> UnmaskError:
    if isinstance(error, UnmaskError):
        return error
    if is_out_of_memory(error):
        return MemoryLimitError(
            f"one text of {row.length} tokens does not fit in memory ({first_line(error)})",
            hint="use a smaller dtype, a smaller max_length or a shorter text",
        )
    failure = ModelError(f"the model failed on this text: {first_line(error)}")
    failure.__cause__ = error.with_traceback(None)
    return failure
