"""Methods against operators: whether a method is still good when words are taken away by other means."""

from collections.abc import Iterator, Sequence

from ...metrics.registry import KNOWN, Measure
from ...results.report import Report, ReportCell, operators
from ..charts import DotChart, Group, Row, series_style, ticks
from .drawing import picture, shortened
from .figures import mark, mean
from .naming import named

METRICS = ("comprehensiveness", "sufficiency")


def drawn(report: Report) -> Iterator[Group]:
    """A picture for each dataset and baseline that was judged by several operators."""
    for cells in report.blocks.values():
        if len(operators(cells)) > 1:
            panels = (panel for metric in METRICS for panel in _panels(report, cells, metric))
            title = f"{named(cells)}: methods against operators"
            yield from picture(title, panels, " ".join(_said(report, cells)))


def _said(report: Report, cells: Sequence[ReportCell]) -> Iterator[str]:
    yield f"At the top {report.top:.0%} of the units."
    if any(row.hollow for cell in cells for metric in METRICS for row in _rows(report, cell, metric)):
        yield "Hollow: judged by its own operator."


def _panels(report: Report, cells: Sequence[ReportCell], metric: str) -> Iterator[DotChart]:
    """A panel for each model, all on one scale."""
    found = {cell.model: _rows(report, cell, metric) for cell in cells}
    values = [0.0, *(value for rows in found.values() for row in rows for value in row.points.values())]
    for model, rows in found.items():
        if rows:
            yield DotChart(
                title=f"{model}: {metric} {KNOWN[metric].arrow}",
                description=f"{KNOWN[metric].meaning}, by every operator.",
                across=tuple(ticks(min(values), max(values), most=5)),
                rows=rows,
                styles={operator: series_style(at) for at, operator in enumerate(operators(cells))},
            )


def _rows(report: Report, cell: ReportCell, metric: str) -> tuple[Row, ...]:
    names, rows = shortened(report.kinds), []
    for name, kind in report.kinds.items():
        means = {one: mean(cell.row(name), Measure(metric, one, report.top)) for one in operators([cell])}
        points = {one: value for one, value in means.items() if value is not None}
        hollow = frozenset(one for one in points if mark(cell.row(name), Measure(metric, one)))
        if points:
            rows.append(Row(names[name], points, hollow, is_faint=kind == "control"))
    return tuple(rows)
