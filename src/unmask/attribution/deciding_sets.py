"""Deciding sets of one text: the smallest sets found that change the prediction, or that keep it by themselves.

A set must change or keep the predicted label. If no set can change it, or there is no label, a set must instead account
for nine tenths of the change in value when all units are masked.
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
from ..tasks.task import task_facts
from .known_sets import Kind
from .set_ledger import Goal, RowLedger, RowRecord
from .set_search import SetSearch

if TYPE_CHECKING:
    from torch import Tensor

Sets: TypeAlias = int | Literal["auto", "none"]  # a maximum number of passes, or one of these names
Goals: TypeAlias = dict[Kind, Goal]
AUTO = 3  # passes per unit
SHARE = 0.9  # the share of the change in value that a set must account for
NEGLIGIBLE = 1e-3  # a smaller change in value is not worth explaining

LARGEST = 'no deciding sets for the target "max", whose label can change at each step; choose a label'
SPLIT = "no deciding sets: this text is explained in parts, and sets across parts are not supported"
UNMOVED = "the answer stays the same when every {unit} is masked, so it does not depend on the {unit}s"
STILL = (
    "the answer stays the same when every {unit} is masked, and with each of the {count} other sets of {unit}s that"
    " were tried; to search further, raise sets"
)
CANCELED = "no deciding sets: masking all {unit}s together changes the value by less than 0.001"
TOO_FEW = "no {kind} set found within a budget of {passes}; to search further, raise sets"


def check_sets(sets: object) -> Sets:
    """Check the setting `sets` and return it."""
    if sets in ("auto", "none") or (isinstance(sets, int) and not isinstance(sets, bool) and sets > 0):
        return sets
    raise ArgumentError(f'sets={sets!r}: expected "auto", "none" or a number of passes, at least 1')


def default_sets(method: str | Method, *, detail: str | None = None, task: str = "classification") -> Sets:
    """By default, `explain` searches for sets only with `sig`, because the search can reuse its forward passes.

    There is no search with two levels of units, where the passes are spent on words. There is none for tags, spans and
    generated answers either, because they have no single label to decide.
    """
    is_found = resolve_method(method).name == "sig" and detail is None and task_facts(task).is_decided
    return "auto" if is_found else "none"


def row_budget(sets: Sets, units: int) -> int:
    """Return how many passes the search may use for a text with this many units."""
    return {"auto": AUTO * units, "none": 0}[sets] if isinstance(sets, str) else sets


def find_sets(
    instance: Instance,
    record: RowRecord,
    *,
    budget: int,
    unit: str,
    split: Callable[[Perturbation], Sequence[Perturbation]] | None = None,
) -> "Generator[Question, Tensor, tuple[DecidingSets, str | None]]":
    """Search for the necessary and the sufficient set. If one that may exist was not found, also return why.

    Args:
        record: The known outputs: at least those for the unaltered text and for the text with all units masked.
        unit: What messages call a unit, such as "word".
        split: Splits a perturbation of a long text into one input per window.
    """
    return (yield from _Finder(instance, RowLedger(instance, record, budget=budget, split=split)).sets(unit))


class _Finder:
    """Searches for the necessary and the sufficient set of one text."""

    def __init__(self, instance: Instance, ledger: RowLedger) -> None:
        self.target, self.ledger, self.units = instance.target, ledger, range(len(instance.units))
        self.whole, self.at_baseline = ledger.outputs(()), ledger.outputs(self.units)
        self.label_index = decided_label(self.target, self.whole)
        self.label_goals = label_goals(self.target, self.whole)
        self.value_goals = value_goals(self.target, self.whole, self.at_baseline)

    def sets(self, unit: str) -> "Generator[Question, Tensor, tuple[DecidingSets, str | None]]":
        yield from self._singles()
        left = self.ledger.left
        share = left - max(0, min(left // 2, len(self.units) - 2))  # the rest is for the sufficient set
        necessary = yield from self._find("necessary", max(share, min(left, self._reserve())))
        kept = 0 if necessary is None else necessary.steps_cost
        sufficient = yield from self._find("sufficient", self.ledger.left - kept)
        kept = 0 if sufficient is None else sufficient.steps_cost
        if necessary is not None and necessary.best is None:  # try again with the passes that are left
            necessary = yield from self._find("necessary", self.ledger.left - kept)
        both = [one for one in (necessary, sufficient) if one is not None]
        for one in both:
            others = sum(other.steps_cost for other in both if other is not one)
            yield from one.improve(self.ledger.left - others)
        kept = 0 if sufficient is None else sufficient.steps_cost
        necessary = yield from self._find_hidden(necessary, self.ledger.left - kept)
        both = [one for one in (necessary, sufficient) if one is not None]
        found = dict[Kind, DecidingSet | None]()
        for one in both:
            found[one.kind] = yield from self._result(one)
        token = self._answer(self.whole)[0] if isinstance(self.target.head, AnswerHead) else None
        sets = DecidingSets(found.get("necessary"), found.get("sufficient"), Passes(self.ledger.spent), token)
        cut = [one.kind for one in both if found[one.kind] is None and (one.best is not None or not one.is_exhausted)]
        return sets, self._note(unit, cut, is_found=bool(sets))

    def _singles(self) -> "Generator[Question, Tensor, None]":
        """Mask each unit alone, then all units except one; skip either round if too few passes are left for it."""
        everything = frozenset(self.units)
        for masked in ([{unit} for unit in self.units], [everything - {unit} for unit in self.units]):
            rows = list(map(self.ledger.row, masked))
            if self.ledger.cost(rows) + self._reserve() <= self.ledger.left:
                yield from self.ledger.ask(rows)

    def _reserve(self) -> int:
        """Passes to reserve for the steps of the set of all units, while that is the only known necessary set."""
        goal = self.label_goals.get("necessary") or self.value_goals.get("necessary")
        known = [{unit} for unit in self.units if self.ledger.knows({unit})]
        if goal is None or not goal.is_met(self.at_baseline):
            return 0
        if any(goal.is_met(self.ledger.outputs(one)) for one in known):
            return 0
        return self.ledger.cost(self.ledger.row(self.units[:size]) for size in self.units[1:])

    def _find(self, kind: Kind, allowance: int) -> "Generator[Question, Tensor, SetSearch | None]":
        """Search for a set that decides the label, or the value if the search for the label ended without a set."""
        before = self.ledger.spent
        nothing = self.whole if kind == "necessary" else self.at_baseline  # the outputs for the empty set
        goal = self.label_goals.get(kind)
        if goal is not None and not goal.is_met(nothing):
            search = SetSearch(self.ledger, goal, kind)
            yield from search.find(allowance)
            if search.best is not None or not search.has_ended:
                return search
        if (goal := self.value_goals.get(kind)) is None:
            return None
        search = SetSearch(self.ledger, goal, kind)
        yield from search.find(allowance - (self.ledger.spent - before))
        return search

    def _find_hidden(self, found: SetSearch | None, allowance: int) -> "Generator[Question, Tensor, SetSearch | None]":
        """Spend the passes that are left on sets that change the label although the search did not lead there."""
        goal = self.label_goals.get("necessary")
        if goal is None or goal.is_met(self.whole) or (found is not None and found.goal is goal and found.best):
            return found
        search, before = SetSearch(self.ledger, goal, "necessary"), self.ledger.spent
        yield from search.find_further(allowance)
        yield from search.improve(allowance - (self.ledger.spent - before))
        return found if search.best is None and found is not None and found.best else search

    def _result(self, search: SetSearch) -> "Generator[Question, Tensor, DecidingSet | None]":
        """Return the set that was found, with its steps; None if too few passes are left to compute the steps."""
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
        """The predicted label and its probability; in a multi-label model, the target's label and its probability."""
        head, index = self.target.head, self.label_index
        if index is None:
            return None, None
        if isinstance(head, AnswerHead):
            return head.greedy(raw, index)
        if head.activation == "softmax":
            index = head.predicted(raw)
        return head.labels[index], float(head.probabilities(raw)[index])

    def _note(self, unit: str, cut: Sequence[Kind], *, is_found: bool) -> str | None:
        """Why a set is missing; None if the search proved that there is no other set."""
        tried = self.ledger.known_count - 2  # without the whole text and without the text with all units masked
        if cut and not self.value_goals and not is_found and tried >= len(self.units) > 1:
            return STILL.format(unit=unit, count=tried)
        if cut or (self.value_goals and not is_found):
            budget = self.ledger.spent + self.ledger.left
            passes = "1 pass" if budget == 1 else f"{budget} passes"
            return TOO_FEW.format(kind=" and no ".join(cut) or "deciding", passes=passes)
        if is_found:
            return None
        return (UNMOVED if self.label_goals else CANCELED).format(unit=unit)


