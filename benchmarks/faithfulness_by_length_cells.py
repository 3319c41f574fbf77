"""The cells on the page of benchmarks/faithfulness_by_length.py: one model on one band of lengths, with its figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from unmask.metrics.registry import Measure
from unmask.metrics.statistics import Difference
from unmask.results.evaluation import Evaluation
from unmask.results.rows import GREEDY

TOP = 0.2
SHARES = ("log_odds", "comprehensiveness", "sufficiency")  # at the top 20% of the units
METRICS = (*SHARES, *(f"aopc_{metric}" for metric in SHARES))
HIGHER = ("comprehensiveness", "aopc_comprehensiveness")  # is better
OPERATORS = {"remove": "Words are removed", "mask": "Words are replaced by the mask token"}
REFERENCE = "sig"
NAMED = ("recursive_sig", "two_sided", "shapley")  # of the finding
EXPENSIVE = ("shapley", GREEDY)  # may be measured on fewer texts
ROWS = 9  # besides the expensive ones
CLEAR = 0.05
FLIPS = 200_000  # enough for the smallest p to stay below 0.05 after the correction


@dataclass(frozen=True, slots=True)
class Cell:
    """One model on one band."""

    band: str
    model: str
    evaluation: Evaluation


Corrected = dict[tuple[str, str, str, str], tuple[Difference, float]]  # by metric, band, model and method


def measure_of(metric: str, operator: str) -> Measure:
    """The measure of a metric: AOPC, or at the top 20%."""
    return Measure(metric, operator, None if metric.startswith("aopc") else TOP)


def by_band(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """The models of each band."""
    return {band: [cell for cell in cells if cell.band == band] for band in dict.fromkeys(cell.band for cell in cells)}


def passes(columns: Sequence[Cell], name: str) -> str:
    """The mean number of passes per text; one for each band."""
    return " / ".join(_passes(cells, name) for cells in by_band(columns).values())


def _passes(columns: Sequence[Cell], name: str) -> str:
    rows = [row for cell in columns for row in cell.evaluation.rows if row.name == name and row.texts]
    texts = sum(row.texts for row in rows)
    if not texts:
        return "—"
    forward, backward = (sum(getattr(row.passes, part) for row in rows) / texts for part in ("forward", "backward"))
    return f"{forward:.0f} ({backward:.0f} with gradients)" if backward else f"{forward:.0f}"


def ahead_and_behind(corrected: Corrected, metric: str, name: str) -> tuple[int, int]:
    """On how many combinations of model and band a method is clearly ahead of SIG, and clearly behind."""
    clear = [
        one.mean for (own, _, _, method), (one, p) in corrected.items() if (own, method) == (metric, name) and p < CLEAR
    ]
    better = [(mean > 0) == (metric in HIGHER) for mean in clear]
    return sum(better), len(better) - sum(better)
