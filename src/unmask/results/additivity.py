"""What single scores hide: whether units cover for each other, need each other, or add up.

The difference between `together` and the sum of leave-one-out scores is the paper's Delta. For SIG it is no error of
approximation: it is the net interaction of the units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ADDITIVE = 0.1  # of the larger of |together| and the sum of |score|


@dataclass(frozen=True, slots=True)
class Interaction:
    """How far the units' scores are from adding up to what all of them carry together."""

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
        return Interaction("additive", net, f"Only one {unit} moves: its score is all that there is to add up.")
    if not any(scores) and not together:
        return Interaction("additive", net, f"No {unit} changes anything, neither alone nor all of them together.")
    figures = f"one at a time they account for {alone:+.3g}, all together for {together:+.3g}"
    if abs(net) <= ADDITIVE * max(abs(together), sum(map(abs, scores))):
        return Interaction("additive", net, f"The {unit}s add up: {figures}.")
    if net * together > 0:
        sentence = f"The {unit}s cover for each other: {figures}. A {unit} with a small score may still matter."
        return Interaction("redundant", net, sentence)
    sentence = f"The {unit}s need each other: {figures}. Each score includes what a {unit} does only with the others."
    return Interaction("synergy", net, sentence)
