"""A strong reference: units chosen one at a time, each the best next choice for the metric itself.

It sees what no explanation sees, the metric. It is not an upper bound: two words may be worth more than the best word
and the best one beside it.
"""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

import numpy as np

from ..probes import Case, Numbers, Probe, Question, outputs
from .faithfulness import METRICS, Exam, figures, log_probabilities
from .operators import is_empty, only, without

if TYPE_CHECKING:
    from torch import Tensor

UNITS = 64  # of longer texts it is not computed
Alteration = Callable[[Case, tuple[int, ...], str], Probe]


def greedy(case: Case, exam: Exam) -> "Generator[Question, Tensor, Numbers]":
    """The three metrics at the top share, each for choices of its own: [operators, metrics]."""
    found = np.full((len(exam.operators), len(METRICS)), np.nan)
    if len(case.units) > UNITS:
        return found
    (whole,) = log_probabilities(case, (yield from outputs([Probe()])))
    count = exam.protocol.count(len(case.units), exam.top)
    for at, operator in enumerate(exam.operators):
        for_odds, for_loss, for_rest = exam.taken(operator)
        odds = yield from _searched(case, without, for_odds, count=count, sign=-1)
        loss = odds if for_loss == for_odds else (yield from _searched(case, without, for_loss, count=count, sign=-1))
        rest = yield from _searched(case, only, for_rest, count=count, sign=1)
        found[at] = figures(whole, (odds, loss, rest)) if count else 0.0
    return found


def _searched(
    case: Case, alteration: Alteration, operator: str, *, count: int, sign: int
) -> "Generator[Question, Tensor, float]":
    """The log-probability after so many choices, each of which makes it largest (`sign` 1) or smallest (-1)."""
    chosen: tuple[int, ...] = ()
    best = np.nan
    for _ in range(count):
        left = [unit for unit in range(len(case.units)) if unit not in chosen]
        probes = [alteration(case, (*chosen, unit), operator) for unit in left]
        if any(is_empty(case, probe) for probe in probes):
            return np.nan
        values = log_probabilities(case, (yield from outputs(probes)))
        at = int(np.argmax(sign * values))
        chosen, best = (*chosen, left[at]), float(values[at])
    return best
