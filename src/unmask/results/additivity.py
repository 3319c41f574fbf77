"""The interaction of units: whether they add up, are redundant, depend on each other (synergy), or oppose each other.

`net` is `together` minus the sum of the scores, which is the paper's Delta with the opposite sign. For SIG, `net`
measures how the units interact; it is not an approximation error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .numbers import decimals, number

ADDITIVE = 0.1  # scores add up if |net| is at most this share of |together|
LIKE_SIZE = 0.5  # evidence is mixed if the smaller side (for or against) is at least this share of the larger
DECISIVE = 0.5  # a score of at least this share of `together` is decisive


@dataclass(frozen=True, slots=True)
class Interaction:
    """How far the scores are from adding up to `together`."""

    kind: Literal["additive", "mixed", "redundant", "synergy"]
    net: float  # together - sum of scores
    sentence: str


def interaction(
    scores: Sequence[float],
    together: float,
    *,
    unit: str,
    negligible: float = 0.0,
    is_one_decisive: bool = False,
    is_one_enough: bool = False,
) -> Interaction:
    """The interaction of units whose scores come from masking one unit at a time; `net` below `negligible` counts as 0.

    Args:
        is_one_decisive: Whether masking a single unit changes the predicted label.
        is_one_enough: Whether a single unit is known to keep the predicted label with all others masked.

    >>> interaction([0.1, 0.1], 5.0, unit="word").kind
    'redundant'
    """
    alone = sum(scores)
    net = together - alone
    if len(scores) == 1:
        return Interaction("additive", net, "The text is one unit.")
    if not any(scores) and not together:
        return Interaction("additive", net, f"Masking one {unit} or all of them does not change the output.")
    support, opposition = sum(score for score in scores if score > 0), sum(score for score in scores if score < 0)
    digits = decimals(max(map(abs, (alone, together, support, opposition))))
    figures = f"sum {number(alone, digits)}, together {number(together, digits)}"
    if abs(net) <= ADDITIVE * abs(together) or abs(net) < negligible:
        return Interaction("additive", net, f"The {unit}s add up: {figures}.")
    smaller, larger = sorted((support, -opposition))
    if alone * together < 0 or smaller >= LIKE_SIZE * larger > 0:
        evidence = f"for {number(support, digits)}, against {number(opposition, digits)}"
        mixed = f"Mixed evidence; do not add the scores: {evidence}, together {number(together, digits)}."
        return Interaction("mixed", net, mixed)
    if net * together > 0:
        is_shared = not is_one_decisive and max(map(abs, scores)) < DECISIVE * abs(together)
        if not is_shared:
            return Interaction("redundant", net, f"The {unit}s are partly redundant: {figures}.")
        alike = f"Masking any one {unit} changes little" if is_one_enough else f"No single {unit} is decisive"
        return Interaction("redundant", net, f"{alike}; several say the same thing: {figures}.")
    return Interaction("synergy", net, f"The {unit}s depend on each other; do not add the scores: {figures}.")
