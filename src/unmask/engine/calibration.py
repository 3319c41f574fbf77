"""How long a row takes on this machine, by its length: a few batches, timed."""

import time
from collections.abc import Sequence

from ..models.adapter import Adapter
from ..probes import Probe
from .forward import Row, Subject, raw_outputs

SECONDS = 1.0  # that one measurement may take, as far as one row allows


def seconds_per_row(adapter: Adapter, subjects: Sequence[Subject], *, budget: int) -> list[float]:
    """The time of one row of each text, measured in batches like those of a run, after a row that warms up."""
    return [_seconds_per_row(adapter, subject, budget) for subject in subjects]


def _seconds_per_row(adapter: Adapter, subject: Subject, budget: int) -> float:
    row = Row(subject, Probe())
    alone = min(_seconds(adapter, [row]) for _ in range(2))
    rows = max(1, min(budget // row.length, int(SECONDS / max(alone, 1e-6))))
    return alone if rows == 1 else min(_seconds(adapter, [row] * rows) for _ in range(2)) / rows


def _seconds(adapter: Adapter, rows: Sequence[Row]) -> float:
    started = time.perf_counter()
    raw_outputs(adapter, rows)
    return time.perf_counter() - started
