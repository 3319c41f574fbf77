"""Helpers that benchmarks share: texts, models, and timing of programs within one run."""

import csv
import gzip
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
    """Return the same sentences with their labels."""
    with gzip.open(SHARED / "data" / "sst2" / f"{split}.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return rows[:count]


@dataclass(frozen=True)
class Spread:
    """A ratio over several rounds."""

    ratios: tuple[float, ...]

    def __str__(self) -> str:
        low, middle, high = min(self.ratios), statistics.median(self.ratios), max(self.ratios)
        digits = 2 if middle < 10 else 1 if middle < 50 else 0
        return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Spread:
    """Return the ratio of two programs' times, round by round."""
    return Spread(tuple(one / other for one, other in zip(numerators, denominators, strict=True)))


def interleaved(rounds: int, **programs: Callable[[], object]) -> dict[str, list[float]]:
    """Return each program's processor seconds in every round, after a warm-up round.

    The programs take turns, since the machine's speed drifts, and every second round runs in reverse order.
    """
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    for program in programs.values():
        program()
    for at in range(rounds):
        for name in list(programs)[:: -1 if at % 2 else 1]:
            started = time.process_time()
            programs[name]()
            seconds[name].append(time.process_time() - started)
    return seconds
