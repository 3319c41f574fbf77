"""Log-odds, comprehensiveness and sufficiency: how the prediction depends on the units that a method ranks first.

    log-odds           log p(x without the top k) - log p(x)      the lower, the better
    comprehensiveness  p(x) - p(x without the top k)              the higher, the better
    sufficiency        p(x) - p(the top k alone)                  the lower, the better

p is the probability of the class predicted for the whole text. For language models, p is the probability of the answer.
The probability of a long answer is close to 0, so comprehensiveness and sufficiency are then differences of log p.
Despite its name (Shrikumar et al. 2017), the metric log-odds is a difference of log-probabilities. It is not the scale
`log_odds` of an explanation.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..questions import Instance, Numbers, Perturbation, Question, ask_outputs
from .perturbations import is_empty, only, without
from .protocols import Protocol
from .registry import metrics_of

if TYPE_CHECKING:
    from torch import Tensor

METRICS = metrics_of("faithfulness")
CURVE = (0.01, 0.05, 0.1, 0.2, 0.5)  # shares of units that the AOPC averages over, as in ERASER
SEEDS = 10  # random orders per text for the control `random`
Read: TypeAlias = Callable[[float], float]
Order: TypeAlias = tuple[int, ...]  # units, the most important first
Altered: TypeAlias = tuple[Perturbation, Perturbation, Perturbation]  # one perturbation per metric


def first_seed(seed: int) -> int:
    """The first seed of the control `random`; evaluations with different seeds share no random order.

    >>> [range(first_seed(seed), first_seed(seed) + SEEDS) for seed in (0, 1)]
    [range(0, 10), range(10, 20)]
    """
    return seed * SEEDS


@dataclass(frozen=True, slots=True)
class FaithfulnessConfig:
    """How an evaluation measures explanations."""

    protocol: Protocol
    operators: tuple[str, ...]  # for the protocol `paper`, only "paper"
    top: float
    curve: tuple[float, ...] = CURVE

    @property
    def shares(self) -> tuple[float, ...]:
        """All shares of the units at which metrics are computed."""
        return tuple(sorted({self.top, *self.curve}))

    def taken(self, operator: str) -> tuple[str, str, str]:
        """The operator that each of the three metrics uses."""
        return self.protocol.operators or (operator, operator, operator)


def rank_units(scores: Sequence[float] | Numbers) -> Order:
    """Rank units by signed score, largest first; in ties, the earlier unit comes first.

    >>> rank_units([0.5, -2.0, 1.0, 0.5])
    (2, 0, 3, 1)
    """
    return tuple(np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable").tolist())


def ranking_scores(scores: Sequence[float], ranking: Sequence[int] | None = None) -> tuple[float, ...]:
    """Scores that rank units as the method does: its scores, or N down to 1 in the order of `ranking` if given.

    >>> ranking_scores([0.5, 2.0, 1.0], [2, 0, 1])
    (2.0, 1.0, 3.0)
    """
    if ranking is None:
        return tuple(scores)
    return tuple(float(len(ranking) - rank) for rank in np.argsort(np.asarray(ranking)).tolist())


def ask_faithfulness(
    instance: Instance, orders: Sequence[Order], config: FaithfulnessConfig
) -> "Generator[Question, Tensor, Numbers]":
    """Evaluate several orders of a text's units, [orders, operators, shares, metrics].

    Each distinct perturbation runs only once. With k = 0, all three metrics are 0, as in the paper's code. If deletion
    would leave no token, they are NaN.
    """
    counts = [config.protocol.count(len(instance.units), share) for share in config.shares]
    queries = [
        _altered(instance, order[:count], config, operator)
        for order in orders
        for operator in config.operators
        for count in counts
    ]
    altered = dict.fromkeys(
        perturbation for query in queries for perturbation in query if not is_empty(instance, perturbation)
    )
    whole, *logs = log_probabilities(instance, (yield from ask_outputs([Perturbation(), *altered])))
    known = dict(zip(altered, logs, strict=True))
    read = compared(instance)
    values = [figures(whole, [known.get(perturbation, np.nan) for perturbation in query], read) for query in queries]
    return np.array(values).reshape(len(orders), len(config.operators), len(config.shares), len(METRICS))


def figures(whole: float, altered: Sequence[float], read: Read = np.exp) -> tuple[float, float, float]:
    """Compute the three metrics from the log-probabilities of the text and of its perturbations.

    Args:
        read: Converts a log-probability to the value that the last two metrics compare; by default a probability.
    """
    without_top, also_without_top, top_alone = altered
    return without_top - whole, read(whole) - read(also_without_top), read(whole) - read(top_alone)


def compared(instance: Instance) -> Read:
    """Whether comprehensiveness and sufficiency use probabilities, or log-probabilities as they are (for answers)."""
    return float if instance.target.outputs or instance.target.head.activation == "none" else np.exp


def log_probabilities(instance: Instance, outputs: "Tensor") -> Numbers:
    """The log-probabilities of the target's class or outputs, [perturbations]; a similarity is returned unchanged."""
    head, index, tokens = instance.target.head, instance.target.index, list(instance.target.outputs)
    if tokens:
        return head.on_scale(outputs, "log_probability")[..., tokens].sum(-1).numpy()  # type: ignore[no-any-return]  # any array
    if head.activation == "none":
        return head.values(outputs)[..., 0].numpy()  # type: ignore[no-any-return]  # any array
    label = head.predicted(instance.whole) if index is None else index
    return head.one_on_scale(outputs, label, "log_probability").numpy()  # type: ignore[no-any-return]  # any array


def areas(values: Numbers, units: int, config: FaithfulnessConfig) -> Numbers:
    """Average [..., shares, metrics] over the curve; shares that come to the same number of units count once."""
    places: dict[int, int] = {}
    for share in config.curve:
        places.setdefault(config.protocol.count(units, share), config.shares.index(share))
    return values[..., list(places.values()), :].mean(-2)  # type: ignore[no-any-return]  # numpy's own types are wider


def _altered(instance: Instance, top: Order, config: FaithfulnessConfig, operator: str) -> Altered:
    """One perturbation per metric, made with that metric's operator.

    Log-odds and comprehensiveness delete the top units; sufficiency deletes all others.
    """
    if not top:
        return Perturbation(), Perturbation(), Perturbation()
    for_odds, for_loss, for_rest = config.taken(operator)
    return without(instance, top, for_odds), without(instance, top, for_loss), only(instance, top, for_rest)
