"""The tests behind docs/results/paper.md: paired advantages by text, equivalence with a margin, Holm's correction.

An advantage is signed so that above 0 the first method is better. Its unit is the text: for every text the mean over
the models, so that three models on one text are not three observations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from paper_values import METRICS, Row, Values

from unmask.metrics.registry import resolve_metric
from unmask.metrics.statistics import Difference, comparisons

MARGINS = {"log_odds": 0.1, "comprehensiveness": 0.02, "sufficiency": 0.02}  # set before anything was measured
FLIPS = 100_000  # so that p can stay below 0.05 after Holm's correction over a hundred tests
RESAMPLES = 20_000
CLEAR = 0.05


@dataclass(frozen=True, slots=True)
class Advantage:
    """By how much one method is better than another, by one metric."""

    metric: str
    difference: Difference
    models: Mapping[str, float]  # the mean advantage on each model
    equivalence: float | None = None  # p of the equivalence test, if equality is claimed

    @property
    def p(self) -> float:
        """The p-value of what is claimed: a difference, or equality."""
        return self.difference.p if self.equivalence is None else self.equivalence


def signed(metric: str, first: Any, second: Any) -> Any:
    """The advantage of the first values over the second."""
    return first - second if resolve_metric(metric).better == "higher" else second - first


def by_model(values: Values, pairs: Mapping[str, tuple[Row, Row]], metric: str) -> tuple[list[str], Any]:
    """The advantages of first rows over second ones, by model: the texts that all have, and [models, texts]."""
    known = [values.rows.get(row, {}) for pair in pairs.values() for row in pair]
    texts = sorted(set.intersection(*map(set, known))) if known else []
    table = [signed(metric, *(values.column(row, metric, texts) for row in pair)) for pair in pairs.values()]
    whole = ~np.isnan(table).any(0) if texts else []
    return [text for text, one in zip(texts, whole, strict=True) if one], np.array(table)[:, whole] if texts else []


def advantage(
    values: Values, pairs: Mapping[str, tuple[Row, Row]], metric: str, *, is_equality: bool = False
) -> Advantage | None:
    """The advantage over the models of `pairs`, by name; None if nothing was measured."""
    texts, table = by_model(values, pairs, metric)
    if not texts:
        return None
    means = dict(zip(pairs, np.mean(table, 1).tolist(), strict=True))
    pooled = np.mean(table, 0)
    return Advantage(metric, compared(pooled), means, equivalence(pooled, MARGINS[metric]) if is_equality else None)


def compared(differences: Any) -> Difference:
    """The mean of [texts] with its bootstrap interval and the p-value of a sign-flip test."""
    (found,) = comparisons([(differences, np.zeros(len(differences)))], flips=FLIPS)
    assert found is not None
    return found


def equivalence(differences: Any, margin: float, *, seed: int = 0) -> float:
    """The p-value of two one-sided tests: that the mean of [texts] lies within the margin, by bootstrap over texts.

    Each one-sided p is the share of resampled means at or beyond a margin; the larger of the two counts.
    """
    draw = np.random.default_rng(seed)
    means = np.concatenate(
        [
            differences[draw.integers(0, len(differences), (RESAMPLES // 20, len(differences)))].mean(1)
            for _ in range(20)
        ]
    )
    low, high = (1 + np.sum(means <= -margin)) / (1 + len(means)), (1 + np.sum(means >= margin)) / (1 + len(means))
    return float(max(low, high))


def in_all(values: Values, rows: Sequence[Row]) -> list[str]:
    """The texts that all rows have."""
    known = [values.rows.get(row, {}) for row in rows]
    return sorted(set.intersection(*map(set, known))) if known else []


__all__ = ["CLEAR", "FLIPS", "MARGINS", "METRICS", "Advantage", "advantage", "by_model", "compared", "equivalence"]
