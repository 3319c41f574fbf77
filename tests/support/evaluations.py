"""Made-up evaluations and reports with plausible numbers; no model is run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from unmask.metrics.controls import FADING, SHARES
from unmask.metrics.faithfulness import CURVE, METRICS
from unmask.metrics.registry import Measure
from unmask.questions import Numbers
from unmask.results.evaluation import Evaluation
from unmask.results.metadata import ModelInfo, Passes
from unmask.results.report import Report, ReportCell
from unmask.results.rows import GREEDY, RANDOM, WORDS, EvaluationRow, RowFailure

METHODS = (
    "grad_x_input",
    "deeplift",
    "gradient_shap:samples=5,pool=baseline_and_text",
    "ig",
    "dig",
    "sdig",
    "sig",
    "sig_path:steps=50",
    "leave_one_in",
    "shapley",
)
STRENGTH = {"log_odds": -1.9, "comprehensiveness": 0.45, "sufficiency": 0.3}  # of the strongest method, at the top
TOP = 0.2
LOG_ODDS = Measure("log_odds", "remove", TOP)


@dataclass(frozen=True)
class Elsewhere:
    """Toy published figures, only for BERT: log-odds, comprehensiveness and sufficiency of each row."""

    label: str
    rows: Mapping[str, tuple[float, float, float]]

    def figures(self, cell: ReportCell, row: str) -> Mapping[str, float]:
        known = cell.model == "bert" and row in self.rows
        return dict(zip(METRICS, self.rows[row], strict=True)) if known else {}

    def notes(self, report: Report, cells: Sequence[ReportCell]) -> list[str]:
        return [f"{self.label}: of {len(cells)} cells in {report.plan}"]


def evaluation(
    texts: int = 20,
    *,
    methods: Sequence[str] = METHODS,
    operators: Sequence[str] = ("remove", "mask"),
    baseline: str = "mask",
    seed: int = 0,
    **fields: Any,
) -> Evaluation:
    """An evaluation with methods from weak to strong, between the two controls."""
    drawing = np.random.default_rng(seed)
    rows = [
        EvaluationRow(
            name,
            "method",
            _figures(drawing, texts, (at + 1) / len(methods), operators) | _errors(drawing, texts),
            "remove" if name == "leave_one_out" else baseline,
            Passes(texts * 12 * (at + 1), texts * 5 * at),
            0.01 * texts * (at + 1),
            texts,
        )
        for at, name in enumerate(methods)
    ]
    rows.append(EvaluationRow(RANDOM, "control", _figures(drawing, texts, 0.05, operators)))
    rows.append(EvaluationRow(GREEDY, "control", at_top(_figures(drawing, texts, 1.3, operators))))
    return replace(_empty(texts, tuple(operators)), rows=tuple(rows), **fields)


def run_once(found: Evaluation, texts: int) -> Evaluation:
    """The same evaluation with duplicate texts, so that only this many texts were run."""
    return replace(found, rows=tuple(replace(row, texts=texts) for row in found.rows))


def constant(figures: dict[str, tuple[float, float, float]], texts: int = 4, **fields: Any) -> Evaluation:
    """Rows whose log-odds, comprehensiveness and sufficiency (top share, `remove`) are the same for every text."""
    rows = tuple(
        EvaluationRow(
            name,
            "control" if name in (RANDOM, GREEDY) else "method",
            {Measure(one, "remove", TOP): np.full(texts, value) for one, value in zip(METRICS, values, strict=True)},
            None if name in (RANDOM, GREEDY) else "mask",
        )
        for name, values in figures.items()
    )
    return replace(_empty(texts, ("remove",)), rows=rows, **fields)


def small(**fields: Any) -> Report:
    """A report with two models, one of them not run, two methods and a control; one text failed."""
    found = constant(
        {"ig": (-1.0, 0.25, 0.125), "sig": (-1.5, 0.375, 0.0625), RANDOM: (-0.5, 0.0625, 0.5)},
        failures=(RowFailure(4, None, "the text is empty"),),
    )
    cells = cell(found, planned=5), cell(model="roberta", source="some/roberta", planned=5)
    return report(*cells, **fields)


def cell(found: Evaluation | None = None, **fields: Any) -> ReportCell:
    """A cell with this evaluation, by default for SST-2 and BERT."""
    texts = found.examples if found else 0
    named = {"dataset": "sst2", "model": "bert", "source": "some/bert", "baseline": "mask"}
    if found and (baseline := fields.get("baseline", "mask")) != "auto":
        found = replace(found, baselines=(baseline,))
    return ReportCell(
        **{"evaluation": found, "lengths": (9,) * texts, "scores": {}, "planned": texts or 20, **named, **fields}
    )


def report(*cells: ReportCell, **fields: Any) -> Report:
    """A report of these cells."""
    return Report(**{"plan": "small", "protocol": "corrected", "top": TOP, "cells": cells, "unit": "word", **fields})


def large(texts: int, *, baselines: Sequence[str] = ("mask", "pad"), **fields: Any) -> Report:
    """The paper's grid: three datasets, three models, all methods."""
    grid = product(_LENGTHS, baselines, ("bert", "distilbert", "roberta"))
    cells = [_grid_cell(texts, data, base, model, seed) for seed, (data, base, model) in enumerate(grid)]
    return report(*cells, **{"plan": "paper", "reference": "sig", **fields})


