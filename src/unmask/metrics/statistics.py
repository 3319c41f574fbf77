"""Means over examples with their uncertainty: bootstrap intervals, and paired differences with a permutation test.

Examples that were not computed are not numbers, and count nowhere.
"""

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
EXACT = 13  # differences, or fewer: all their signs are tried
BLOCK = 2_000_000  # numbers that are drawn together
INTERVAL = (2.5, 97.5)  # percentiles
ROUNDING = 1e-6


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


def summarize(values: Numbers, *, seed: int = 0) -> Summary | None:
    """The mean of one number per example, [examples]; of two, [examples, 2], the harmonic mean of both means."""
    return summaries([values], seed=seed)[0]


def summaries(many: Sequence[Numbers], *, seed: int = 0) -> list[Summary | None]:
    """The same of several figures; those that were computed of the same examples share the draws."""
    results: list[Summary | None] = [None] * len(many)
    columns = [values if values.ndim == 2 else values[:, None] for values in many]
    for places, kept in _alike(columns):
        means = np.concatenate([counts @ kept for counts in _counts(len(kept), seed)]) / len(kept)
        ends = np.cumsum([columns[at].shape[1] for at in places])[:-1]
        for at, resampled, own in zip(places, np.split(means, ends, 1), np.split(kept, ends, 1), strict=True):
            low, high = np.percentile(_combined(resampled), INTERVAL)
            # A column by itself, so that its mean is the same to the last digit in whatever company.
            mean = _combined(np.ascontiguousarray(own.T).mean(1)[None])[0]
            results[at] = Summary(float(mean), float(low), float(high), len(own))
    return results


def compare_paired(values: Numbers, others: Numbers, *, seed: int = 0) -> Difference | None:
    """How much larger the values are than others of the same examples, [examples]; a two-sided test by sign flips."""
    return comparisons([(values, others)], seed=seed)[0]


def comparisons(pairs: Sequence[tuple[Numbers, Numbers]], *, seed: int = 0) -> list[Difference | None]:
    """The same of several pairs, all of the same examples."""
    if any(values.ndim > 1 for values, _ in pairs):
        raise ArgumentError("this figure is not a mean over texts, so it has no paired differences")
    # What single precision makes of one text in two batches is no difference: it would be tested too.
    many = [np.where(np.abs(values - others) < ROUNDING, 0.0, values - others) for values, others in pairs]
    chances = _chances(np.stack(many, 1), seed) if many else []
    return [
        None if one is None else Difference(one.mean, one.low, one.high, p, one.count)
        for one, p in zip(summaries(many, seed=seed), chances, strict=True)
    ]


def _alike(tables: Sequence[Numbers]) -> Iterator[tuple[list[int], Numbers]]:
    """The places of tables, [examples, columns], that lack the same examples, and the rest of them side by side."""
    groups: dict[bytes, list[int]] = {}
    for at, table in enumerate(tables):
        groups.setdefault(np.isnan(table).any(-1).tobytes(), []).append(at)
    for lacking, places in groups.items():
        kept = ~np.frombuffer(lacking, dtype=np.bool_)
        if kept.any():
            yield places, np.concatenate([tables[at][kept] for at in places], 1)


def _combined(means: Numbers) -> Numbers:
    """One figure of each draw: the mean, or the harmonic mean of two, [draws]."""
    return means[:, 0] if means.shape[1] == 1 else np.array([f1(float(one), float(other)) for one, other in means])


def _counts(examples: int, seed: int) -> Iterator[Numbers]:
    """How often each example is drawn with repetition, [draws, examples], some draws at a time."""
    drawing = np.random.default_rng(seed)
    for draws in _blocks(RESAMPLES, examples):
        counts = np.empty((draws, examples))
        for at, chosen in enumerate(drawing.integers(0, examples, (draws, examples))):
            counts[at] = np.bincount(chosen, minlength=examples)
        yield counts


def _chances(differences: Numbers, seed: int) -> list[float]:
    """The share of sign patterns whose mean is as far from 0, of [examples, columns]; of many, of some by chance.

    What was not computed counts as 0, which no sign moves: so columns that lack different examples share the draws.
    """
    known = ~np.isnan(differences)
    filled = np.where(known, differences, 0.0)
    totals, extreme = filled.sum(0), np.zeros(differences.shape[1])
    few = known.sum(0) <= EXACT
    if not few.all():
        drawing = np.random.default_rng(seed)
        for draws in _blocks(FLIPS, len(filled)):
            signs: NDArray[np.int8] = drawing.integers(0, 2, (draws, len(filled)), dtype=np.int8)
            extreme += _as_far(2.0 * (signs.astype(np.float64) @ filled) - totals, filled)
    chances = (1 + extreme) / (1 + FLIPS)
    for at in np.flatnonzero(few):
        column = filled[known[:, at], at]
        patterns = np.array(list(product((-1.0, 1.0), repeat=len(column))))
        chances[at] = _as_far(patterns @ column, column) / len(patterns)
    return [float(chance) for chance in chances]


def _as_far(sums: Numbers, differences: Numbers) -> Numbers:
    """How many sums are as far from 0 as that of the differences, which rounding may have put a little aside.

    How much aside, the sizes of what is added up tell, not the sum, in which they may cancel.
    """
    observed, rounding = np.abs(differences.sum(0)), 1e-12 * np.abs(differences).sum(0)
    return np.sum(np.abs(sums) >= observed - rounding, 0)  # type: ignore[no-any-return]  # an array


def _blocks(total: int, width: int) -> Iterator[int]:
    size = max(1, BLOCK // max(1, width))
    while total > 0:
        yield min(size, total)
        total -= size
