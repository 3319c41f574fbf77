"""One text under way: its generator, the question that it waits for, and the answers that are known."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor

from ..errors import UnmaskError
from ..probes import Outputs, Probe
from .forward import Row, Subject

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Job(Generic[Result]):
    """One text and the generator that asks about it."""

    subject: Subject
    asking: Generator[Outputs, Tensor, Result]


class Running(Generic[Result]):
    """Drives one job to its end. The same probe is never run twice."""

    def __init__(self, job: Job[Result] | UnmaskError) -> None:
        self.result: Result | None = None
        self.error: UnmaskError | None = None
        self.is_done = False
        self.forward = 0
        self.seconds = 0.0
        self._question: Outputs | None = None
        self._known: dict[Probe, Tensor] = {}
        self._missing: dict[Probe, None] = {}  # ordered
        if isinstance(job, UnmaskError):
            self.error, self.is_done = job, True
            return
        self._subject, self._asking = job.subject, job.asking
        self._advance(lambda: next(self._asking))

    def rows(self) -> list["OwnedRow"]:
        """What must run before the question can be answered."""
        return [OwnedRow(self._subject, probe, self) for probe in self._missing]

    def wants(self, probe: Probe) -> bool:
        """Whether the question that is open now still lacks this row."""
        return probe in self._missing

    def learn(self, probe: Probe, outputs: Tensor, *, seconds: float) -> None:
        """Take one row's raw outputs, [outputs], and go on once the question is answered."""
        self._known[probe] = outputs
        self.forward += 1
        self.seconds += seconds
        if self.wants(probe):
            del self._missing[probe]
        if not self._missing and not self.is_done:
            self._advance(lambda: self._asking.send(self._answer()))

    def fail(self, probe: Probe, error: UnmaskError) -> None:
        """Throw a row's error to the asker, who may catch it and ask something else."""
        if self.wants(probe):
            self._advance(lambda: self._asking.throw(error))

    def _advance(self, resume: Callable[[], Outputs]) -> None:
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

    def _ask(self, question: Outputs) -> None:
        self._question = question
        self._missing = {probe: None for probe in question.probes if probe not in self._known}

    def _answer(self) -> Tensor:
        assert self._question is not None
        return torch.stack([self._known[probe] for probe in self._question.probes])


@dataclass(frozen=True, slots=True)
class OwnedRow(Row):
    """A row, and the text that waits for it."""

    owner: Running[Any]
