"""Every number of a report, and how many texts it covers: tables to read, one table for CSV, and JSON.

The JSON has every number unrounded, but no values of single texts.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ...metrics.controls import FADING
from ...metrics.faithfulness import METRICS
from ...metrics.registry import ERRORS, KNOWN, PLAUSIBILITY, Measure, metrics_of
from ...metrics.statistics import Difference
from ...results.evaluation import minus
from ...results.report import Report, ReportCell, headline, operators
from ...results.rows import WORDS
from ..tables import Column, Table, TableCell
from .figures import AREAS, NOTHING, OWN, at_top, cell_title, differences, own_note
from .notes import cell_notes, missing, settings, shared_facts
from .shared_tables import difference_tables

SCHEMA = 1  # the version of the JSON format
COSTS = {"passes": "passes per text", "gradient_passes": "passes with gradients", "seconds": "seconds per text"}
PLACE = ("dataset", "model", "baseline", "baseline_used")
NAMES = tuple(Column(title, align="left") for title in ("method", "operator", "metric"))
COLUMNS = (*NAMES, *map(Column, ("mean", "texts", "failed")))


@dataclass(frozen=True, slots=True)
class Entry:
    """One result of a row; its values are None if nothing was computed."""

    method: str
    measure: Measure
    failures: int
    planned: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0
    is_own: bool = False  # whether the metric deletes units in the same way as the method
    published: float | None = None
    difference: Difference | None = None  # from the reference

    @property
    def title(self) -> str:
        """The heading for the metric."""
        metric = KNOWN.get(self.measure.metric)
        if metric is None:
            return COSTS[self.measure.metric]
        share = "" if self.measure.share is None else f", {self.measure.share:.0%}"
        return f"{metric.title} {metric.arrow}".strip() + share + (" deleted" if self.measure.metric in FADING else "")


def entries(report: Report, cell: ReportCell) -> Iterator[Entry]:
    """All results of a cell in the order of the plan, including rows that were not computed."""
    measures = {name: _measures(report, cell, name) for name in report.kinds}
    measures |= {WORDS: list(cell.rows[WORDS].values)} if WORDS in cell.rows else {}
    summaries = cell.summaries((name, measure) for name, known in measures.items() for measure in known)
    compared, first = differences(report, cell), at_top(report, [headline([cell])])
    for name, known in measures.items():
        row, published = cell.row(name), report.published(cell, name)
        failures = {operator: cell.coverage(name, operator).failed for operator in {one.operator for one in known}}
        for measure in known:
            summary = summaries[name, measure]
            yield Entry(
                name,
                measure,
                failures[measure.operator],
                cell.planned,
                **(asdict(summary) if summary else {}),
                is_own=row.is_own(measure),
                published=published.get(measure.metric) if measure in first else None,
                difference=compared.get((name, measure)),
            )
        scored = Entry(name, Measure(""), cell.coverage(name).failed, cell.planned, count=row.texts)
        for metric, mean in row.costs.items() if report.times else ():
            yield replace(scored, measure=Measure(metric), mean=mean)


def _measures(report: Report, cell: ReportCell, name: str) -> list[Measure]:
    """All metrics that were computed, and the three main ones even if they were not, so that gaps are visible."""
    by, curve = operators([cell]) or operators(report.cells), cell.evaluation.curve if cell.evaluation else ()
    shares = [report.top, *(share for share in curve if share != report.top)]
    possible = [
        Measure(metric, operator, share)
        for operator in by
        for metric in (*metrics_of("faithfulness", "derived"), *AREAS)
        for share in (shares if metric in METRICS else [None] if metric in AREAS else [report.top])
    ]
    shown = {*cell.row(name).values, *at_top(report, by)}
    return [one for one in (*possible, *map(Measure, (*PLAUSIBILITY, *ERRORS))) if one in shown]


def long_lines(report: Report) -> Iterator[Table]:
    """One table for CSV: all numbers, each with everything it depends on."""
    label, columns = report.references.label if report.references else "", minus(report.reference or "")
    lines = []
    for cell in report.cells:
        values = {name: getattr(cell, name) for name in PLACE} | {"protocol": report.protocol} | settings(cell)
        place = {name: "" if value is None else str(value) for name, value in values.items()}
        for entry in entries(report, cell):
            difference = {name: number(getattr(entry.difference, part, None)) for part, name in columns.items()}
            lines.append(place | _fields(entry) | {label: number(entry.published)} | difference)
    yield lines_table(report.plan, lines, optional={label, *columns.values()})


def _fields(entry: Entry) -> dict[str, str]:
    share = "" if entry.measure.share is None else f"{entry.measure.share:g}"
    return {
        "method": entry.method,
        "operator": entry.measure.operator or "",
        "share": share,
        "metric": entry.measure.metric,
        **{name: number(getattr(entry, name)) for name in ("mean", "low", "high")},
        **{name: str(getattr(entry, name)) for name in ("count", "failures", "planned")},
        "own_operator": "yes" if entry.is_own else "",
    }


def lines_table(title: str, lines: Sequence[dict[str, str]], optional: Collection[str] = ()) -> Table:
    """Turn lines into a table for CSV, without optional columns that are empty."""
    names = list(lines[0]) if lines else ["method"]
    kept = [name for name in names if name not in optional or any(line[name] for line in lines)]
    rows = tuple(tuple(TableCell(line[name]) for name in kept) for line in lines)
    return Table(title, tuple(map(Column, kept)), rows)


def number(value: float | None) -> str:
    """A number as text for CSV; empty for None."""
    return "" if value is None else f"{value:.6g}"


def long_tables(report: Report) -> Iterator[Table]:
    """Tables for readers: one per dataset, model and baseline, with a rule above each method."""
    explained: set[str] = set()
    for cell in report.cells:
        known = list(entries(report, cell))
        starts = frozenset(at for at, one in enumerate(known) if at and one.method != known[at - 1].method)
        notes = [*_meanings(cell, known, explained), *_notes(report, cell, known)]
        yield Table(cell_title(cell), COLUMNS, tuple(map(_row, known)), tuple(notes), starts)
    yield from difference_tables(report)


def _row(entry: Entry) -> tuple[TableCell, ...]:
    names = map(TableCell, (entry.method, entry.measure.operator or "", entry.title))
    interval = None if entry.low is None else f"[{entry.low:.3f}, {entry.high:.3f}]"
    mean = NOTHING if entry.mean is None else TableCell(f"{entry.mean:,.3f}{OWN * entry.is_own}", interval)
    return *names, mean, TableCell(f"{entry.count:,} of {entry.planned:,}"), TableCell(f"{entry.failures:,}")


def _meanings(cell: ReportCell, known: list[Entry], explained: set[str]) -> Iterator[str]:
    """Notes on what the metrics mean, without those that an earlier table has."""
    if not explained:
        yield "Means with 95% bootstrap intervals."
    metrics = dict.fromkeys(entry.measure.metric for entry in known)
    notes = [f"{KNOWN[metric].title}: {KNOWN[metric].meaning}" for metric in metrics if metric in KNOWN]
    if cell.evaluation and not metrics.keys().isdisjoint(AREAS):
        shares = ", ".join(f"{100 * share:g}" for share in cell.evaluation.curve)
        notes.append(f"AOPC: over {shares}% of the units; shares that select the same number of units count once")
    yield from (note for note in notes if note not in explained)
    explained.update(notes)


def _notes(report: Report, cell: ReportCell, known: list[Entry]) -> Iterator[str]:
    """Notes on marks and on what was not computed; a note that applies to all operators appears once."""
    if any(entry.is_own for entry in known):
        yield own_note(headline([cell]))
    by = {one: list(missing([cell], list(report.kinds), one)) for one in operators([cell]) or (None,)}
    first, *others = by.values()
    if all(notes == first for notes in others):
        yield from first
    else:
        yield from (f"by {operator}: {note}" for operator, notes in by.items() for note in notes)
    yield from cell_notes([cell])


def as_json(report: Report) -> str:
    """The report as JSON, as described in docs/reference/json.md; the same report always gives the same bytes."""
    record = {
        "schema": SCHEMA,
        "kind": "report",
        **{name: getattr(report, name) for name in ("plan", "protocol", "top", "unit", "reference")},
        "facts": shared_facts(report),
        "cells": [_cell_record(report, cell) for cell in report.cells],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _cell_record(report: Report, cell: ReportCell) -> dict[str, Any]:
    known, evaluation, kinds = list(entries(report, cell)), cell.evaluation, dict[str, str](report.kinds)
    kinds |= {WORDS: "robustness"} if WORDS in cell.rows else {}
    return {
        **{name: getattr(cell, name) for name in ("dataset", "model", "source", *PLACE[2:], "planned", "note")},
        "verdict": evaluation.verdict if evaluation else None,
        "hash": evaluation.model.hash if evaluation else None,
        **settings(cell),
        **{name: getattr(evaluation, name, None) for name in ("operators", "curve", "truncated")},
        "warnings": list(evaluation.warnings) if evaluation else [],
        "rows": [{"name": name, "kind": kinds[name], **_row_record(report, cell, name, known)} for name in kinds],
    }


def _row_record(report: Report, cell: ReportCell, name: str, entries: Sequence[Entry]) -> dict[str, Any]:
    known = [entry for entry in entries if entry.method == name]
    coverage = {operator: cell.coverage(name, operator) for operator in operators([cell])}
    worst = max([cell.coverage(name), *coverage.values()], key=lambda one: one.failed)
    figures = [
        asdict(entry.measure)
        | {field: getattr(entry, field) for field in ("mean", "low", "high", "count")}
        | {"own_operator": entry.is_own}
        for entry in known
    ]
    return {
        "baseline": cell.row(name).baseline,
        "done": {operator: one.done for operator, one in coverage.items()},
        "failures": worst.failed,
        "reason": worst.first.reason if worst.first else None,
        "first_failure": worst.first.example + 1 if worst.first else None,
        "first_failure_place": worst.first.place if worst.first else None,
        "figures": figures,
        "published": dict(report.published(cell, name)) or None,
        "differences": [asdict(one.measure) | asdict(one.difference) for one in known if one.difference],
    }
