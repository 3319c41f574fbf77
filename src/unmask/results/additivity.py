"""The interaction of units: whether they are redundant, depend on each other (synergy), or add up.

The paper's Delta is `together` minus the sum of the scores. For SIG it is not an approximation error but the net
interaction of the units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ADDITIVE = 0.1  # of the larger of |together| and the sum of |score|


@dataclass(frozen=True, slots=True)
class Interaction:
    """How far the scores are from adding up to `together`."""

    kind: Literal["redundant", "synergy", "additive"]
    net: float  # together - sum of scores
    sentence: str


def interaction(scores: Sequence[float], together: float, *, unit: str) -> Interaction:
    """The interaction of leave-one-out scores.

    >>> interaction([0.1, 0.1], 5.0, unit="word").kind
    'redundant'
    """
    alone = sum(scores)
    net = together - alone
    if len(scores) == 1:
        return Interaction("additive", net, "The text is one unit.")
    if not any(scores) and not together:
        return Interaction("additive", net, f"No {unit} changes the output, and masking all of them does not either.")
    figures = f"one at a time they account for {alone:+.3g}, all together for {together:+.3g}"
    if abs(net) <= ADDITIVE * max(abs(together), sum(map(abs, scores))):
        return Interaction("additive", net, f"The {unit}s add up: {figures}.")
    if net * together > 0:
        sentence = f"No single {unit} is decisive; several say the same thing: {figures}."
        return Interaction("redundant", net, sentence)
    sentence = f"The {unit}s depend on each other; do not add their scores: {figures}."
    return Interaction("synergy", net, sentence)