def decided_label(target: Target, whole: Numbers) -> int | None:
    """Return the label to change or keep: the predicted one, or the target's in a multi-label model; None if no label.

    For a language model, return the position of the target's first token.
    """
    head = target.head
    if head.activation in ("none", "grouped"):
        return None
    if head.activation == "token":
        return target.outputs[0]
    return target.index if head.activation == "sigmoid" else head.predicted(whole)


def label_goals(target: Target, whole: Numbers) -> Goals:
    """Return the goals of changing and of keeping the label; empty if there is no label to change."""
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
    """Return the goals of changing and of keeping the token that a language model predicts at a position."""
    token, _ = head.most_probable(whole, place)

    def is_kept(outputs: Numbers) -> NDArray[np.bool_]:
        return np.asarray(head.most_probable(outputs, place)[0] == token)

    def margin(outputs: Numbers) -> Numbers:
        """The log-odds of the answer's token. The margin over the runner-up would be better, but it is not stored."""
        return np.asarray(outputs[..., place])

    return {
        "necessary": Goal("label", lambda outputs: -margin(outputs), lambda outputs: ~is_kept(outputs)),
        "sufficient": Goal("label", margin, is_kept),
    }


def value_goals(target: Target, whole: Numbers, at_baseline: Numbers) -> Goals:
    """Return the goals for sets that account for most of the change in value; empty if the change is negligible."""
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
