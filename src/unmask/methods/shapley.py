"""Shapley values (Shapley 1953): a unit's mean contribution over all orders, or random ones (Castro et al. 2009).

SIG is the contribution of a unit that comes last; leave-one-in is the contribution of a unit that comes first. Orders
are drawn in antithetic pairs: each order is used together with its reverse, which cancels much of the error.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb
from operator import or_
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from ..errors import ArgumentError
from ..questions import Asking, Instance, Numbers, Question, Scores, ask_outputs
from .base import MOST, Cost, Method, check_count

if TYPE_CHECKING:
    from torch import Tensor

Units: TypeAlias = int  # a set of units: bit u is set if it contains unit u
ALWAYS_EXACT = 8  # up to this many units, all subsets are computed


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapley(Method):
    """A unit's mean contribution over orders of the units: all orders for short texts, random ones for others.

    Args:
        permutations: The number of orders, even and at least 4; 16 means 8 orders and their reverses.
    """

    permutations: int = 16
    seed: int = 0

    name: ClassVar[str] = "shapley"
    summary: ClassVar[str] = (
        "Score = the {unit}'s average contribution to the {quantity} when {unit}s replace {baseline} one by one, "
        "in all or random orders."
    )
    passes: ClassVar[str] = "permutations x N (2^N up to 8 units)"
    rank: ClassVar[int] = 2
    adds_up: ClassVar[bool] = True
    source: ClassVar[str] = "Shapley 1953"

    def __post_init__(self) -> None:
        check_count("permutations", self.permutations, least=4, most=MOST)
        check_count("seed", self.seed, least=0)
        if self.permutations % 2:
            raise ArgumentError(f"permutations={self.permutations}: expected an even number; orders are drawn in pairs")

    def ask(self, instance: Instance) -> Asking:
        """Request the outputs for subsets of the text's units, with the other units masked."""
        count = len(instance.units)
        if count <= ALWAYS_EXACT or 2**count <= self.permutations * (count - 1) + 2:
            worth = yield from _worth(instance, range(2**count))
            return _scores(instance, _weighted(np.stack([worth[units] for units in range(2**count)])))
        draw = instance.rng(self.seed)
        drawn = [draw.permutation(count).tolist() for _ in range(self.permutations // 2)]
        orders = [both for order in drawn for both in (order, order[::-1])]
        worth = yield from _worth(instance, dict.fromkeys(units for order in orders for units in _grown(order)))
        added = np.stack([_added(worth, order) for order in orders])  # [orders, units, columns]
        return _scores(instance, (added[::2] + added[1::2]) / 2)

    def cost(self, units: int, tokens: int) -> Cost:
        """One forward pass for each step of each order."""
        return Cost(forward=self.permutations * units)


def _worth(instance: Instance, subsets: Iterable[Units]) -> "Generator[Question, Tensor, dict[Units, Numbers]]":
    """For each subset of units, the target's value followed by every output on the target's scale, [1 + outputs]."""
    listed = list(subsets)
    members = ([unit for unit in range(units.bit_length()) if units >> unit & 1] for units in listed)
    outputs = (yield from ask_outputs(map(instance.keep_only, members))).numpy()
    columns = [instance.target(outputs)[:, None], instance.target.head.on_scale(outputs, instance.target.scale)]
    return dict(zip(listed, np.concatenate(columns, -1), strict=True))


def _grown(order: Sequence[int]) -> Iterator[Units]:
    """The subsets obtained by adding units in the given order, from none to all units."""
    return accumulate((1 << unit for unit in order), or_, initial=0)


def _added(worth: Mapping[Units, Numbers], order: Sequence[int]) -> Numbers:
    """The change when each unit is added to the units before it in the order, [units, columns]."""
    steps = np.diff(np.stack([worth[units] for units in _grown(order)]), axis=0)
    return np.asarray(steps[np.argsort(order)])


def _weighted(worth: Numbers) -> Numbers:
    """The mean contribution over all orders, [1, units, columns], from values of all subsets, [2^units, columns]."""
    subsets, count = np.arange(len(worth)), len(worth).bit_length() - 1
    sizes = sum((subsets >> unit & 1 for unit in range(count)), np.zeros_like(subsets))
    shares = np.array([1 / (count * comb(count - 1, size)) for size in range(count)])
    values = []
    for unit in range(count):
        before = subsets[subsets >> unit & 1 == 0]
        values.append(shares[sizes[before]] @ (worth[before | 1 << unit] - worth[before]))
    return np.stack(values)[None]


def _scores(instance: Instance, samples: Numbers) -> Scores:
    """Scores and standard errors of independent samples, [samples, units, columns]; a single sample is exact."""
    mean, count = samples.mean(0), len(samples)
    errors = np.zeros_like(mean) if count == 1 else samples.std(0, ddof=1) / count**0.5
    values, by_output, errors = map(instance.whole.new_tensor, (mean[:, 0], mean[:, 1:], errors[:, 0]))
    return Scores(values, by_output=by_output, standard_errors=errors)
