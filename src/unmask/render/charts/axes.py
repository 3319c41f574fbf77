"""Round numbers for ticks, and places that keep apart."""

import math
from collections.abc import Sequence
from itertools import pairwise

ROUND = (1.0, 2.0, 5.0, 10.0)


def ticks(low: float, high: float, *, most: int = 6) -> list[float]:
    """Round numbers from at or below the lowest to at or above the highest.

    >>> ticks(-0.03, 0.47), ticks(-2.3, -0.1), ticks(0.5, 0.5)
    ([-0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [-2.5, -2.0, -1.5, -1.0, -0.5, 0.0], [0.5, 0.6])
    """
    reach = (high - low) or 0.1
    power = 10.0 ** math.floor(math.log10(reach / most))
    step = next(power * factor for factor in ROUND if power * factor * most >= reach * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(at * step, 12) + 0.0 for at in range(first, max(last, first + 1) + 1)]


def tick_labels(values: Sequence[float]) -> list[str]:
    """The ticks as they are written, all with the same digits.

    >>> tick_labels([-0.5, 0.0, 0.5]), tick_labels([0.0, 20.0])
    (['−0.5', '0.0', '0.5'], ['0', '20'])
    """
    step = min((later - value for value, later in pairwise(values)), default=1.0)
    digits = max(0, math.ceil(-math.log10(step) - 1e-9))
    return [f"{value:.{digits}f}".replace("-", "−") for value in values]


def apart(places: Sequence[float], *, least: float, bottom: float) -> list[float]:
    """Places near the given ones, with room between all of them and none below the bottom.

    >>> apart([12.0, 10.0, 50.0], least=10.0, bottom=45.0)
    [20.0, 10.0, 45.0]
    """
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = list(places)
    for above, at in pairwise(order):
        moved[at] = max(moved[at], moved[above] + least)
    highest = bottom
    for at in reversed(order):
        moved[at] = min(moved[at], highest)
        highest = moved[at] - least
    return moved
