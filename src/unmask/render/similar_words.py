"""Pairs of words from two compared texts, and how much each pair adds to the similarity."""

from typing import NamedTuple

import numpy as np

from ..results.explanation import Explanation
from . import captions
from .colored_spans import ColoredSpan
from .numbers import decimals, number

LARGEST = 3  # number of pairs in the sentence
MOST = 60  # most words on each side of a drawn matrix


class PairMatrix(NamedTuple):
    """The words of the second text, and a row of colored cells for each word of the first."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[ColoredSpan, ...]], ...]


def pair_matrix(explanation: Explanation) -> PairMatrix | None:
    """The matrix to draw; None if there is none, or if it is too large to read."""
    values = explanation.pair_scores
    first, second = ([unit.text for unit in explanation.units if unit.segment == side] for side in (0, 1))
    if values is None or not (first and second) or max(len(first), len(second)) > MOST:
        return None
    largest = float(np.abs(values).max())
    digits = decimals(largest)

    def cell(value: float) -> ColoredSpan:
        return ColoredSpan("x", value, value / largest if largest else 0.0, decimals=digits)

    return PairMatrix(
        tuple(second), tuple((name, tuple(map(cell, row))) for name, row in zip(first, values, strict=True))
    )


def pair_sentence(explanation: Explanation) -> str:
    """A sentence on the pairs with the largest effects; empty if there are none."""
    values = np.array(explanation.pair_scores if explanation.pair_scores is not None else ())
    if not values.size:
        return ""
    first, second = ([unit.text for unit in explanation.units if unit.segment == side] for side in (0, 1))
    order = np.argsort(-np.abs(values), axis=None, kind="stable")[:LARGEST]
    digits = decimals(float(np.abs(values).max()))
    named = []
    for at in order:
        row, column = divmod(int(at), values.shape[1])
        names = f"{captions.quoted(first[row])} and {captions.quoted(second[column])}"
        named.append(f"{names} {number(values[row, column], digits)}")
    return f"Largest pair effects (what two words add beyond each alone): {', '.join(named)}."
