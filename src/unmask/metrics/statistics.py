"""Means over examples with their uncertainty: bootstrap intervals, and paired differences with a permutation test.

Examples that were not computed are not numbers, and count nowhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ..probes import Numbers
from .plausibility import f1

RESAMPLES = 2_000
FLIPS = 10_000
EXACT = 13  # differences, or fewer: all their signs are tried
BLOCK = 2_000_000  # numbers that are drawn together
LOW, HIGH = 2.5, 97.5


@dataclass(frozen=True, slots=True)
class Summary:
    """A mean over examples with its 95 % interval; of no example it is None."""

    mean: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean of paired differences with its 95 % interval, and how often chance alone makes one as large."""

    mean: float
    low: float
    high: float
    p: float
    count: int


def summarized(values: Numbers, *, seed: int = 0) -> Summary | None:
    """The mean of one number per example, [examples]; of two, [examples, 2], the harmonic mean of both means."""
    columns = values if values.ndim == 2 else values[:, None]
    kept = columns[~np.isnan(columns).any(-1)]
    if not len(kept):
        return None
    means = np.concatenate(list(_resampled(kept, seed)))
    low, high = np.percentile([_combined(row) for row in means], [LOW, HIGH])
    return Summary(_combined(kept.mean(0)), float(low), float(high), len(kept))


def compared(values: Numbers, others: Numbers, *, seed: int = 0) -> Difference | None:
    """How much larger the values are than others of the same examples, [examples]; a two-sided test by sign flips."""
    if values.ndim > 1:
        raise ArgumentError("this figure is no mean over texts, so that it has no paired differences")
    differences = values - others
    kept = differences[~np.isnan(differences)]
    found = summarized(kept, seed=seed)
    return None if found is None else Difference(found.mean, found.low, found.high, _p(kept, seed), found.count)


def _combined(means: Numbers) -> float:
    return float(means[0]) if len(means) == 1 else f1(float(means[0]), float(means[1]))


def _resampled(kept: Numbers, seed: int) -> Iterator[Numbers]:
    """The means of examples drawn with repetition, [draws, columns], some at a time."""
    drawing = np.random.default_rng(seed)
    for draws in _blocks(RESAMPLES, len(kept)):
        chosen = drawing.integers(0, len(kept), (draws, len(kept)))
        yield kept[chosen].mean(1)


def _p(differences: Numbers, seed: int) -> float:
    """The share of sign patterns whose mean is as far from 0; of many examples, of some random patterns."""
    observed = abs(differences.sum()) * (1 - 1e-12)
    if len(differences) <= EXACT:
        sums = np.array(list(product((-1.0, 1.0), repeat=len(differences)))) @ differences
        return float(np.mean(abs(sums) >= observed))
    drawing, extreme = np.random.default_rng(seed), 0
    for draws in _blocks(FLIPS, len(differences)):
        signs: NDArray[np.int8] = drawing.integers(0, 2, (draws, len(differences)), dtype=np.int8)
        extreme += int(np.sum(abs(2.0 * (signs @ differences) - differences.sum()) >= observed))
    return (1 + extreme) / (1 + FLIPS)


def _blocks(total: int, width: int) -> Iterator[int]:
    size = max(1, BLOCK // max(1, width))
    while total > 0:
        yield min(size, total)
        total -= size
