"""Controls: a greedy choice of units, and predictions with words deleted at random.

Greedy chooses units one at a time. Each is the best next choice according to the metric itself, which explanations
cannot see. Greedy is not an upper bound: the best pair of words need not contain the best single word.
"""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

import numpy as np

from ..questions import Instance, Numbers, Perturbation, Question, ask_outputs
from ..tasks.answer_targets import AnswerHead
from .faithfulness import METRICS, FaithfulnessConfig, compared, figures, log_probabilities
from .perturbations import is_empty, only, without
from .protocols import round_half_up
from .registry import metrics_of

if TYPE_CHECKING:
    from torch import Tensor

GREEDY_UNITS = 64  # greedy is not computed for texts with more units
SHARES = (0.0, 0.1, 0.2, 0.5)  # shares of the units that are deleted at random
DRAWS = 3  # number of random choices per text
SEVERAL = "random deletion is not shown, since the labels are not mutually exclusive"
NO_LABEL = "random deletion is not shown, since the model does not predict a single label"
UNSHOWN = {"sigmoid": SEVERAL, "grouped": NO_LABEL, "none": NO_LABEL}  # why random deletion is missing, by activation
ANSWERS = "comprehensiveness and sufficiency are differences of the answer's log-probability"
FADING = metrics_of("deletion")
Alteration = Callable[[Instance, tuple[int, ...], str], Perturbation]


def greedy(instance: Instance, config: FaithfulnessConfig) -> "Generator[Question, Tensor, Numbers]":
    """The three metrics at the top share, [operators, metrics]; units are chosen for each metric separately."""
    table = np.full((len(config.operators), len(METRICS)), np.nan)
    if len(instance.units) > GREEDY_UNITS:
        return table
    (whole,) = log_probabilities(instance, (yield from ask_outputs([Perturbation()])))
    count = config.protocol.count(len(instance.units), config.top)
    for at, operator in enumerate(config.operators):
        for_odds, for_loss, for_rest = config.taken(operator)
        odds = yield from _search(instance, without, for_odds, count=count, sign=-1)
        loss = odds if for_loss == for_odds else (yield from _search(instance, without, for_loss, count=count, sign=-1))
        rest = yield from _search(instance, only, for_rest, count=count, sign=1)
        table[at] = figures(whole, (odds, loss, rest), compared(instance)) if count else 0.0
    return table


def _search(
    instance: Instance, alteration: Alteration, operator: str, *, count: int, sign: int
) -> "Generator[Question, Tensor, float]":
    """The log-probability after `count` greedy choices that maximize it (`sign` 1) or minimize it (-1)."""
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


def random_deletion(
    instance: Instance, operators: tuple[str, ...], *, gold: int | None, seed: int
) -> "Generator[Question, Tensor, Numbers]":
    """Accuracy against the gold label (NaN without one), agreement with the prediction, and its probability.

    Returns means over a few random choices of units, [operators, shares, 3]; larger shares contain smaller ones.
    """
    draw = instance.rng(seed)
    orders = [draw.permutation(len(instance.units)).tolist() for _ in range(DRAWS)]
    queries = [
        [
            without(instance, order[: round_half_up(len(instance.units), share)], operator) if share else Perturbation()
            for order in orders
        ]
        for operator in operators
        for share in SHARES
    ]
    altered = dict.fromkeys(
        perturbation for query in queries for perturbation in query if not is_empty(instance, perturbation)
    )
    outputs = yield from ask_outputs(altered)
    table = _answers_kept(instance, outputs) if instance.target.outputs else _labels_kept(instance, outputs, gold)
    known = dict(zip(altered, table, strict=True))
    nothing = np.full(len(FADING), np.nan)
    values = [np.mean([known.get(perturbation, nothing) for perturbation in query], 0) for query in queries]
    return np.array(values).reshape(len(operators), len(SHARES), len(FADING))


def _labels_kept(instance: Instance, outputs: "Tensor", gold: int | None) -> Numbers:
    """Per input: whether it gets the gold label, whether it keeps the original label, and that label's probability."""
    head, predicted = instance.target.head, instance.target.head.predicted(instance.whole)
    labels, confidence = outputs.argmax(-1).numpy(), head.one_on_scale(outputs, predicted, "probability").numpy()
    right = np.full(len(outputs), np.nan) if gold is None else (labels == gold).astype(float)
    return np.stack([right, labels == predicted, confidence], -1)


def _answers_kept(instance: Instance, outputs: "Tensor") -> Numbers:
    """Per input: NaN, the share of answer tokens whose top prediction is the same as for the whole prompt, and the
    geometric mean of the answer tokens' probabilities, [rows, 3]."""
    head, tokens = instance.target.head, list(instance.target.outputs)
    assert isinstance(head, AnswerHead)
    pairs = [(head.most_probable(outputs, one)[0], head.most_probable(instance.whole, one)[0]) for one in tokens]
    agreement = np.stack([(rows == whole).numpy() for rows, whole in pairs], -1).mean(-1)
    logs = head.on_scale(outputs, "log_probability")[..., tokens].mean(-1).numpy()
    return np.stack([np.full(len(outputs), np.nan), agreement, np.exp(logs)], -1)
