"""How long a row takes on this machine: a few batches, timed."""

import time
from collections.abc import Sequence

from ..models.adapter import Adapter
from ..probes import Probe
from .forward import Row, Subject, is_out_of_memory, raw_outputs

SECONDS = 1.0  # that one measurement may take, as far as one row allows


def seconds_per_row(adapter: Adapter, subject: Subject, *, budget: int) -> float:
    """The time of one row of a text, in batches like those of a run, after a row that warms up."""
    row = Row(subject, Probe())
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


def _seconds(adapter: Adapter, rows: Sequence[Row]) -> float:
    started = time.perf_counter()
    raw_outputs(adapter, rows)
    return time.perf_counter() - started
