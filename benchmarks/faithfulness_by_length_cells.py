"""The cells on the page of benchmarks/faithfulness_by_length.py: one model on one band of lengths, with its figures."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from per_text_values import PASSES, Row, Values

from unmask.metrics.registry import Measure
from unmask.metrics.statistics import Difference
from unmask.results.evaluation import Evaluation
from unmask.results.metadata import ModelInfo, Passes
from unmask.results.rows import GREEDY, RANDOM, EvaluationRow

TOP = 0.2
SHARES = ("log_odds", "comprehensiveness", "sufficiency")  # at the top 20% of the units
METRICS = (*SHARES, *(f"aopc_{metric}" for metric in SHARES))
HIGHER = ("comprehensiveness", "aopc_comprehensiveness")  # is better
OPERATORS = {"remove": "Words are removed", "mask": "Words are replaced by the mask token"}
REFERENCE = "sig"
NAMED = ("recursive_sig", "two_sided", "shapley")  # of the finding
CHEAP = (
    *("sig", "two_sided", "recursive_sig", "recursive_sig:two_sided=false", "recursive_sig:pool=none"),
    *("recursive_sig:operator=remove", "ig", "leave_one_in", RANDOM),
)
EXPENSIVE = ("shapley", "shapley:permutations=4", GREEDY)  # may be measured on fewer texts
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


def name_of(metric: str, operator: str) -> str:
    """The name of a measure among the kept values."""
    return f"{metric} {operator}"


def cells_of(values: Values, bands: Iterable[str], models: Iterable[str]) -> Iterator[Cell]:
    """Each band and model, over the texts for which every cheap method has values on all models of the band."""
    for band in bands:
        own = {(row.name, row.method): kept for row, kept in values.rows.items() if row.dataset == band}
        known = [model for model in models if all((model, method) in own for method in CHEAP)]
        texts = (
            sorted(set.intersection(*(set(own[model, method]) for model in known for method in CHEAP))) if known else []
        )
        for model in known:
            rows = [
                _row(row, values, texts)
                for name in (*CHEAP, *EXPENSIVE)
                for row in values.rows
                if (row.dataset, row.name, row.method) == (band, model, name)
            ]
            yield Cell(band, model, _evaluation(model, len(texts), rows))


def _row(row: Row, values: Values, texts: Sequence[str]) -> EvaluationRow:
    measures = {measure_of(metric, operator): name_of(metric, operator) for operator in OPERATORS for metric in METRICS}
    kept = {measure: values.column(row, name, texts) for measure, name in measures.items()}
    if row.method in (RANDOM, GREEDY):
        return EvaluationRow(row.method, "control", kept)
    columns = [values.column(row, name, texts) for name in PASSES]
    forward, backward = (round(np.nansum(column)) for column in columns)
    return EvaluationRow(
        row.method,
        "method",
        kept,
        baseline="remove" if "operator=remove" in row.method else row.baseline,
        passes=Passes(forward, backward),
        texts=int((~np.isnan(columns[0])).sum()),
    )


def _evaluation(model: str, texts: int, rows: Sequence[EvaluationRow]) -> Evaluation:
    return Evaluation(
        model=ModelInfo(model, ""),
        protocol="corrected",
        function="model",
        unit="word",
        target="prediction",
        scale="log_odds",
        baselines=("mask",),
        operators=tuple(OPERATORS),
        top=TOP,
        curve=(),
        seed=0,
        max_length=None,
        examples=texts,
        truncated=None,
        rows=tuple(rows),
    )


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
