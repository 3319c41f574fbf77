"""Deciding sets of one text: the fewest units found whose masking changes the answer, and the fewest that keep it.

The question is the predicted label. Only where no set can change it, or where there is no label, is it the value: nine
tenths of the change when all units are masked.
"""

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ..methods.base import Method
from ..methods.registry import resolve_method
from ..questions import Instance, Numbers, Perturbation, Question
from ..results.deciding_sets import DecidingSet, DecidingSets, SetStep
from ..results.metadata import Passes
from ..tasks.answer_targets import AnswerHead
from ..tasks.targets import Target
from .set_ledger import Goal, Ledger, RowRecord
from .set_search import Kind, SetSearch

if TYPE_CHECKING:
    from torch import Tensor

Sets: TypeAlias = int | Literal["auto", "none"]  # the setting: a number of rows, or one of these
Goals: TypeAlias = dict[Kind, Goal]
AUTO = 3  # rows for each unit
DECIDED = ("classification", "multiple_choice", "similarity")  # tasks whose sets are found without being asked for
SHARE = 0.9  # of the change, for the question of value
NEGLIGIBLE = 1e-3  # a change that no set accounts for

LARGEST = 'no deciding sets for the target "max", which can change at each step; choose a label'
SPLIT = "no deciding sets: this text is explained in parts, and sets across parts are not searched"
UNMOVED = "masking every {unit} leaves the answer as it is: this answer does not come from the {unit}s"
CANCELED = "no deciding sets: masking all {unit}s together changes the value by less than 0.001"
TOO_FEW = "no deciding set found within {rows} passes; allow more with sets=NUMBER"


def check_sets(sets: object) -> Sets:
    """The setting `sets`, checked."""
    if sets in ("auto", "none") or (isinstance(sets, int) and not isinstance(sets, bool) and sets > 0):
        return sets
    raise ArgumentError(f'sets={sets!r}: expected "auto", "none" or a number of passes, at least 1')


def default_sets(method: str | Method, *, detail: str | None = None, task: str = "classification") -> Sets:
    """What `explain` does if the setting is not given: sets come with `sig`, whose rows the search uses.

    With two levels of units, the rows are for words. Tags, spans and answers have no one label to decide.
    """
    is_found = resolve_method(method).name == "sig" and detail is None and task in DECIDED
    return "auto" if is_found else "none"


def row_budget(sets: Sets, units: int) -> int:
    """The rows that the search may take for a text of that many units."""
    return {"auto": AUTO * units, "none": 0}[sets] if isinstance(sets, str) else sets


def find_sets(
    instance: Instance,
    record: RowRecord,
    *,
    budget: int,
    unit: str,
    split: Callable[[Perturbation], Sequence[Perturbation]] | None = None,
) -> "Generator[Question, Tensor, tuple[DecidingSets, str | None]]":
    """Search both sets; also returns why there are none.

    Args:
        record: What is known of the text, at least its own outputs and those with all units masked.
        unit: What units are called in a sentence.
        split: The rows that a perturbation takes, if it takes more than one: those of a text's windows.
    """
    return (yield from _Finder(instance, Ledger(instance, record, budget=budget, split=split)).sets(unit))


