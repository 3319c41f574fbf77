"""The token budget of a batch, measured during the first long job on a machine and stored in the user's cache.

The measurement costs nothing: it times batches of several sizes, made of inputs that must be run anyway. The budget
changes scores only by rounding. Folder runs and workers use a fixed budget, so that their results are identical.
"""

import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch

from ..models.adapter import Adapter
from .batching import Sized

CPU_TOKENS, DEVICE_TOKENS = 2_048, 16_384  # the default budgets, used until one is measured
CPU_CANDIDATES, DEVICE_CANDIDATES = (1_024, 2_048, 4_096), (4_096, 16_384, 65_536)
ROUNDS = 3  # each candidate is measured this many times, since the machine may be busy
WORTHWHILE = 0.03  # the speedup that makes a larger batch worth its memory
FILE = "batch-tokens.json"
Item = TypeVar("Item", bound=Sized)
Output = TypeVar("Output")


def usual_budget(adapter: Adapter) -> int:
    """Return the default budget, used until one is measured."""
    return CPU_TOKENS if adapter.device.type == "cpu" else DEVICE_TOKENS


def kept_budget(adapter: Adapter) -> int | None:
    """Return the stored budget for this machine and kind of model, or None."""
    known = _read().get(budget_key(adapter))
    return known if isinstance(known, int) and known > 0 else None


class BudgetTrial:
    """Runs work in batches of several sizes and stores the fastest size."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._candidates = CPU_CANDIDATES if adapter.device.type == "cpu" else DEVICE_CANDIDATES
        self._seconds = dict[int, float]()  # seconds per token in the fastest round, by budget
        self._tried: int | None = None  # the budget of the current batch
        self.choice: int | None = None

    def batches(self, rows: list[Item]) -> Iterator[list[Item]]:
        """Take batches of several sizes from the rows, longest rows first; none if there are too few for a trial."""
        if sum(row.length for row in rows) < ROUNDS * sum(self._candidates):
            return
        rows.sort(key=lambda row: -row.length)
        for at, budget in enumerate(self._candidates * ROUNDS):
            if rows and (at < len(self._candidates) or budget in self._seconds):  # skip sizes that failed in round one
                self._tried, count = budget, max(1, budget // rows[0].length)
                batch, rows[:] = rows[:count], rows[count:]
                yield batch
        self._tried = None
        self.choice = choose_budget(self._seconds)
        if self.choice is not None:
            _keep({**_read(), budget_key(self._adapter): self.choice})

    def timed(self, run: Callable[[Sequence[Item]], Output], rows: Sequence[Item]) -> Output:
        """Run a batch, and record its time during a trial."""
        if self._tried is None:
            return run(rows)
        # With one thread on a CPU, use processor time: other programs affect it least.
        is_alone = self._adapter.device.type == "cpu" and torch.get_num_threads() == 1
        clock = time.thread_time if is_alone else time.perf_counter
        started = clock()
        outputs = run(rows)
        seconds = (clock() - started) / (len(rows) * max(row.length for row in rows))
        self._seconds[self._tried] = min(seconds, self._seconds.get(self._tried, seconds))
        return outputs


def choose_budget(seconds: dict[int, float]) -> int | None:
    """Return the smallest budget that is nearly as fast as the fastest one; None if nothing was measured.

    Args:
        seconds: Seconds per token, by budget.

    >>> choose_budget({1024: 1.00, 2048: 0.98, 4096: 0.90})
    4096
    >>> choose_budget({1024: 1.00, 2048: 0.98, 4096: 1.20})
    1024
    """
    fastest = min(seconds.values(), default=0.0)
    return next((budget for budget, one in sorted(seconds.items()) if one <= (1 + WORTHWHILE) * fastest), None)


def budget_key(adapter: Adapter) -> str:
    """Return a key of everything the fastest budget depends on: processor, threads, and the model's shape and dtype."""
    module = getattr(adapter, "module", None)
    shape = [] if module is None else sorted(str(tuple(weight.shape)) for weight in module.parameters())
    is_named = adapter.device.type == "cuda" and torch.cuda.is_available()
    device = torch.cuda.get_device_name(adapter.device) if is_named else str(adapter.device)
    machine = (platform.machine(), _processor(), os.cpu_count(), torch.get_num_threads(), torch.__version__)
    return hashlib.sha256(repr((*machine, device, adapter.precision, *shape)).encode()).hexdigest()[:24]


def _processor() -> str:
    """The name of the processor, if the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def cache_folder() -> Path:
    """Return the system's cache folder."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "unmask"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "unmask"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "unmask"


def _read() -> dict[str, Any]:
    """Return the stored budgets; empty if they cannot be read."""
    try:
        known = json.loads((cache_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _keep(budgets: dict[str, Any]) -> None:
    """Store the budgets if the folder is writable."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{FILE}.{os.getpid()}"
        part.write_text(json.dumps(budgets, indent=1), encoding="utf-8")
        part.replace(folder / FILE)
    except OSError:
        return
