"""A report as JSON: every figure in full, for programs; never one number per text."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ...metrics.faithfulness import METRICS
from ...results.report import Report, ReportCell, headline, operators
from ...results.rows import WORDS
from . import facts
from .differences import differences
from .entries import Entry, entries
from .published import figures as published

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
            - `published`: `log_odds`, `comprehensiveness`, `sufficiency` of the paper, or null
            - `differences`: a list of `metric`, `operator`, `share`, `mean`, `low`, `high`, `p`, `count`: the row minus
              the reference, by the headline operator
    """
    named = {name: getattr(report, name) for name in ("plan", "protocol", "top", "unit", "reference")}
    record = {
        "schema": SCHEMA,
        "kind": "report",
        **named,
        "facts": facts.shared(report),
        "cells": [_cell(report, cell) for cell in report.cells],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _cell(report: Report, cell: ReportCell) -> dict[str, Any]:
    names = ("dataset", "model", "source", "baseline", "baseline_used", "planned", "note")
    kinds: dict[str, str] = {**report.kinds, **({WORDS: "robustness"} if cell.row(WORDS) else {})}
    found: dict[str, list[Entry]] = {name: [] for name in kinds}
    for entry in entries(report, cell):
        found[entry.name].append(entry)
    compared = _differences(report, cell)
    return {
        **{name: getattr(cell, name) for name in names},
        "hash": cell.evaluation.model.hash if cell.evaluation else None,
        **facts.settings(cell),
        **{name: getattr(cell.evaluation, name, None) for name in ("operators", "curve", "truncated")},
        "warnings": list(cell.evaluation.warnings) if cell.evaluation else [],
        "rows": [
            {"name": name, "kind": kind, **_row(report, cell, name, found[name]), "differences": compared.get(name, [])}
            for name, kind in kinds.items()
        ],
    }


def _row(report: Report, cell: ReportCell, name: str, found: Sequence[Entry]) -> dict[str, Any]:
    row, paper = cell.row(name), published(report, cell, name)
    standings = {one: cell.standing(name, one) for one in operators([cell])}
    failed = max([cell.standing(name), *standings.values()], key=lambda one: one.failed)
    return {
        "baseline": row.baseline if row else None,
        "done": {operator: one.done for operator, one in standings.items()},
        "failures": failed.failed,
        "reason": failed.first.reason if failed.first else None,
        "first_failure": failed.first.example + 1 if failed.first else None,
        "first_failure_place": failed.first.place if failed.first else None,
        "figures": [_figure(one) for one in found],
        "published": None if paper is None else dict(zip(METRICS, paper, strict=True)),
    }


def _figure(entry: Entry) -> dict[str, Any]:
    figures = {name: getattr(entry, name) for name in ("mean", "low", "high", "count")}
    return asdict(entry.measure) | figures | {"own_operator": bool(entry.mark)}


def _differences(report: Report, cell: ReportCell) -> dict[str, list[dict[str, Any]]]:
    """By row, those that were computed."""
    found: dict[str, list[dict[str, Any]]] = {}
    for (name, measure), one in differences(report, cell, headline([cell])).items():
        if one is not None:
            found.setdefault(name, []).append(asdict(measure) | asdict(one))
    return found
