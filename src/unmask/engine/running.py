"""One text under way: its generator, the question that it waits for, and the answers that are known."""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

import torch
from torch import Tensor

from ..errors import UnmaskError
from ..parts import Passes
from ..probes import Outputs, Probe, Question, Rescaled, Slopes, Vectors
from .forward import Answer, Row, Subject

Result = TypeVar("Result")
Alone: TypeAlias = Callable[[Subject, Vectors | Rescaled], tuple[Tensor, Passes]]


@dataclass(frozen=True, slots=True)
class Job(Generic[Result]):
    """One text and the generator that asks about it."""

    subject: Subject
    asking: Generator[Question, Tensor, Result]


class Running(Generic[Result]):
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
        self._known: dict[Probe, Tensor] = {}
        self._missing: dict[Probe | int, None] = {}  # ordered: probes, or the places of a question for slopes
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

    def rows(self) -> Iterator["OwnedRow"]:
        """What must run before the question can be answered."""
        for key in list(self._missing):
            yield self._row(key)

    def wants(self, row: "OwnedRow") -> bool:
        """Whether the question that is open now still lacks this row."""
        return row.question is self._question and row.key in self._missing

    def learn(self, row: "OwnedRow", answer: Answer, *, seconds: float) -> None:
        """Take one row's answer, and go on once the question is answered."""
        self._known[row.probe] = answer.outputs
        self.forward += 1
        self.seconds += seconds
        if answer.slope is not None:
            self.backward += 1
        if not self.wants(row):
            return
        if isinstance(self._question, Slopes) and isinstance(row.key, int):
            self._add(torch.from_numpy(self._question.weights[:, row.key]), answer.slope)
        del self._missing[row.key]
        if not self._missing:
            self._advance(lambda: self._asking.send(self._answer()))

    def fail(self, row: "OwnedRow", error: UnmaskError) -> None:
        """Throw a row's error to the asker, who may catch it and ask something else."""
        if self.wants(row):
            self._advance(lambda: self._asking.throw(error))

    def _row(self, key: Probe | int) -> "OwnedRow":
        question = self._question
        if isinstance(question, Slopes) and isinstance(key, int):
            step = None if question.steps is None else question.steps[key]
            probe, target = question.probes[key], question.target
            return OwnedRow(self._subject, probe, target, step, owner=self, question=question, key=key)
        assert isinstance(key, Probe)
        return OwnedRow(self._subject, key, owner=self, question=question, key=key)

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
            probes = map(self._plain, question.probes)
            self._missing = {probe: None for probe in probes if probe not in self._known}
        elif isinstance(question, Slopes):
            self._missing = dict.fromkeys(range(len(question.probes)))

    def _plain(self, probe: Probe) -> Probe:
        """The same altered text in one way only: what stays where it is does not move."""
        kept = self._subject.kept
        if kept and probe.to == "baseline":
            probe = replace(probe, moved=tuple(token for token in probe.moved if token not in kept))
        return probe if probe.moved or probe.dropped else Probe()

    def _answer(self) -> Tensor:
        question = self._question
        if isinstance(question, Vectors | Rescaled):
            return self._answer_alone(question)
        if isinstance(question, Outputs):
            return torch.stack([self._known[self._plain(probe)] for probe in question.probes])
        assert self._sums is not None
        return self._sums

    def _answer_alone(self, question: Vectors | Rescaled) -> Tensor:
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
class OwnedRow(Row):
    """A row, and the text that waits for it."""

    owner: Running[Any]
    question: Question | None
    key: Probe | int