def without(row: EvaluationRow, places: Sequence[int], operator: str | None = None) -> EvaluationRow:
    """The row without the figures of these texts, for one operator or for all."""
    kept = [one for one in row.values if operator not in (None, one.operator)]
    values = {
        one: all_ if one in kept else np.where(np.isin(np.arange(len(all_)), places), np.nan, all_)
        for one, all_ in row.values.items()
    }
    return replace(row, values=values)


def with_missing_words(found: Evaluation) -> Evaluation:
    """The evaluation plus random deletion with `remove`: figures fall as more words are deleted."""
    values = {
        Measure(metric, "remove", share): np.full(found.examples, np.nan if metric == "accuracy" else 1 - share / 2)
        for share in SHARES
        for metric in FADING
    }
    return replace(found, rows=(*found.rows, EvaluationRow(WORDS, "robustness", values)))


def at_top(figures: dict[Measure, Numbers]) -> dict[Measure, Numbers]:
    """Only the figures at the top share, since greedy is computed only there."""
    return {one: values for one, values in figures.items() if one.share == TOP}


_LENGTHS = {"sst2": (3, 40), "rotten_tomatoes": (4, 50), "imdb": (60, 400)}


def _grid_cell(texts: int, dataset: str, baseline: str, model: str, seed: int) -> ReportCell:
    drawing = np.random.default_rng(seed)
    lengths = drawing.integers(*_LENGTHS[dataset], texts)
    true = [drawing.normal(size=length) for length in lengths]
    scores = {
        name: tuple(tuple((one + drawing.normal(size=len(one)) * (0.2 + len(one) ** 0.5 / 8)).tolist()) for one in true)
        for name in ("sig", "ig")
    }
    found = evaluation(texts, baseline=baseline, seed=seed)
    greedy = {one: np.where(lengths > 64, np.nan, values) for one, values in found.row(GREEDY).values.items()}
    rows = tuple(replace(row, values=greedy) if row.name == GREEDY else row for row in found.rows)
    failures = (RowFailure(0, "shapley", "the text has no unit to explain"),) if seed == 1 else ()
    return ReportCell(
        dataset=dataset,
        model=model,
        source=f"textattack/{model}-{dataset}",
        baseline=baseline,
        evaluation=replace(found, rows=rows, failures=failures, baselines=(baseline,)),
        lengths=tuple(lengths.tolist()),
        scores=scores,
        planned=texts,
    )


def _figures(
    drawing: np.random.Generator, texts: int, strength: float, operators: Sequence[str]
) -> dict[Measure, Numbers]:
    found = {}
    for at, operator in enumerate(operators):
        for metric in METRICS:
            full = STRENGTH[metric] * (1 - 0.3 * at) * drawing.uniform(0.9, 1.1)
            for share in sorted({*CURVE, TOP}):
                found[Measure(metric, operator, share)] = drawing.normal(
                    _mean(metric, full, strength, share), abs(full) / 2, texts
                )
            found[Measure(f"aopc_{metric}", operator)] = drawing.normal(full * strength / 2, abs(full) / 3, texts)
        plain = found[Measure("sufficiency", operator, TOP)]
        found[Measure("sufficiency_clipped", operator, TOP)] = np.maximum(0, plain)
    return found


def _mean(metric: str, full: float, strength: float, share: float) -> float:
    grown = float((share / TOP) ** 0.6)
    return full * (1.2 - strength) * 1.5 * (1 - share) ** 2 if metric == "sufficiency" else full * strength * grown


def _errors(drawing: np.random.Generator, texts: int) -> dict[Measure, Numbers]:
    delta = drawing.normal(0.1, 0.4, texts)
    return {Measure("delta"): delta, Measure("absolute_delta"): abs(delta)}


def _empty(texts: int, operators: tuple[str, ...]) -> Evaluation:
    return Evaluation(
        model=ModelInfo("tiny", "sha256:0123456789abcdef"),
        protocol="corrected",
        function="the model",
        unit="word",
        target="predicted",
        scale="log_odds",
        baselines=("mask",),
        operators=operators,
        top=TOP,
        curve=CURVE,
        seed=0,
        max_length=None,
        examples=texts,
        truncated=0,
        rows=(),
    )
