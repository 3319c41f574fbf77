"""Texts whose outputs are a table over all subsets of their units, for searches by brute force."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from unmask.attribution.deciding_sets import find_sets
from unmask.attribution.set_ledger import RowRecord
from unmask.questions import Instance, Outputs, Perturbation, Question
from unmask.results.deciding_sets import DecidingSets
from unmask.tasks.targets import Head, TargetName, resolve_target

Table = NDArray[np.float64]  # [2 ** units, outputs]: bit u of a row's number is set if unit u is masked


@dataclass(frozen=True)
class Searched:
    """The result of a search, the perturbations it asked for, and the number of questions it took."""

    sets: DecidingSets
    note: str | None
    rows: int
    questions: int


def units_of(table: Table) -> int:
    return len(table).bit_length() - 1


def number(masked: Iterable[int]) -> int:
    return sum(1 << unit for unit in masked)


def instance(table: Table, *, head: Head, target: TargetName = "predicted") -> Instance:
    return text_of(units_of(table), table[0], head=head, target=target)


def text_of(units: int, whole: Table, *, head: Head, target: TargetName = "predicted") -> Instance:
    scale = "value" if head.activation == "none" else "logit"
    goal = resolve_target(target, scale=scale, head=head, whole=whole)
    return Instance(tuple((unit,) for unit in range(units)), torch.from_numpy(whole), goal, tuple(range(units)))


def search(table: Table, *, head: Head | None = None, **settings: Any) -> Searched:
    """Search a table."""
    head = head or Head(tuple("abcdefgh"[: table.shape[1]]))
    return search_function(units_of(table), lambda masked: table[number(masked)], head=head, **settings)


def search_function(
    units: int,
    outputs: Callable[[tuple[int, ...]], Table],
    *,
    head: Head,
    target: TargetName = "predicted",
    budget: int | None = None,
    knows_singles: bool = True,
) -> Searched:
    """Search a function of the masked units; with `knows_singles`, the outputs without each unit are already known."""
    text, record = text_of(units, outputs(()), head=head, target=target), RowRecord(frozenset())
    known = [(), tuple(range(units)), *(((unit,) for unit in range(units)) if knows_singles else ())]
    record.known = {Perturbation(masked): outputs(masked) for masked in known}
    asking = find_sets(text, record, budget=3 * units if budget is None else budget, unit="word")
    asked, questions = set(record.known), 0
    try:
        question: Question = next(asking)
        while True:
            assert isinstance(question, Outputs)
            assert not asked & set(question.perturbations), "a row is asked for once"
            asked |= set(question.perturbations)
            questions += 1
            answer = np.stack([outputs(row.moved) for row in question.perturbations])
            question = asking.send(torch.from_numpy(answer))
    except StopIteration as stop:
        sets, note = stop.value
        return Searched(sets, note, len(asked) - len(record.known), questions)


def is_met(table: Table, kind: str, question: str, units: Iterable[int], text: Instance) -> bool:
    """Whether a set decides the answer, computed from the definition."""
    everything, chosen = set(range(units_of(table))), set(units)
    masked = chosen if kind == "necessary" else everything - chosen
    outputs, whole, at_baseline = table[number(masked)], table[0], table[-1]
    head, target = text.target.head, text.target
    if question == "label":
        if head.activation == "sigmoid":
            is_kept = (outputs[target.index] > 0) == (whole[target.index] > 0)
        else:
            is_kept = int(np.argmax(outputs)) == int(np.argmax(whole))
        return bool(is_kept) == (kind == "sufficient")
    top, bottom, now = (float(target(row)) for row in (whole, at_baseline, outputs))
    change = top - now if kind == "necessary" else now - bottom
    return bool(change * np.sign(top - bottom) >= 0.9 * abs(top - bottom))


def smallest(table: Table, kind: str, question: str, text: Instance) -> int | None:
    """The size of the smallest deciding set among all subsets; None if there is none."""
    for size in range(1, units_of(table) + 1):
        if any(is_met(table, kind, question, units, text) for units in combinations(range(units_of(table)), size)):
            return size
    return None
