"""Every figure with how many texts it is of: for people a table for each cell, for programs one table, or JSON.

The JSON has every figure in full, and never one number per text.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ...metrics.faithfulness import METRICS
from ...metrics.random_deletion import FADING
from ...metrics.registry import ERRORS, KNOWN, PLAUSIBILITY, Measure, metrics_of
from ...results.evaluation import minus
from ...results.report import Report, ReportCell, RowCoverage, headline, operators
from ...results.rows import WORDS
from ..tables import Column, Table, TableCell
from .by_dataset import costs, difference_tables, headline_differences
from .document import Layout
from .facts import SETTINGS, cell_notes, missing, settings, shared_facts
from .figures import AREAS, NOTHING, OWN, OWN_NOTE, cell_title, is_own, summaries_of

SCHEMA = 1  # of the JSON
COSTS = {"passes": "passes a text", "gradient_passes": "passes with gradients", "seconds": "seconds a text"}
PLACE = ("dataset", "model", "baseline", "baseline_used")
KEYS = ("method", "operator", "share", "metric")
FIGURES = ("mean", "low", "high", "count", "failures", "planned", "own_operator")
NAMES = tuple(Column(title, align="left") for title in ("method", "operator", "metric"))
COLUMNS = (*NAMES, *map(Column, ("mean", "texts", "failed")))


@dataclass(frozen=True, slots=True)
class Entry:
    """One figure of a row; None where nothing was computed."""

    name: str
    measure: Measure
    coverage: RowCoverage
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0
    is_own: bool = False  # judged by its own operator

    @property
    def title(self) -> str:
        """The metric, for people."""
        metric = KNOWN.get(self.measure.metric)
        if metric is None:
            return COSTS[self.measure.metric]
        share = "" if self.measure.share is None else f", {self.measure.share:.0%}"
        return f"{metric.title} {metric.arrow}".strip() + share + (" taken" if self.measure.metric in FADING else "")


def entries(report: Report, cell: ReportCell) -> Iterator[Entry]:
    """All figures of a cell in the order of the plan; of rows that were not computed, that they were not."""
    measures = {name: _measures(report, cell, name) for name in report.kinds}
    if (words := cell.row(WORDS)) is not None:
        measures[WORDS] = list(words.values)
    summaries = summaries_of(cell, [(name, one) for name in measures if cell.row(name) for one in measures[name]])
    for name, known in measures.items():
        row = cell.row(name)
        coverage = {operator: cell.coverage(name, operator) for operator in {one.operator for one in known}}
        for measure in known:
            entry = Entry(name, measure, coverage[measure.operator], is_own=is_own(row, measure))
            summary = summaries.get((name, measure))
            yield replace(entry, **asdict(summary)) if summary else entry
        if report.times and (spent := costs(cell, name)):
            texts, coverage_of_all = row.texts if row else 0, cell.coverage(name)
            for metric, mean in spent.items():
                yield Entry(name, Measure(metric), coverage_of_all, mean=mean, count=texts)


def _measures(report: Report, cell: ReportCell, name: str) -> list[Measure]:
    """The three metrics always, so that it is seen what is missing; the others where there are any."""
    row, by = cell.row(name), operators([cell]) or operators(report.cells)
    curve = cell.evaluation.curve if cell.evaluation else ()
    shares = [report.top, *(share for share in curve if share != report.top)]
    possible = [
        Measure(metric, operator, share)
        for operator in by
        for metric in (*metrics_of("faithfulness", "derived"), *AREAS)
        for share in (shares if metric in METRICS else [None] if metric in AREAS else [report.top])
    ]
    known = row.values if row else {}
    always = [Measure(metric, operator, report.top) for operator in by for metric in METRICS]
    return [one for one in (*possible, *map(Measure, (*PLAUSIBILITY, *ERRORS))) if one in known or one in always]


def long_lines(report: Report) -> Iterator[Table]:
    """For programs: all figures in one table, each with all that it depends on."""
    columns = [Column(name, align="left") for name in (*PLACE, "protocol", *SETTINGS, *KEYS)] + [
        Column(name) for name in FIGURES
    ]
    lines, beside = [], []
    for cell in report.cells:
        values = (*(getattr(cell, name) for name in PLACE), report.protocol, *settings(cell).values())
        place, compared = ["" if value is None else str(value) for value in values], _compared(report, cell)
        for entry in entries(report, cell):
            lines.append([*place, *_fields(entry)])
            beside.append(compared.get((entry.name, entry.measure), {}))
    label = [report.references.label] if report.references else []
    kept = [name for name in (*label, *minus(report.reference or "").values()) if any(name in one for one in beside)]
    rows = ([*line, *(one.get(name, "") for name in kept)] for line, one in zip(lines, beside, strict=True))
    yield Table(report.plan, (*columns, *map(Column, kept)), tuple(tuple(map(TableCell, row)) for row in rows))


def _fields(entry: Entry) -> tuple[str, ...]:
    share = "" if entry.measure.share is None else f"{entry.measure.share:g}"
    figures = map(number, (entry.mean, entry.low, entry.high))
    counts = (entry.count, entry.coverage.failed, entry.coverage.planned)
    keys = (entry.name, entry.measure.operator or "", share, entry.measure.metric)
    return *keys, *figures, *map(str, counts), "yes" if entry.is_own else ""


def _compared(report: Report, cell: ReportCell) -> dict[tuple[str, Measure], dict[str, str]]:
    """By row and measure, the published figure and the difference from the reference, by the headline operator."""
    columns: dict[tuple[str, Measure], dict[str, str]] = {}
    for name in report.kinds if report.references else ():
        for metric, figure in report.published(cell, name).items():
            measure = Measure(metric, headline([cell]), report.top)
            columns[name, measure] = {report.references.label if report.references else "": number(figure)}
    for key, difference in headline_differences(report, cell).items():
        if difference is not None:
            parts = {name: number(getattr(difference, part)) for part, name in minus(report.reference or "").items()}
            columns[key] = columns.get(key, {}) | parts
    return columns


def number(value: float | None) -> str:
    """A number as a program reads it; nothing where there is none."""
    return "" if value is None else f"{value:.6g}"


def long_tables(report: Report) -> Iterator[Table]:
    """For people: a table for each dataset, model and baseline, a rule above each method."""
    explained: set[str] = set()
    for cell in report.cells:
        known = list(entries(report, cell))
        starts = frozenset(at for at, one in enumerate(known) if at and one.name != known[at - 1].name)
        notes = [*_meanings(cell, known, explained), *_notes(report, cell, known)]
        yield Table(cell_title(cell), COLUMNS, tuple(map(_row, known)), tuple(notes), starts)
    yield from difference_tables(report)


def _row(entry: Entry) -> tuple[TableCell, ...]:
    texts = f"{entry.count:,} of {entry.coverage.planned:,}"
    names = map(TableCell, (entry.name, entry.measure.operator or "", entry.title))
    interval = None if entry.low is None else f"[{entry.low:.3f}, {entry.high:.3f}]"
    mean = NOTHING if entry.mean is None else TableCell(f"{entry.mean:,.3f}{OWN * entry.is_own}", interval)
    return *names, mean, TableCell(texts), TableCell(f"{entry.coverage.failed:,}")


def _meanings(cell: ReportCell, known: list[Entry], explained: set[str]) -> Iterator[str]:
    """What the metrics are, and over which shares areas are, where no table above says it."""
    if not explained:
        yield "Means with 95 % bootstrap intervals."
    metrics = dict.fromkeys(entry.measure.metric for entry in known)
    notes = [f"{KNOWN[metric].title}: {KNOWN[metric].meaning}" for metric in metrics if metric in KNOWN]
    if cell.evaluation and not metrics.keys().isdisjoint(AREAS):
        shares = ", ".join(f"{100 * share:g}" for share in cell.evaluation.curve)
        notes.append(f"AOPC: over {shares} % of the units; shares that are equally many units count once")
    yield from (note for note in notes if note not in explained)
    explained.update(notes)


def _notes(report: Report, cell: ReportCell, known: list[Entry]) -> Iterator[str]:
    """What is marked, and what was not computed: once where it is the same by all operators."""
    if any(entry.is_own for entry in known):
        yield OWN_NOTE
    by = {one: list(missing([cell], list(report.kinds), one)) for one in operators([cell]) or (None,)}
    first, *others = by.values()
    if all(notes == first for notes in others):
        yield from first
    else:
        yield from (f"by {operator}: {note}" for operator, notes in by.items() for note in notes)
    yield from cell_notes([cell])


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
        "cells": [_cell_record(report, cell) for cell in report.cells],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _cell_record(report: Report, cell: ReportCell) -> dict[str, Any]:
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
            {
                "name": name,
                "kind": kind,
                **_row_record(report, cell, name, figures[name]),
                "differences": differences[name],
            }
            for name, kind in kinds.items()
        ],
    }


def _row_record(report: Report, cell: ReportCell, name: str, figures: Sequence[Entry]) -> dict[str, Any]:
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


LONG = Layout(long_tables, long_lines)
