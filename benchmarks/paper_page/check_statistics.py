"""Means with intervals and paired differences behind the checks of docs/results/paper.md."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from per_text_values import Row, Values

from unmask.metrics.statistics import Difference, holm, summarize

from .statistics import CLEAR, compared


def rows_of(values: Values, dataset: str) -> dict[tuple[str, str], Row]:
    """The rows of a dataset by model name and method; of several versions of a model, the one with most values."""
    found: dict[tuple[str, str], Row] = {}
    for row in sorted(row for row in values.rows if row.dataset == dataset):
        known = found.setdefault((row.name, row.method), row)
        if len(values.rows[row]) > len(values.rows[known]):
            found[row.name, row.method] = row
    return found


def common_texts(values: Values, rows: Sequence[Row]) -> list[str]:
    """The texts that all of these rows have."""
    return sorted(set.intersection(*(set(values.rows[row]) for row in rows))) if rows else []


def corrected(many: Mapping[Any, Any]) -> tuple[dict[Any, Difference], dict[Any, float]]:
    """The mean of each array of paired differences, and p-values corrected by Holm's method over all of them."""
    known = {key: one[~np.isnan(one)] for key, one in many.items()}
    tests = dict(zip(known, compared(list(known.values())), strict=True))
    return tests, dict(zip(tests, holm([one.p for one in tests.values()]), strict=True))


def is_clear(p: float) -> bool:
    """Whether a corrected p-value is below the limit."""
    return p < CLEAR


def interval(figures: Any, form: str = ".2f") -> str:
    """The mean of [texts] with its 95% bootstrap interval.

    >>> import numpy as np
    >>> interval(np.array([1.0, 1.0, np.nan])), interval(np.array([np.nan]))
    ('1.00 [1.00, 1.00]', '—')
    """
    found = summarize(np.asarray(figures, dtype=np.float64))
    return "—" if found is None else f"{found.mean:{form}} [{found.low:{form}}, {found.high:{form}}]"
