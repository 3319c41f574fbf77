"""What the model still says when words are missing at random: whether taking words away is fair to it at all."""

from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from ..probes import Case, Numbers, Probe, Question, outputs
from .operators import is_empty, without
from .protocols import rounded_half_up

if TYPE_CHECKING:
    from torch import Tensor

SHARES = (0.0, 0.1, 0.2, 0.5)
DRAWS = 3  # random choices of a text's units
SEVERAL = "what the model says with words missing at random is not shown: its labels do not exclude each other"
FADING = ("accuracy", "agreement", "confidence")


def fading(
    case: Case, operators: tuple[str, ...], *, gold: int | None, seed: int
) -> "Generator[Question, Tensor, Numbers]":
    """Averages over a few random choices of units, the larger shares holding the smaller: [operators, shares, 3].

    Accuracy against the gold label (not a number without one), agreement with what is said of the whole text, and the
    probability of that.
    """
    head, predicted = case.target.head, case.target.head.predicted(case.whole)
    draw = case.draw(seed)
    orders = [draw.permutation(len(case.units)).tolist() for _ in range(DRAWS)]
    cells = [
        [without(case, order[: _count(case, share)], operator) if share else Probe() for order in orders]
        for operator in operators
        for share in SHARES
    ]
    asked = dict.fromkeys(probe for cell in cells for probe in cell if not is_empty(case, probe))
    found = yield from outputs(asked)
    said, sure = found.argmax(-1).numpy(), head.one_on_scale(found, predicted, "probability").numpy()
    right = np.full(len(asked), np.nan) if gold is None else (said == gold).astype(float)
    table = np.stack([right, said == predicted, sure], -1)
    known = dict(zip(asked, table, strict=True))
    nothing = np.full(len(FADING), np.nan)
    values = [np.mean([known.get(probe, nothing) for probe in cell], 0) for cell in cells]
    return np.array(values).reshape(len(operators), len(SHARES), len(FADING))


def _count(case: Case, share: float) -> int:
    return rounded_half_up(len(case.units), share)
