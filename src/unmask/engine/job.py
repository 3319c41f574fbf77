"""One text in progress: its generator, the current question (what it needs from the model), and known answers."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

import torch
from torch import Tensor

from ..errors import UnmaskError
from ..models.precision import without_autocast
from ..questions import DeepLiftQuery, Embeddings, Outputs, PathGradients, Perturbation, Question, WindowOutputs
from ..results.metadata import Passes
from .forward import EngineText, PendingRow
from .windows import TextParts

Result = TypeVar("Result")
RowKey: TypeAlias = tuple[int, Perturbation]  # a part of the text, and how it is altered
SingleText: TypeAlias = Callable[[EngineText, Embeddings | DeepLiftQuery], tuple[Tensor, Passes]]


@dataclass(frozen=True, slots=True)
class Job(Generic[Result]):
    """One text and the generator that asks questions about it."""

    text: EngineText
    questions: Generator[Question, Tensor, Result]
    rows: float = 0  # the expected number of inputs, to report progress


@dataclass(frozen=True, slots=True)
class JobGroup(Generic[Result]):
    """Several jobs with one result, such as windows of a long text. If one job fails, the whole group fails."""

    jobs: Sequence[Job[Any]]
    combine: Callable[[Sequence[Any]], Result]  # takes the jobs' results, in order


@dataclass(frozen=True, slots=True)
class JobResult(Generic[Result]):
    """The result or error of a job, its passes and its share of the model's time."""

    result: Result | None
    error: UnmaskError | None
    passes: Passes
    seconds: float

    def unwrap(self) -> Result:
        """Return the result, or raise the error if there is one."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


class ActiveJob(Generic[Result]):
    """Runs one job to completion. The outputs of a perturbation are never computed twice.

    Args:
        single_text: Answers a question that cannot be batched with other texts; returns the answer and its passes.
    """

    def __init__(self, job: Job[Result] | UnmaskError, *, single_text: SingleText) -> None:
        self.result: Result | None = None
        self.error: UnmaskError | None = None
        self.is_done = False
        self.forward = self.backward = 0
        self.seconds = 0.0
        self._single_text = single_text
        self._question: Question | None = None
        self._known: dict[RowKey, Tensor] = {}
        self._missing: dict[RowKey | int, None] = {}  # an ordered set: perturbations, or indices in a gradient question
        self._sums: Tensor | None = None  # [sums, tokens, width]
        if isinstance(job, UnmaskError):
            self.error, self.is_done = job, True
            return
        self._text, self._questions, self._expected = job.text, job.questions, job.rows
        self._parts = TextParts(job.text)
        self._advance(lambda: next(self._questions))

    @property
    def waiting(self) -> int:
        """The number of tokens in all inputs that the current question still needs."""
        return len(self._missing) * self._parts.longest if self._missing else 0

    @property
    def share_done(self) -> float:
        """The fraction of the expected inputs that have run."""
        return 1.0 if self.is_done else self.forward / max(self._expected, self.forward + len(self._missing), 1)

    def rows(self) -> Iterator[PendingRow]:
        """Yield the inputs that the current question still needs."""
        question = self._question
        for key in list(self._missing):
            if isinstance(question, PathGradients) and isinstance(key, int):
                step = None if question.steps is None else question.steps[key]
                yield PendingRow(self._text, question.perturbations[key], question.target, step, self, question, key)
            elif isinstance(key, tuple):
                part, perturbation = key
                yield PendingRow(self._parts.texts[part], perturbation, owner=self, question=question, key=key)

    def needs(self, row: PendingRow) -> bool:
        """Whether the current question still needs this input."""
        return row.question is self._question and row.key in self._missing

    def accept(self, row: PendingRow, outputs: Tensor, product: Tensor | None, *, seconds: float) -> None:
        """Store an input's outputs and gradient times step; resume the generator once the question is answered."""
        self._known[row.key if isinstance(row.key, tuple) else (0, row.perturbation)] = outputs
        self.forward += 1
        self.seconds += seconds
        if product is not None:
            self.backward += 1
        if not self.needs(row):
            return
        if isinstance(self._question, PathGradients) and isinstance(row.key, int):
            assert product is not None
            weights = self._question.weights[:, row.key]
            if self._sums is None:
                self._sums = product.new_zeros(len(weights), *product.shape)
            for total, weight in zip(self._sums, weights.tolist(), strict=True):
                total.add_(product, alpha=weight)
        assert row.key is not None
        del self._missing[row.key]
        if not self._missing:
            self._advance(lambda: self._questions.send(self._answer()))

    def fail(self, row: PendingRow, error: UnmaskError) -> None:
        """Throw an input's error into the generator, which may catch it and ask something else."""
        if self.needs(row):
            self._advance(lambda: self._questions.throw(error))

    def abandon(self, error: UnmaskError) -> None:
        """End the job with an error, which the generator cannot catch."""
        if not self.is_done:
            self._questions.close()
            self.error, self.is_done = error, True
            self._missing.clear()
            self._question = self._sums = None

    def _advance(self, resume: Callable[[], Question]) -> None:
        """Resume the generator; questions whose answers are known are answered at once."""
        try:
            with without_autocast():  # methods compute with tensors too
                self._ask(resume())
                while not self._missing:
                    self._ask(self._questions.send(self._answer()))
        except StopIteration as stop:
            self.result, self.is_done = stop.value, True
        except UnmaskError as error:
            self.error, self.is_done = error, True
        if self.is_done:
            self._missing.clear()
            self._question = self._sums = None

    def _ask(self, question: Question) -> None:
        self._parts.check(question)
        self._question, self._sums = question, None
        if isinstance(question, Outputs | WindowOutputs):
            keys = (key for perturbation in question.perturbations for key in self._rows_of(perturbation))
            self._missing = {key: None for key in keys if key not in self._known}
        elif isinstance(question, PathGradients):
            self._missing = dict.fromkeys(range(len(question.perturbations)))

    def _rows_of(self, perturbation: Perturbation) -> list[RowKey]:
        """Return the inputs that a perturbation needs: one, or one for each window."""
        return [(part, self._canonical(part, one)) for part, one in enumerate(self._parts.split(perturbation))]

    def _canonical(self, part: int, perturbation: Perturbation) -> Perturbation:
        """Return the canonical form of a perturbation: without tokens that it would not change."""
        fixed = self._parts.texts[part].own_baseline
        if fixed and perturbation.to == "baseline":
            moved = tuple(token for token in perturbation.moved if token not in fixed)
            perturbation = replace(perturbation, moved=moved)
        return perturbation if perturbation.moved or perturbation.dropped else Perturbation()

    def _answer(self) -> Tensor:
        question = self._question
        if isinstance(question, Embeddings | DeepLiftQuery):
            started = time.perf_counter()
            answer, passes = self._single_text(self._text, question)
            self.seconds += time.perf_counter() - started
            self.forward += passes.forward
            self.backward += passes.backward
            return answer
        if isinstance(question, Outputs | WindowOutputs):
            rows = [[self._known[key] for key in self._rows_of(one)] for one in question.perturbations]
            if isinstance(question, WindowOutputs):
                return torch.stack([torch.stack(parts) for parts in rows])
            # Averaging logits gives the mean of the log-probabilities, renormalized: the two differ by a constant.
            return torch.stack([parts[0] if len(parts) == 1 else torch.stack(parts).mean(0) for parts in rows])
        assert self._sums is not None
        return self._sums
