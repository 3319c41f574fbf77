"""One text under way: its generator, the question that it waits for, and the answers that are known."""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

import torch
from torch import Tensor

from ..errors import UnmaskError
from ..questions import DeepLiftQuery, Embeddings, Outputs, PathGradients, Perturbation, Question
from ..results.metadata import Passes
from .forward import Row, RowOutput, Subject

Result = TypeVar("Result")
Alone: TypeAlias = Callable[[Subject, Embeddings | DeepLiftQuery], tuple[Tensor, Passes]]


@dataclass(frozen=True, slots=True)
class Job(Generic[Result]):
    """One text and the generator that asks about it."""

    subject: Subject
    asking: Generator[Question, Tensor, Result]


class ActiveJob(Generic[Result]):
    """Drives one job to its end. The outputs of the same probe are never asked for twice.

    Args:
        alone: Answers the questions that share no batch with other texts, and says what that took.
    """

    def __init__(self, job: Job[Result] | UnmaskError, *, alone: Alone) -> None:
        self.result: Result | None = None
        self.error: UnmaskError | None = None
        self.is_done = False
        self.forward = self.backward = 0
        self.seconds = 0.0
        self._alone = alone
        self._question: Question | None = None
        self._known: dict[Perturbation, Tensor] = {}
        self._missing: dict[Perturbation | int, None] = {}  # ordered: probes, or the places of a question for slopes
        self._sums: Tensor | None = None  # [sums, tokens, width]
        if isinstance(job, UnmaskError):
            self.error, self.is_done = job, True
            return
        self._subject, self._asking = job.subject, job.asking
        self._advance(lambda: next(self._asking))

    @property
    def waiting(self) -> int:
        """The tokens of all rows that must run before the question can be answered."""
        return len(self._missing) * len(self._subject.encoded.ids) if self._missing else 0

    def rows(self) -> Iterator["PendingRow"]:
        """What must run before the question can be answered."""
        for key in list(self._missing):
            yield self._row(key)

    def wants(self, row: "PendingRow") -> bool:
        """Whether the question that is open now still lacks this row."""
        return row.question is self._question and row.key in self._missing

    def learn(self, row: "PendingRow", answer: RowOutput, *, seconds: float) -> None:
        """Take one row's answer, and go on once the question is answered."""
        self._known[row.perturbation] = answer.outputs
        self.forward += 1
        self.seconds += seconds
        if answer.slope is not None:
            self.backward += 1
        if not self.wants(row):
            return
        if isinstance(self._question, PathGradients) and isinstance(row.key, int):
            self._add(torch.from_numpy(self._question.weights[:, row.key]), answer.slope)
        del self._missing[row.key]
        if not self._missing:
            self._advance(lambda: self._asking.send(self._answer()))

    def fail(self, row: "PendingRow", error: UnmaskError) -> None:
        """Throw a row's error to the asker, who may catch it and ask something else."""
        if self.wants(row):
            self._advance(lambda: self._asking.throw(error))

    def _row(self, key: Perturbation | int) -> "PendingRow":
        question = self._question
        if isinstance(question, PathGradients) and isinstance(key, int):
            step = None if question.steps is None else question.steps[key]
            perturbation, target = question.perturbations[key], question.target
            return PendingRow(self._subject, perturbation, target, step, owner=self, question=question, key=key)
        assert isinstance(key, Perturbation)
        return PendingRow(self._subject, key, owner=self, question=question, key=key)

    def _advance(self, resume: Callable[[], Question]) -> None:
        """Resume the asker; what it asks and is known already is answered at once."""
        try:
            self._ask(resume())
            while not self._missing:
                self._ask(self._asking.send(self._answer()))
        except StopIteration as stop:
            self.result, self.is_done = stop.value, True
        except UnmaskError as error:
            self.error, self.is_done = error, True
        if self.is_done:
            self._missing.clear()
            self._question = self._sums = None

    def _ask(self, question: Question) -> None:
        self._question, self._sums = question, None
        if isinstance(question, Outputs):
            perturbations = map(self._plain, question.perturbations)
            self._missing = {perturbation: None for perturbation in perturbations if perturbation not in self._known}
        elif isinstance(question, PathGradients):
            self._missing = dict.fromkeys(range(len(question.perturbations)))

    def _plain(self, perturbation: Perturbation) -> Perturbation:
        """The same altered text in one way only: what stays where it is does not move."""
        kept = self._subject.kept
        if kept and perturbation.to == "baseline":
            perturbation = replace(
                perturbation, moved=tuple(token for token in perturbation.moved if token not in kept)
            )
        return perturbation if perturbation.moved or perturbation.dropped else Perturbation()

    def _answer(self) -> Tensor:
        question = self._question
        if isinstance(question, Embeddings | DeepLiftQuery):
            return self._answer_alone(question)
        if isinstance(question, Outputs):
            return torch.stack([self._known[self._plain(perturbation)] for perturbation in question.perturbations])
        assert self._sums is not None
        return self._sums

    def _answer_alone(self, question: Embeddings | DeepLiftQuery) -> Tensor:
        started = time.perf_counter()
        found, passes = self._alone(self._subject, question)
        self.seconds += time.perf_counter() - started
        self.forward += passes.forward
        self.backward += passes.backward
        return found

    def _add(self, weights: Tensor, slope: Tensor | None) -> None:
        """Take one row into all sums; weights [sums], slope [tokens, width]."""
        assert slope is not None
        if self._sums is None:
            self._sums = slope.new_zeros(len(weights), *slope.shape)
        for total, weight in zip(self._sums, weights.tolist(), strict=True):
            total.add_(slope, alpha=weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRow(Row):
    """A row, and the text that waits for it."""

    owner: ActiveJob[Any]
    question: Question | None
    key: Perturbation | int
