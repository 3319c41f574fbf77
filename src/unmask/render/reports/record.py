"""A report as JSON: every figure in full, for programs; never one number per text."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ...results.report import Report, ReportCell, operators
from ...results.rows import WORDS
from .by_dataset import headline_differences
from .facts import settings, shared_facts
from .long import Entry, entries

SCHEMA = 1


def as_json(report: Report) -> str:
    """The report as JSON; the same report gives the same bytes. All is in the order of the plan.

    - `schema`, `kind` ("report"), `plan`, `protocol`, `top`, `unit`, `reference`
    - `facts`: what all cells have in common, in words
    - `cells`: a list, one for each dataset, model and baseline:
        - `dataset`, `model`, `source`, `baseline` (as the plan has it), `baseline_used`, `planned` (texts), `note`
        - `hash` of the model's content, `function`, `unit`, `target`, `scale`, `seed`, `dtype`, `max_length`,
          `operators`, `curve`, `truncated` (texts); null where nothing was computed
        - `warnings`: a list of sentences
        - `rows`: a list, one for each method and control, and for words that are missing at random ("robustness"):
            - `name`, `kind`, `baseline` (by what the method itself takes units away), `done` (by operator, texts),
              `failures` (texts), `reason` (of the first failure), `first_failure` (the text's number, from 1) and
              `first_failure_place` (where it stands, as "line 12")
            - `figures`: a list of `metric`, `operator`, `share`, `mean`, `low`, `high`, `count`, `own_operator`;
              means are null where nothing was computed; with `times` also the metrics `passes`, `gradient_passes` and
              `seconds`, of a text and without an interval
            - `published`: by metric, the figures that were published elsewhere, or null
            - `differences`: a list of `metric`, `operator`, `share`, `mean`, `low`, `high`, `p`, `count`: the row minus
              the reference, by the headline operator
    """
    record = {
        "schema": SCHEMA,
        "kind": "report",
        **{name: getattr(report, name) for name in ("plan", "protocol", "top", "unit", "reference")},
        "facts": shared_facts(report),
        "cells": [_cell(report, cell) for cell in report.cells],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _cell(report: Report, cell: ReportCell) -> dict[str, Any]:
    names = ("dataset", "model", "source", "baseline", "baseline_used", "planned", "note")
    kinds: dict[str, str] = {**report.kinds, **({WORDS: "robustness"} if cell.row(WORDS) else {})}
    figures: dict[str, list[Entry]] = {name: [] for name in kinds}
    for entry in entries(report, cell):
        figures[entry.name].append(entry)
    differences: dict[str, list[dict[str, Any]]] = {name: [] for name in kinds}
    for (name, measure), difference in headline_differences(report, cell).items():
        if difference is not None:
            differences[name].append(asdict(measure) | asdict(difference))
    return {
        **{name: getattr(cell, name) for name in names},
        "hash": cell.evaluation.model.hash if cell.evaluation else None,
        **settings(cell),
        **{name: getattr(cell.evaluation, name, None) for name in ("operators", "curve", "truncated")},
        "warnings": list(cell.evaluation.warnings) if cell.evaluation else [],
        "rows": [
            {"name": name, "kind": kind, **_row(report, cell, name, figures[name]), "differences": differences[name]}
            for name, kind in kinds.items()
        ],
    }


def _row(report: Report, cell: ReportCell, name: str, figures: Sequence[Entry]) -> dict[str, Any]:
    row = cell.row(name)
    coverage = {operator: cell.coverage(name, operator) for operator in operators([cell])}
    worst = max([cell.coverage(name), *coverage.values()], key=lambda one: one.failed)
    return {
        "baseline": row.baseline if row else None,
        "done": {operator: one.done for operator, one in coverage.items()},
        "failures": worst.failed,
        "reason": worst.first.reason if worst.first else None,
        "first_failure": worst.first.example + 1 if worst.first else None,
        "first_failure_place": worst.first.place if worst.first else None,
        "figures": [
            asdict(entry.measure)
            | {field: getattr(entry, field) for field in ("mean", "low", "high", "count")}
            | {"own_operator": entry.is_own}
            for entry in figures
        ],
        "published": dict(report.published(cell, name)) or None,
    }
