"""Bookkeeping of a search for deciding sets: the known outputs, the remaining passes, and the goal of a set."""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import UnmaskError
from ..questions import Instance, Numbers, Outputs, PathGradients, Perturbation, Question, ask_outputs
from ..results.deciding_sets import Question as SetQuestion

if TYPE_CHECKING:
    from torch import Tensor

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Goal:
    """What a set must do to the outputs: `reach` measures the progress, `is_met` tells whether the goal is reached."""

    question: SetQuestion
    reach: Callable[[Numbers], Numbers]  # from [..., outputs] to [...]
    is_met: Callable[[Numbers], NDArray[np.bool_]]


class RowRecord:
    """Records which perturbations with fully masked units a method has run, and their outputs if it requested them.

    Args:
        own_baseline: Tokens that masking does not change.
    """

    def __init__(self, own_baseline: frozenset[int]) -> None:
        self.known: dict[Perturbation, Numbers] = {}
        self.free: set[Perturbation] = set()
        self._own_baseline = own_baseline

    def follow(self, asking: "Generator[Question, Tensor, Result]") -> "Generator[Question, Tensor, Result]":
        """Run a method: pass on its requests and the outputs or errors it gets back, and record the perturbations."""
        try:
            question = next(asking)
            while True:
                try:
                    answer = yield question
                except UnmaskError as error:
                    question = asking.throw(error)
                    continue
                self._note(question, answer)
                question = asking.send(answer)
        except StopIteration as stop:
            result: Result = stop.value
            return result

    def _note(self, question: Question, answer: "Tensor") -> None:
        if isinstance(question, Outputs):
            rows = zip(question.perturbations, answer.numpy(), strict=True)
            self.known |= {self._row(row): outputs for row, outputs in rows if _is_masked(row)}
        elif isinstance(question, PathGradients):
            self.free |= {self._row(row) for row in question.perturbations if _is_masked(row)}

    def _row(self, perturbation: Perturbation) -> Perturbation:
        return Perturbation(tuple(sorted(set(perturbation.moved) - self._own_baseline)))


def _is_masked(perturbation: Perturbation) -> bool:
    return perturbation.to == "baseline" and not perturbation.alpha and not perturbation.dropped


class RowLedger:
    """The known outputs for perturbations of one text, and the number of passes left.

    Perturbations that ran without their outputs being recorded can be requested again at no cost.

    Args:
        split: Splits a perturbation of a long text into one pass per window; by default, it takes one pass.
    """

    def __init__(
        self,
        instance: Instance,
        record: RowRecord,
        *,
        budget: int,
        split: Callable[[Perturbation], Sequence[Perturbation]] | None = None,
    ) -> None:
        self.count, self.left, self.spent = len(instance.units), budget, 0
        self._instance, self._known, self._free = instance, dict(record.known), record.free
        self._split = split or (lambda row: [row])
        self._done = {part for row in (*record.known, *record.free) for part in self._passes(row)}
        self._rows: dict[frozenset[int], Perturbation] = {}

    @property
    def known_count(self) -> int:
        """The number of perturbations whose outputs are known."""
        return len(self._known)

    def row(self, masked: Collection[int]) -> Perturbation:
        """Return the perturbation that masks these units."""
        key = frozenset(masked)
        if key not in self._rows:
            tokens = {token for unit in key for token in self._instance.units[unit]} - self._instance.own_baseline
            self._rows[key] = Perturbation(tuple(sorted(tokens)))
        return self._rows[key]

    def knows(self, masked: Collection[int]) -> bool:
        """Whether the outputs with these units masked are known."""
        return self.row(masked) in self._known

    def outputs(self, masked: Collection[int]) -> Numbers:
        """The outputs with these units masked, which must be known."""
        return self._known[self.row(masked)]

    def known_sets(self) -> Iterator[frozenset[int]]:
        """The sets of units whose outputs when masked are known."""
        unit_of = {token: unit for unit, tokens in enumerate(self._instance.units) for token in tokens}
        for row in self._known:
            masked = frozenset(unit_of[token] for token in row.moved if token in unit_of)
            if self.row(masked) == row:
                yield masked

    def cost(self, rows: Iterable[Perturbation]) -> int:
        """Return the number of passes that these perturbations take."""
        return len({part for row in rows if row not in self._known for part in self._passes(row)} - self._done)

    def _passes(self, row: Perturbation) -> Iterable[tuple[int, Perturbation]]:
        """Return the passes that a perturbation takes; windows that it leaves unchanged have already run."""
        parts = self._split(row)
        return ((at, part) for at, part in enumerate(parts) if len(parts) == 1 or part.moved)

    def ask(self, rows: Iterable[Perturbation]) -> "Generator[Question, Tensor, None]":
        """Request the outputs of the perturbations that are not known yet."""
        if missing := list(dict.fromkeys(row for row in rows if row not in self._known)):
            cost = self.cost(missing)
            outputs = yield from ask_outputs(missing)
            self._done.update(part for row in missing for part in self._passes(row))
            self._known |= zip(missing, outputs.numpy(), strict=True)
            self.left, self.spent = self.left - cost, self.spent + cost
