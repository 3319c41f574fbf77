"""Means over examples with bootstrap intervals, and paired differences with a permutation test. NaN is ignored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ..questions import Numbers
from .plausibility import f1

RESAMPLES = 2_000
FLIPS = 10_000
EXACT = 13  # up to this many differences, all sign patterns are tried
BLOCK = 2_000_000  # random numbers per block
INTERVAL = (2.5, 97.5)  # percentiles
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Summary:
    """A mean over examples with its 95% interval."""

    mean: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean of paired differences with its 95% interval and the p-value of a permutation test."""

    mean: float
    low: float
    high: float
    p: float
    count: int


def summarize(values: Numbers, *, seed: int = 0) -> Summary | None:
    """The mean of [examples]; for [examples, 2], the harmonic mean of the two means. None if all values are NaN."""
    return summaries([values], seed=seed)[0]


def summaries(many: Sequence[Numbers], *, seed: int = 0) -> list[Summary | None]:
    """`summarize` for several metrics; those that cover the same examples share the resamples."""
    results: list[Summary | None] = [None] * len(many)
    columns = [values if values.ndim == 2 else values[:, None] for values in many]
    for places, kept in _alike(columns):
        means = np.concatenate([counts @ kept for counts in _counts(len(kept), seed)]) / len(kept)
        ends = np.cumsum([columns[at].shape[1] for at in places])[:-1]
        for at, resampled, own in zip(places, np.split(means, ends, 1), np.split(kept, ends, 1), strict=True):
            low, high = np.percentile(_combined(resampled), INTERVAL)
            # Column by column, so that a mean does not depend on the other columns, not even bitwise.
            mean = _combined(np.ascontiguousarray(own.T).mean(1)[None])[0]
            results[at] = Summary(float(mean), float(low), float(high), len(own))
    return results


def compare_paired(values: Numbers, others: Numbers, *, seed: int = 0) -> Difference | None:
    """The mean difference of paired values, [examples], with a two-sided sign-flip test."""
    return comparisons([(values, others)], seed=seed)[0]


def comparisons(
    pairs: Sequence[tuple[Numbers, Numbers]], *, seed: int = 0, flips: int = FLIPS
) -> list[Difference | None]:
    """`compare_paired` for several pairs over the same examples; random flips give a p-value >= 1 / (1 + `flips`)."""
    if any(values.ndim > 1 for values, _ in pairs):
        raise ArgumentError("this figure is not a mean over texts, so it has no paired differences")
    # Rounding differences, such as those between two batches in single precision, count as 0.
    many = [np.where(np.abs(values - others) < ROUNDING, 0.0, values - others) for values, others in pairs]
    chances = _chances(np.stack(many, 1), seed, flips) if many else []
    return [
        None if one is None else Difference(one.mean, one.low, one.high, p, one.count)
        for one, p in zip(summaries(many, seed=seed), chances, strict=True)
    ]


def holm(chances: Sequence[float]) -> list[float]:
    """The p-values of several tests, corrected by Holm's step-down method.

    >>> holm([0.25, 0.0625, 0.125])
    [0.25, 0.1875, 0.25]
    """
    order = np.argsort(chances, kind="stable")
    steps = np.minimum(1.0, np.maximum.accumulate(np.array(chances)[order] * np.arange(len(order), 0, -1)))
    return [float(p) for p in steps[np.argsort(order, kind="stable")]]


def _alike(tables: Sequence[Numbers]) -> Iterator[tuple[list[int], Numbers]]:
    """Group tables, [examples, columns], that lack the same examples; yield indices and the joined complete rows."""
    groups: dict[bytes, list[int]] = {}
    for at, table in enumerate(tables):
        groups.setdefault(np.isnan(table).any(-1).tobytes(), []).append(at)
    for lacking, places in groups.items():
        kept = ~np.frombuffer(lacking, dtype=np.bool_)
        if kept.any():
            yield places, np.concatenate([tables[at][kept] for at in places], 1)


def _combined(means: Numbers) -> Numbers:
    """One number per resample, [draws]: the mean, or the harmonic mean of two means."""
    return means[:, 0] if means.shape[1] == 1 else np.array([f1(float(one), float(other)) for one, other in means])


def _counts(examples: int, seed: int) -> Iterator[Numbers]:
    """How often each example is drawn with replacement, [draws, examples], in blocks of draws."""
    drawing = np.random.default_rng(seed)
    for draws in _blocks(RESAMPLES, examples):
        counts = np.empty((draws, examples))
        for at, chosen in enumerate(drawing.integers(0, examples, (draws, examples))):
            counts[at] = np.bincount(chosen, minlength=examples)
        yield counts


def _chances(differences: Numbers, seed: int, flips: int) -> list[float]:
    """The p-value of each column of [examples, columns]: the share of sign patterns with a mean at least as far from 0.

    If there are too many patterns, they are drawn at random. NaN counts as 0, so that all columns can share patterns.
    """
    known = ~np.isnan(differences)
    filled = np.where(known, differences, 0.0)
    totals, extreme = filled.sum(0), np.zeros(differences.shape[1])
    few = known.sum(0) <= EXACT
    if not few.all():
        drawing = np.random.default_rng(seed)
        for draws in _blocks(flips, len(filled)):
            signs: NDArray[np.int8] = drawing.integers(0, 2, (draws, len(filled)), dtype=np.int8)
            extreme += _as_far(2.0 * (signs.astype(np.float64) @ filled) - totals, filled)
    chances = (1 + extreme) / (1 + flips)
    for at in np.flatnonzero(few):
        column = filled[known[:, at], at]
        patterns = np.array(list(product((-1.0, 1.0), repeat=len(column))))
        chances[at] = _as_far(patterns @ column, column) / len(patterns)
    return [float(chance) for chance in chances]


def _as_far(sums: Numbers, differences: Numbers) -> Numbers:
    """The number of sums at least as far from 0 as the sum of the differences, up to rounding.

    The rounding error is relative to the sum of absolute values, since the differences themselves may cancel.
    """
    observed, rounding = np.abs(differences.sum(0)), 1e-12 * np.abs(differences).sum(0)
    return np.sum(np.abs(sums) >= observed - rounding, 0)  # type: ignore[no-any-return]  # an array


def _blocks(total: int, width: int) -> Iterator[int]:
    size = max(1, BLOCK // max(1, width))
    while total > 0:
        yield min(size, total)
        total -= size
