"""What the benchmarks share: texts, models, and times that are compared within one run."""

import csv
import gzip
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from unmask import Explainer

SHARED = Path(__file__).resolve().parents[2] / "shared"
MODELS = ("bert-sst2", "distilbert-sst2", "roberta-sst2")


def explainer_of(name: str) -> Explainer:
    """The shared model of that name, or the one inside the package: `embedded`."""
    if name == "embedded":
        return Explainer.default(device="cpu")
    return Explainer.from_pretrained(SHARED / "models" / name, device="cpu")


def sst2(split: str, count: int | None = None) -> list[str]:
    """The first sentences of SST-2."""
    return [row["text"] for row in sst2_rows(split, count)]


def sst2_rows(split: str, count: int | None = None) -> list[dict[str, str]]:
    """The same with their labels."""
    with gzip.open(SHARED / "data" / "sst2" / f"{split}.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return rows[:count]


def interleaved(rounds: int, **programs: Callable[[], object]) -> dict[str, float]:
    """Each program's median seconds; they take turns, since the machine's speed drifts."""
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    for program in programs.values():
        program()  # warm
    for _ in range(rounds):
        for name, program in programs.items():
            started = time.perf_counter()
            program()
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(found) for name, found in seconds.items()}
