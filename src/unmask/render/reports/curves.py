"""Curves of comprehensiveness and sufficiency over shares of the units: a panel for each metric and model."""

from collections.abc import Iterator, Sequence

from ...metrics.registry import KNOWN, Measure
from ...results.report import Report, ReportCell, operators
from .. import judged
from ..charts import Group, LineChart, Point, Series, ticks
from .drawing import looks, picture, shortened
from .figures import mean
from .naming import named

ACROSS = {"comprehensiveness": "% of the units taken away", "sufficiency": "% of the units kept"}
FEWER = "*"
FEWER_SAID = f"{FEWER} over fewer texts than the other rows."


def drawn(report: Report) -> Iterator[Group]:
    """A picture for each dataset and baseline, by the headline operator."""
    for cells in report.blocks.values():
        for operator in operators(cells)[:1]:
            panels = (panel for metric in ACROSS for panel in _panels(report, cells, metric, operator))
            title = f"{named(cells)}: curves over shares"
            yield from picture(title, panels, " ".join(_said(report, cells, operator)))


def _said(report: Report, cells: Sequence[ReportCell], operator: str) -> Iterator[str]:
    yield "Means over texts."
    if operator == "paper":
        yield "Of a text of which a share is less than one token, nothing is taken or left, and it counts as 0."
    else:
        yield f"{judged.by(operator)}."
    if any(name.endswith(FEWER) for cell in cells for name in _names(report, cell, operator).values()):
        yield FEWER_SAID


def _panels(report: Report, cells: Sequence[ReportCell], metric: str, operator: str) -> Iterator[LineChart]:
    """A panel for each model, all on one scale; none where there are no two shares."""
    found = [(cell, _series(report, cell, metric, operator)) for cell in cells]
    points = [point for _, series in found for one in series for point in one.points]
    shares = sorted({point.x for point in points})
    if len(shares) < 2:
        return
    heights = [0.0, *(point.y for point in points)]
    for cell, series in found:
        if series:
            yield LineChart(
                title=f"{cell.model}: {metric} {KNOWN[metric].arrow}{_of(report, cell, operator)}",
                description=f"{KNOWN[metric].meaning}, over shares of the units.",
                bottom=ACROSS[metric],
                across=tuple((share, f"{100 * share:g}", "") for share in shares),
                up=tuple(ticks(min(heights), max(heights))),
                series=series,
            )


def _series(report: Report, cell: ReportCell, metric: str, operator: str) -> tuple[Series, ...]:
    found = looks(report)
    lines = (
        (name, said, _points(cell, name, metric, operator)) for name, said in _names(report, cell, operator).items()
    )
    return tuple(Series(said, points, found[name]) for name, said, points in lines if points)


def _points(cell: ReportCell, name: str, metric: str, operator: str) -> tuple[Point, ...]:
    row, evaluation = cell.row(name), cell.evaluation
    if row is None or evaluation is None:
        return ()
    shares = sorted({*evaluation.curve, evaluation.top})
    found = ((share, mean(row, Measure(metric, operator, share))) for share in shares)
    return tuple(Point(share, one, f"{one:.3f} at {share:.0%}") for share, one in found if one is not None)


def _names(report: Report, cell: ReportCell, operator: str) -> dict[str, str]:
    """Short names of the rows that there are, marked where they are of fewer texts."""
    short, done = shortened(report.kinds), {name: cell.standing(name, operator).done for name in report.kinds}
    most = max(done.values(), default=0)
    return {name: f"{short[name]}{FEWER if texts < most else ''}" for name, texts in done.items() if texts}


def _of(report: Report, cell: ReportCell, operator: str) -> str:
    """How many texts the means are over, where it is not all of them."""
    done = max(cell.standing(name, operator).done for name in report.kinds)
    return "" if done >= cell.planned else f" ({done:,} of {cell.planned:,} texts)"