class _Finder:
    """Searches both sets of one text."""

    def __init__(self, instance: Instance, ledger: Ledger) -> None:
        self.target, self.ledger, self.units = instance.target, ledger, range(len(instance.units))
        self.whole, self.at_baseline = ledger.outputs(()), ledger.outputs(self.units)
        self.label_index = decided_label(self.target, self.whole)
        self.label_goals = label_goals(self.target, self.whole)
        self.value_goals = value_goals(self.target, self.whole, self.at_baseline)

    def sets(self, unit: str) -> "Generator[Question, Tensor, tuple[DecidingSets, str | None]]":
        yield from self._singles()
        necessary = yield from self._find(
            "necessary", self.ledger.left - max(0, min(self.ledger.left // 2, len(self.units) - 2))
        )
        kept = 0 if necessary is None else necessary.steps_cost
        sufficient = yield from self._find("sufficient", self.ledger.left - kept)
        if necessary is not None and necessary.best is None:  # rows that were left may do
            kept = 0 if sufficient is None else sufficient.steps_cost
            necessary = yield from self._find("necessary", self.ledger.left - kept)
        both = [one for one in (necessary, sufficient) if one is not None]
        for one in both:
            others = sum(other.steps_cost for other in both if other is not one)
            yield from one.improve(self.ledger.left - others)
        found = dict[Kind, DecidingSet | None]()
        for one in both:
            found[one.kind] = yield from self._result(one)
        sets = DecidingSets(found.get("necessary"), found.get("sufficient"), Passes(self.ledger.spent))
        return sets, None if sets else self._note(unit, is_cut=any(not one.is_complete for one in both))

    def _singles(self) -> "Generator[Question, Tensor, None]":
        """Ask for the text without each unit and for each unit alone, if the budget has room for all of them."""
        everything = frozenset(self.units)
        for masked in ([{unit} for unit in self.units], [everything - {unit} for unit in self.units]):
            rows = list(map(self.ledger.row, masked))
            if self.ledger.cost(rows) <= self.ledger.left:
                yield from self.ledger.ask(rows)

    def _find(self, kind: Kind, allowance: int) -> "Generator[Question, Tensor, SetSearch | None]":
        """Search a set that decides the label; one that decides the value where no set can change the label."""
        before = self.ledger.spent
        nothing = self.whole if kind == "necessary" else self.at_baseline  # with no unit chosen
        goal = self.label_goals.get(kind)
        if goal is not None and not goal.is_met(nothing):
            search = SetSearch(self.ledger, goal, kind)
            yield from search.find(allowance)
            if search.best is not None or not search.is_complete:
                return search
        if (goal := self.value_goals.get(kind)) is None:
            return None
        search = SetSearch(self.ledger, goal, kind)
        yield from search.find(allowance - (self.ledger.spent - before))
        return search

    def _result(self, search: SetSearch) -> "Generator[Question, Tensor, DecidingSet | None]":
        """The set that was found, with its steps; None if the rows that are left do not cover them."""
        if search.best is None or search.steps_cost > self.ledger.left:
            return None
        yield from self.ledger.ask(search.rows(search.steps))
        outputs = [self.ledger.outputs(search.masked(part)) for part in search.steps]
        steps = [self._step(unit, raw) for unit, raw in zip(search.best, outputs, strict=True)]
        label, probability = self._answer(outputs[-1])
        return DecidingSet(
            units=search.best,
            question=search.goal.question,
            steps=tuple(steps),
            label=label,
            label_probability=probability,
            is_minimal=search.is_minimal,
            is_smallest=search.is_smallest,
            stopped=None if search.is_minimal else "budget",
        )

    def _step(self, unit: int, raw: Numbers) -> SetStep:
        label, _ = self._answer(raw)
        of = self.label_index
        probability = None if of is None else float(self.target.head.probabilities(raw)[of])
        return SetStep(unit, label, float(self.target(raw)), probability, tuple(self.target.head.values(raw).tolist()))

    def _answer(self, raw: Numbers) -> tuple[str | None, float | None]:
        """The label of the outputs and its probability; in a multi-label model, those of the target's label."""
        head, index = self.target.head, self.label_index
        if index is None:
            return None, None
        if isinstance(head, AnswerHead):
            return head.greedy(raw, index)
        if head.activation == "softmax":
            index = head.predicted(raw)
        return head.labels[index], float(head.probabilities(raw)[index])

    def _note(self, unit: str, *, is_cut: bool) -> str | None:
        """Why there is no set."""
        if is_cut or self.value_goals:
            return TOO_FEW.format(rows=self.ledger.spent)
        values = self.target(self.ledger.all_outputs())
        is_still = self.label_goals or np.ptp(values) < NEGLIGIBLE
        return (UNMOVED if is_still else CANCELED).format(unit=unit)


def decided_label(target: Target, whole: Numbers) -> int | None:
    """The label that sets are about: the predicted one, or the target's in a multi-label model; None without labels.

    Of a language model: the place of the target's first token.
    """
    head = target.head
    if head.activation in ("none", "grouped"):
        return None
    if head.activation == "token":
        return target.outputs[0]
    return target.index if head.activation == "sigmoid" else head.predicted(whole)


def label_goals(target: Target, whole: Numbers) -> Goals:
    """Change the label, or keep it; empty if there is no label to change."""
    label, head = decided_label(target, whole), target.head
    if label is None or target.against is not None or (head.activation == "softmax" and len(head.labels) < 2):
        return {}

    if isinstance(head, AnswerHead):
        return token_goals(head, whole, label)

    def margin(outputs: Numbers) -> Numbers:
        """How far the label is from changing; negative if it has changed."""
        if head.activation == "sigmoid":
            return np.asarray(outputs[..., label] if whole[label] > 0 else -outputs[..., label])
        return np.asarray(outputs[..., label] - np.delete(outputs, label, -1).max(-1))

    def is_kept(outputs: Numbers) -> NDArray[np.bool_]:
        if head.activation == "sigmoid":
            return np.asarray((outputs[..., label] > 0) == (whole[label] > 0))
        return np.asarray(outputs.argmax(-1) == label)

    return {
        "necessary": Goal("label", lambda outputs: -margin(outputs), lambda outputs: ~is_kept(outputs)),
        "sufficient": Goal("label", margin, is_kept),
    }


def token_goals(head: AnswerHead, whole: Numbers, place: int) -> Goals:
    """Change the token that a language model would write in a place, or keep it."""
    token, _ = head.most_probable(whole, place)

    def is_kept(outputs: Numbers) -> NDArray[np.bool_]:
        return np.asarray(head.most_probable(outputs, place)[0] == token)

    def margin(outputs: Numbers) -> Numbers:
        """The log-odds of the answer's token: the second most probable token, which would tell more, is not kept."""
        return np.asarray(outputs[..., place])

    return {
        "necessary": Goal("label", lambda outputs: -margin(outputs), lambda outputs: ~is_kept(outputs)),
        "sufficient": Goal("label", margin, is_kept),
    }


def value_goals(target: Target, whole: Numbers, at_baseline: Numbers) -> Goals:
    """Make most of the change of the target's value; empty if masking all units changes it by next to nothing."""
    top, bottom = float(target(whole)), float(target(at_baseline))
    together = top - bottom
    if not abs(together) >= NEGLIGIBLE:
        return {}

    def lost(outputs: Numbers) -> Numbers:
        return np.asarray((top - target(outputs)) / together)

    def added(outputs: Numbers) -> Numbers:
        return np.asarray((target(outputs) - bottom) / together)

    return {
        "necessary": Goal("value", lost, lambda outputs: lost(outputs) >= SHARE),
        "sufficient": Goal("value", added, lambda outputs: added(outputs) >= SHARE),
    }
