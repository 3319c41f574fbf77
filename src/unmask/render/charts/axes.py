"""Axes: from numbers to places in a picture, and round numbers for the ticks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

ROUND = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """A range of numbers along a line of the picture."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a number stands."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.start + share * (self.end - self.start)


def ticks(low: float, high: float, *, most: int = 6) -> list[float]:
    """Round numbers from at or below the lowest to at or above the highest.

    >>> ticks(-0.03, 0.47), ticks(-2.3, -0.1), ticks(0.5, 0.5)
    ([-0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [-2.5, -2.0, -1.5, -1.0, -0.5, 0.0], [0.5, 0.6])
    """
    step = _step((high - low) or 0.1, most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(at * step, 12) + 0.0 for at in range(first, max(last, first + 1) + 1)]


def labels(values: Sequence[float]) -> list[str]:
    """The ticks as they are written, all with the same digits.

    >>> labels([-0.5, 0.0, 0.5]), labels([0.0, 20.0])
    (['−0.5', '0.0', '0.5'], ['0', '20'])
    """
    step = min((later - one for one, later in pairwise(values)), default=1.0)
    digits = max(0, math.ceil(-math.log10(step) - 1e-9))
    return [f"{value:.{digits}f}".replace("-", "−") for value in values]


def apart(wanted: Sequence[float], *, least: float, bottom: float) -> list[float]:
    """Places not far from those wanted, with room between all of them and none below the bottom.

    >>> apart([12.0, 10.0, 50.0], least=10.0, bottom=45.0)
    [20.0, 10.0, 45.0]
    """
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    found = list(wanted)
    for above, at in pairwise(order):
        found[at] = max(found[at], found[above] + least)
    highest = bottom
    for at in reversed(order):
        found[at] = min(found[at], highest)
        highest = found[at] - least
    return found


def _step(reach: float, most: int) -> float:
    power = 10.0 ** math.floor(math.log10(reach / most))
    return next(power * one for one in ROUND if power * one * most >= reach * (1 - 1e-9))
