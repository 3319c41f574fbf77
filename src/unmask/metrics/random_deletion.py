"""Predictions after random deletions: how well the model copes with missing words at all."""

from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from ..questions import Instance, Numbers, Perturbation, Question, ask_outputs
from .perturbations import is_empty, without
from .protocols import round_half_up
from .registry import metrics_of

if TYPE_CHECKING:
    from torch import Tensor

SHARES = (0.0, 0.1, 0.2, 0.5)
DRAWS = 3  # random choices of a text's units
SEVERAL = "random deletion is not shown: the labels are not mutually exclusive"
FADING = metrics_of("deletion")


def random_deletion(
    instance: Instance, operators: tuple[str, ...], *, gold: int | None, seed: int
) -> "Generator[Question, Tensor, Numbers]":
    """Averages over a few random choices of units, the larger shares holding the smaller: [operators, shares, 3].

    Accuracy against the gold label (not a number without one), agreement with what is said of the whole text, and the
    probability of that.
    """
    head, predicted = instance.target.head, instance.target.head.predicted(instance.whole)
    draw = instance.rng(seed)
    orders = [draw.permutation(len(instance.units)).tolist() for _ in range(DRAWS)]
    cells = [
        [
            without(instance, order[: round_half_up(len(instance.units), share)], operator) if share else Perturbation()
            for order in orders
        ]
        for operator in operators
        for share in SHARES
    ]
    altered = dict.fromkeys(
        perturbation for cell in cells for perturbation in cell if not is_empty(instance, perturbation)
    )
    outputs = yield from ask_outputs(altered)
    labels, confidence = outputs.argmax(-1).numpy(), head.one_on_scale(outputs, predicted, "probability").numpy()
    right = np.full(len(altered), np.nan) if gold is None else (labels == gold).astype(float)
    table = np.stack([right, labels == predicted, confidence], -1)
    known = dict(zip(altered, table, strict=True))
    nothing = np.full(len(FADING), np.nan)
    values = [np.mean([known.get(perturbation, nothing) for perturbation in cell], 0) for cell in cells]
    return np.array(values).reshape(len(operators), len(SHARES), len(FADING))
