"""The token budget of a batch, measured once per machine and kind of model, and kept in the user's cache.

The budget affects scores by rounding only. If results must be equal bit for bit across machines or parts of a file,
read the budget from `Engine.batch_tokens` once and pass that number everywhere.
"""

import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from ..models.adapter import Adapter
from ..questions import Perturbation
from .forward import EngineText, PendingRow, is_out_of_memory, run_rows

CPU_CANDIDATES, DEVICE_CANDIDATES = (1_024, 2_048, 4_096), (4_096, 16_384, 65_536)
ROUNDS = 3  # measurements of all candidates in turn, since the machine may be busy
WORTHWHILE = 0.03  # the gain for which a larger batch is worth its memory
LENGTHS = (32, 128, 512)  # texts of similar length share a measurement
FILE = "batch-tokens.json"


def calibrated_budget(adapter: Adapter, text: EngineText, *, least: int) -> int:
    """The stored budget for this machine, model and text length; measured now if there is none.

    Args:
        least: The budget if nothing can be measured.
    """
    key, kept = budget_key(adapter, len(text.encoded.ids)), _read()
    if isinstance(known := kept.get(key), int) and known > 0:
        return known
    budget = choose_budget(measure_budgets(adapter, text)) or least
    _keep({**_read(), key: budget})
    return budget


def choose_budget(seconds: dict[int, float]) -> int | None:
    """The smallest budget that is nearly as fast as the fastest; None if nothing was measured.

    Args:
        seconds: Seconds per token, by budget.

    >>> choose_budget({1024: 1.00, 2048: 0.98, 4096: 0.90})
    4096
    >>> choose_budget({1024: 1.00, 2048: 0.98, 4096: 1.20})
    1024
    """
    fastest = min(seconds.values(), default=0.0)
    return next((budget for budget, one in sorted(seconds.items()) if one <= (1 + WORTHWHILE) * fastest), None)


def measure_budgets(adapter: Adapter, text: EngineText) -> dict[int, float]:
    """Seconds per token with each budget, except budgets that do not fit in memory."""
    candidates = CPU_CANDIDATES if adapter.device.type == "cpu" else DEVICE_CANDIDATES
    best = dict[int, float]()
    for _ in range(ROUNDS):
        for budget in candidates:
            rows = [PendingRow(text, Perturbation())] * max(1, budget // len(text.encoded.ids))
            try:
                seconds = _seconds(adapter, rows) / (len(rows) * len(text.encoded.ids))
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                return best
            best[budget] = min(best.get(budget, seconds), seconds)
    return best


def _seconds(adapter: Adapter, rows: Sequence[PendingRow]) -> float:
    """The processor time of one batch on a CPU with one thread, which other programs disturb least; else wall time."""
    is_alone = adapter.device.type == "cpu" and torch.get_num_threads() == 1
    clock = time.thread_time if is_alone else time.perf_counter
    started = clock()
    run_rows(adapter, rows)
    return clock() - started


def budget_key(adapter: Adapter, length: int) -> str:
    """What the fastest budget depends on: processor, threads, shape and precision of the model, length of the text."""
    module = getattr(adapter, "module", None)
    shape = [] if module is None else sorted(str(tuple(weight.shape)) for weight in module.parameters())
    device = torch.cuda.get_device_name(adapter.device) if adapter.device.type == "cuda" else str(adapter.device)
    near = next((most for most in LENGTHS if length <= most), length)
    machine = (platform.machine(), _processor(), os.cpu_count(), torch.get_num_threads(), torch.__version__)
    parts = (*machine, device, adapter.precision, near, *shape)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def _processor() -> str:
    """The name of the processor, if the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def cache_folder() -> Path:
    """The system's folder for data that can be recomputed."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "unmask"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "unmask"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "unmask"


def _read() -> dict[str, Any]:
    """The stored budgets; empty if they cannot be read."""
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
