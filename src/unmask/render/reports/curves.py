"""Curves of comprehensiveness and sufficiency over shares of the units: a panel for each metric and model."""

from collections.abc import Iterator, Sequence

from ...metrics.measures import KNOWN, Measure
from ...report import Cell, Report, operators
from .. import judged, tables
from ..charts import LineChart, Point, Series
from ..charts.axes import ticks
from .drawing import looks, picture, shortened
from .figures import mean
from .paper import named

ACROSS = {"comprehensiveness": "% of the units taken away", "sufficiency": "% of the units kept"}
FEWER = "A number behind a name: the mean is over so many texts, fewer than planned."


def drawn(report: Report) -> Iterator[tables.Picture]:
    """A picture for each dataset and baseline, by the headline operator."""
    for cells in report.blocks.values():
        for operator in operators(cells)[:1]:
            panels = (panel for metric in ACROSS for panel in _panels(report, cells, metric, operator))
            title = f"{named(cells)}: curves over shares"
            yield from picture(title, panels, " ".join(_said(report, cells, operator)))


def _said(report: Report, cells: Sequence[Cell], operator: str) -> Iterator[str]:
    yield "Means over texts."
    if operator != "paper":
        yield f"{judged.by(operator)}."
    if not all(cell.standing(name).is_whole for cell in cells if cell.evaluation for name in report.kinds):
        yield FEWER


def _panels(report: Report, cells: Sequence[Cell], metric: str, operator: str) -> Iterator[str]:
    """A panel for each model, all on one scale; none where there are no two shares."""
    found = {cell.model: _series(report, cell, metric, operator) for cell in cells}
    points = [point for series in found.values() for one in series for point in one.points]
    shares = sorted({point.x for point in points})
    if len(shares) < 2:
        return
    heights = [0.0, *(point.y for point in points)]
    for model, series in found.items():
        if series:
            yield LineChart(
                title=f"{model}: {metric} {KNOWN[metric].arrow}",
                description=f"{KNOWN[metric].meaning}, over shares of the units.",
                bottom=ACROSS[metric],
                across=tuple((share, f"{100 * share:g}", "") for share in shares),
                up=tuple(ticks(min(heights), max(heights))),
                series=series,
            ).svg()


def _series(report: Report, cell: Cell, metric: str, operator: str) -> tuple[Series, ...]:
    found = looks(report)
    lines = ((name, _points(cell, name, metric, operator)) for name in report.kinds)
    names = _names(report, cell)
    return tuple(Series(names[name], points, found[name]) for name, points in lines if points)


def _points(cell: Cell, name: str, metric: str, operator: str) -> tuple[Point, ...]:
    row, evaluation = cell.row(name), cell.evaluation
    if row is None or evaluation is None:
        return ()
    shares = sorted({*evaluation.curve, evaluation.top})
    found = ((share, mean(row, Measure(metric, operator, share))) for share in shares)
    return tuple(Point(share, one, f"{one:.3f} at {share:.0%}") for share, one in found if one is not None)


def _names(report: Report, cell: Cell) -> dict[str, str]:
    """Short names, with the number of texts where it is not all of them."""
    standings = {name: cell.standing(name) for name in report.kinds}
    return {
        name: short if standings[name].is_whole else f"{short} ({standings[name].done:,})"
        for name, short in shortened(report.kinds).items()
    }
