"""Methods that differ in their steps: what more of them buys, and what it costs. A table for each cell."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...metrics.faithfulness import METRICS
from ...metrics.registry import KNOWN, Measure
from ...results.report import Report, ReportCell, headline
from .. import judged, tables
from . import published, standings
from .entries import COSTS, costs
from .figures import METHOD, header, mark, mean, means
from .naming import titled

SETTING = re.compile(r"\b(steps(?:_per_token)?)=([^,\s()]+),?")
COLUMNS = (
    METHOD,
    tables.Column("steps"),
    *map(header, METRICS),
    tables.Column("|Delta|", hint=f"{KNOWN['delta'].meaning}; without its sign"),
)


def drawn(report: Report) -> Iterator[tables.Table]:
    """A table for each dataset, model and baseline; controls have no steps."""
    names = [name for name, kind in report.kinds.items() if kind == "method"]
    wanted = costly(report)
    columns = (*COLUMNS, *(tables.Column(COSTS[one]) for one in wanted))
    for at, cell in enumerate(report.cells):
        found = _figures(report, cell)
        rows = tuple((*_named(report, name), *found[name], *_costs(cell, name, wanted)) for name in names)
        operator = headline([cell])
        lacking = (*standings.remarks([cell], names, operator), *standings.notes([cell]))
        measures = [Measure(metric, operator, report.top) for metric in METRICS]
        is_own = any(mark(cell.row(name), one) for name in names for one in measures)
        notes = (
            *([judged.OWN_SAID] * is_own),
            *([judged.DELTA] * (not at)),
            *_published_or_not(report, cell),
            *lacking,
        )
        yield tables.Table(f"{titled(cell)}: steps", columns, rows, notes)


def parted(name: str) -> tuple[str, str | None]:
    """A row's name without its steps, and the steps.

    >>> parted("ig:steps=250,rule=trapezoid"), parted("ig:steps_per_token=10"), parted("sig")
    (('ig:rule=trapezoid', '250'), ('ig', '10 a token'), ('sig', None))
    """
    found = SETTING.search(name)
    if found is None:
        return name, None
    rest = (name[: found.start()] + name[found.end() :]).rstrip(":,")
    return rest, found[2] if found[1] == "steps" else f"{found[2]} a token"


def costly(report: Report) -> tuple[str, ...]:
    """What is shown of a row's cost: seconds only where they are asked for."""
    return ("passes", "seconds") if report.times else ("passes",)


def said(report: Report, name: str) -> str | None:
    """How many steps a row takes; None where it takes none."""
    return report.steps.get(name, parted(name)[1])


def _named(report: Report, name: str) -> tuple[tables.Cell, tables.Cell]:
    steps = said(report, name)
    return tables.Cell(parted(name)[0]), judged.NOTHING if steps is None else tables.Cell(steps)


def _figures(report: Report, cell: ReportCell) -> dict[str, list[tables.Cell]]:
    """By row: the three metrics by the headline operator, and Delta, each with the paper's."""
    measures = [Measure(metric, headline([cell]), report.top) for metric in METRICS]
    columns = [means(report, cell, measure, with_paper=False) for measure in measures]
    columns.append([_delta(cell, name) for name in report.kinds])
    return {
        name: _beside(row, published_figures(report, cell, name))
        for name, row in zip(report.kinds, zip(*columns, strict=True), strict=True)
    }


def _delta(cell: ReportCell, name: str) -> tables.Cell:
    found = mean(cell.row(name), Measure("absolute_delta"))
    return judged.NOTHING if found is None else tables.Cell(f"{found:.3f}")


def published_figures(report: Report, cell: ReportCell, name: str) -> tuple[float, ...] | None:
    """The three metrics and Delta of a row in the paper's table of steps."""
    if report.published_steps is None or not cell.is_published:
        return None
    return report.published_steps(cell.dataset, cell.model, cell.baseline_used, name)


def _beside(row: Sequence[tables.Cell], figures: Sequence[float] | None) -> list[tables.Cell]:
    """Our figures with the paper's."""
    if figures is None:
        return list(row)
    return [replace(ours, detail=published.shown(theirs)) for ours, theirs in zip(row, figures, strict=True)]


def _published_or_not(report: Report, cell: ReportCell) -> Iterator[str]:
    """That the paper's table of steps is of another model, where it is."""
    if report.published_steps and not cell.is_published:
        yield published.OTHER_MODELS


def _costs(cell: ReportCell, name: str, wanted: Sequence[str]) -> list[tables.Cell]:
    found = {one.measure.metric: one.mean or 0.0 for one in costs(cell, name)}
    return [tables.Cell(_amount(found[one])) if one in found else judged.NOTHING for one in wanted]


def _amount(value: float) -> str:
    """A number of passes, or of seconds."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
