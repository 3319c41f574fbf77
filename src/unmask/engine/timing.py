"""How long a row takes on this machine: a few batches, timed."""

import time
from collections.abc import Sequence

from ..models.adapter import Adapter
from .forward import PendingRow, is_out_of_memory, run_rows

SECONDS = 1.0  # that one measurement may take, as far as one row allows


def seconds_per_row(adapter: Adapter, row: PendingRow, *, budget: int) -> float:
    """The time of one such row in batches like those of a run, after one that warms up."""
    alone = min(_seconds(adapter, [row]) for _ in range(2))
    rows = min(budget // row.length, int(SECONDS / max(alone, 1e-6)))
    while rows > 1:
        try:
            return min(_seconds(adapter, [row] * rows) for _ in range(2)) / rows
        except Exception as error:
            if not is_out_of_memory(error):
                raise
        rows //= 2
    return alone


def _seconds(adapter: Adapter, rows: Sequence[PendingRow]) -> float:
    started = time.perf_counter()
    run_rows(adapter, rows)
    return time.perf_counter() - started
