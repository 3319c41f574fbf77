"""A strong reference: units chosen one at a time, each the best next choice for the metric itself.

It sees what no explanation sees, the metric. It is not an upper bound: two words may be worth more than the best word
and the best one beside it.
"""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

import numpy as np

from ..questions import Instance, Numbers, Perturbation, Question, ask_outputs
from .faithfulness import METRICS, FaithfulnessConfig, figures, log_probabilities
from .perturbations import is_empty, only, without

if TYPE_CHECKING:
    from torch import Tensor

UNITS = 64  # of longer texts it is not computed
Alteration = Callable[[Instance, tuple[int, ...], str], Perturbation]


def greedy(instance: Instance, exam: FaithfulnessConfig) -> "Generator[Question, Tensor, Numbers]":
    """The three metrics at the top share, each for choices of its own: [operators, metrics]."""
    table = np.full((len(exam.operators), len(METRICS)), np.nan)
    if len(instance.units) > UNITS:
        return table
    (whole,) = log_probabilities(instance, (yield from ask_outputs([Perturbation()])))
    count = exam.protocol.count(len(instance.units), exam.top)
    for at, operator in enumerate(exam.operators):
        for_odds, for_loss, for_rest = exam.taken(operator)
        odds = yield from _search(instance, without, for_odds, count=count, sign=-1)
        loss = odds if for_loss == for_odds else (yield from _search(instance, without, for_loss, count=count, sign=-1))
        rest = yield from _search(instance, only, for_rest, count=count, sign=1)
        table[at] = figures(whole, (odds, loss, rest)) if count else 0.0
    return table


def _search(
    instance: Instance, alteration: Alteration, operator: str, *, count: int, sign: int
) -> "Generator[Question, Tensor, float]":
    """The log-probability after so many choices, each of which makes it largest (`sign` 1) or smallest (-1)."""
    chosen: tuple[int, ...] = ()
    best = np.nan
    for _ in range(count):
        left = [unit for unit in range(len(instance.units)) if unit not in chosen]
        perturbations = [alteration(instance, (*chosen, unit), operator) for unit in left]
        if any(is_empty(instance, perturbation) for perturbation in perturbations):
            return np.nan
        values = log_probabilities(instance, (yield from ask_outputs(perturbations)))
        at = int(np.argmax(sign * values))
        chosen, best = (*chosen, left[at]), float(values[at])
    return best
