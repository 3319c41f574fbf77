"""Two ways to judge an explanation: as the paper's code does, and as its words say.

They differ in the function that is explained too: see `unmask.studies.sig2023.double_embedding`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import unknown
from ..metrics.perturbations import OWN


@dataclass(frozen=True, slots=True)
class Protocol:
    """What is chosen of a text, and how it is taken away."""

    name: str
    count: Callable[[int, float], int]  # how many of so many units a share is
    operators: tuple[str, str, str] | None = None  # of the three metrics; None: those that are asked for
    target: str | None = None  # None: what is asked for
    scale: str | None = None
    has_special_units: bool = False  # whether the tokens that the tokenizer adds are units too


def rounded_half_up(units: int, share: float) -> int:
    """That share of the units, one at least.

    >>> [rounded_half_up(units, 0.2) for units in (1, 7, 8, 12, 13)]
    [1, 1, 2, 2, 3]
    """
    return min(units, max(1, math.floor(round(share * units, 9) + 0.5)))


def rounded_down(units: int, share: float) -> int:
    """That share of the units; of a short text none.

    >>> [rounded_down(units, 0.2) for units in (4, 5, 9, 10)]
    [0, 1, 1, 2]
    """
    return int(share * units)


CORRECTED = Protocol("corrected", rounded_half_up)
PAPER = Protocol(
    "paper",
    rounded_down,
    operators=(OWN, "remove", "remove"),
    target="max",
    scale="logit",
    has_special_units=True,
)
PROTOCOLS = {protocol.name: protocol for protocol in (CORRECTED, PAPER)}


def resolve_protocol(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise unknown("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]
