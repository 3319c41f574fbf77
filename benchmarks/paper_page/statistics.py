"""The tests behind docs/results/paper.md: paired advantages by text, equivalence with a margin, Holm's correction.

An advantage is signed so that above 0 the first method is better. Its unit is the text: for every text the mean over
the models, so that three models on one text are not three observations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from per_text_values import Row, Values

from unmask.metrics.registry import resolve_metric
from unmask.metrics.statistics import Difference, comparisons

MARGINS = {"log_odds": 0.1, "comprehensiveness": 0.02, "sufficiency": 0.02}  # set before anything was measured
FLIPS = 100_000  # so that p can stay below 0.05 after Holm's correction over a hundred tests
RESAMPLES, BLOCKS = 20_000, 20
ROUNDING = 2e-5  # values are stored with five decimals, so a smaller difference may be none
CLEAR = 0.05


@dataclass(frozen=True, slots=True)
class Advantage:
    """By how much one method is better than another, by one metric."""

    metric: str
    difference: Difference
    models: Mapping[str, float]  # the mean advantage on each model
    equivalence: float | None = None  # p of the equivalence test, if equality is claimed


@dataclass(frozen=True, slots=True)
class Pooled:
    """The advantages of all texts by one metric, before any test."""

    metric: str
    values: Any  # [texts], means over the models
    models: Mapping[str, float]
    is_equality: bool = False


def signed(metric: str, first: Any, second: Any) -> Any:
    """The advantage of the first values over the second."""
    return first - second if resolve_metric(metric).better == "higher" else second - first


def by_model(values: Values, pairs: Mapping[str, tuple[Row, Row]], metric: str) -> tuple[list[str], Any]:
    """The advantages of first rows over second ones, by model: the texts that all have, and [models, texts]."""
    known = [values.rows.get(row, {}) for pair in pairs.values() for row in pair]
    texts = sorted(set.intersection(*map(set, known))) if known else []
    if not texts:
        return [], np.empty((len(pairs), 0))
    table = np.array([signed(metric, *(values.column(row, metric, texts) for row in pair)) for pair in pairs.values()])
    table[np.abs(table) < ROUNDING] = 0
    whole = ~np.isnan(table).any(0)
    return [text for text, one in zip(texts, whole, strict=True) if one], table[:, whole]


def pooled(
    values: Values, pairs: Mapping[str, tuple[Row, Row]], metric: str, *, is_equality: bool = False
) -> Pooled | None:
    """The advantages over the models of `pairs`, by name; None if nothing was measured."""
    texts, table = by_model(values, pairs, metric)
    means = dict(zip(pairs, np.mean(table, 1).tolist(), strict=True)) if texts else {}
    return Pooled(metric, np.mean(table, 0), means, is_equality) if texts else None


def advantages(found: Sequence[Pooled]) -> list[Advantage]:
    """Test each of them."""
    return [
        Advantage(
            one.metric,
            difference,
            one.models,
            equivalence(one.values, MARGINS[one.metric]) if one.is_equality else None,
        )
        for one, difference in zip(found, compared([one.values for one in found]), strict=True)
    ]


def compared(many: Sequence[Any]) -> list[Difference]:
    """The mean of each [texts] with its bootstrap interval and the p-value of a sign-flip test.

    Arrays of the same length share their sign patterns, which is much faster.
    """
    found: dict[int, Difference] = {}
    for length in sorted({len(one) for one in many}):
        places = [at for at, one in enumerate(many) if len(one) == length]
        tests = comparisons([(many[at], np.zeros(length)) for at in places], flips=FLIPS)
        found |= {at: one for at, one in zip(places, tests, strict=True) if one is not None}
    return [found[at] for at in range(len(many))]


def equivalence(differences: Any, margin: float, *, seed: int = 0) -> float:
    """The p-value of two one-sided tests: that the mean of [texts] lies within the margin.

    The larger p-value of two tests counts, by bootstrap over texts and by flipping signs: with few texts, resampled
    means vary too little.
    """
    return max(bootstrapped(differences, margin, seed=seed), flipped(differences, margin, seed=seed))


def bootstrapped(differences: Any, margin: float, *, seed: int = 0) -> float:
    """The share of resampled means at or beyond a margin; the larger of the two shares."""
    draw = np.random.default_rng(seed)
    chosen = (draw.integers(0, len(differences), (RESAMPLES // BLOCKS, len(differences))) for _ in range(BLOCKS))
    means = np.concatenate([differences[one].mean(1) for one in chosen])
    low, high = ((1 + np.sum(beyond)) / (1 + len(means)) for beyond in (means <= -margin, means >= margin))
    return float(max(low, high))


def flipped(differences: Any, margin: float, *, seed: int = 0) -> float:
    """The share of sign patterns whose mean lies at least as far inside a margin; the larger of the two shares."""
    draw = np.random.default_rng(seed)
    inside = np.stack([margin + differences, margin - differences], 1)  # [texts, margins]
    signs = (draw.choice((-1.0, 1.0), (RESAMPLES // BLOCKS, len(differences))) for _ in range(BLOCKS))
    means = np.concatenate([one @ inside for one in signs]) / len(differences)
    shares = (1 + np.sum(means >= inside.mean(0) - ROUNDING, 0)) / (1 + len(means))
    return float(shares.max())
