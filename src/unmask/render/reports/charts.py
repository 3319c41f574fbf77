"""Pictures of a report, each where its data is there: curves over shares, methods against operators, agreement."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from ...errors import ArgumentError, unknown
from ...metrics.registry import KNOWN, Measure
from ...results.comparison import kendall
from ...results.report import Report, ReportCell, agreement_pair, operators
from ..charts import Chart, DotChart, Group, LineChart, Point, Row, Series, quiet_style, series_style, sheet, ticks
from ..tables import Picture
from .figures import baseline_title, block_title, describe_operator, is_own, mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METRICS = ("comprehensiveness", "sufficiency")
ACROSS = {"comprehensiveness": "% of the units taken away", "sufficiency": "% of the units kept"}
FEWER = "*"  # marks a row of fewer texts
PAPER_SHARES = "Of a text of which a share is less than one token, nothing is taken or left, and it counts as 0."
SHORTEST = 4  # units of the shortest texts that stand together; then twice as many, and so on
TAU = (
    "Kendall's tau: 1 is the same order of the units, 0 unrelated, -1 the reverse. Texts of like length stand "
    "together; below each length is the number of texts."
)


def curves(report: Report) -> Iterator[Group]:
    """Curves over shares of the units for each dataset and baseline, by the headline operator."""
    for cells in report.blocks.values():
        for operator in operators(cells)[:1]:
            panels = (panel for metric in METRICS for panel in _curve_panels(report, cells, metric, operator))
            labels = [name for cell in cells for name in _marked_names(report, cell, operator).values()]
            fewer = any(label.endswith(FEWER) for label in labels)
            by = PAPER_SHARES if operator == "paper" else f"{describe_operator(operator)}."
            note = f"Means over texts. {by}{f' {FEWER} over fewer texts than the other rows.' * fewer}"
            yield from _picture(f"{block_title(cells)}: curves over shares", panels, note)


def _curve_panels(report: Report, cells: Sequence[ReportCell], metric: str, operator: str) -> Iterator[Chart]:
    """A panel for each model, all on one scale; none where there are no two shares."""
    series_of = [(cell, _curve_series(report, cell, metric, operator)) for cell in cells]
    points = [point for _, series in series_of for line in series for point in line.points]
    shares, heights = sorted({point.x for point in points}), [0.0, *(point.y for point in points)]
    for cell, series in series_of if len(shares) > 1 else ():
        if series:
            done = max(cell.coverage(name, operator).done for name in report.kinds)
            texts = "" if done >= cell.planned else f" ({done:,} of {cell.planned:,} texts)"
            yield LineChart(
                title=f"{cell.model}: {metric} {KNOWN[metric].arrow}{texts}",
                description=f"{KNOWN[metric].meaning}, over shares of the units.",
                bottom=ACROSS[metric],
                across=tuple((share, f"{100 * share:g}", "") for share in shares),
                up=tuple(ticks(min(heights), max(heights))),
                series=series,
            )


def _curve_series(report: Report, cell: ReportCell, metric: str, operator: str) -> tuple[Series, ...]:
    labels, series = _marked_names(report, cell, operator), []
    shares = sorted({*cell.evaluation.curve, cell.evaluation.top}) if cell.evaluation else ()
    for at, (name, kind) in enumerate(report.kinds.items()):
        means = ((share, mean(cell.row(name), Measure(metric, operator, share))) for share in shares)
        points = tuple(Point(share, y, f"{y:.3f} at {share:.0%}") for share, y in means if y is not None)
        if points and name in labels:
            # Each row is drawn the same in every picture; controls are quiet.
            style = quiet_style(at) if kind == "control" else series_style(at)
            series.append(Series(labels[name], points, style))
    return tuple(series)


def _marked_names(report: Report, cell: ReportCell, operator: str) -> dict[str, str]:
    """Short names of the rows that there are, marked where they are of fewer texts."""
    short, done = shortened(report.kinds), {name: cell.coverage(name, operator).done for name in report.kinds}
    most = max(done.values(), default=0)
    return {name: f"{short[name]}{FEWER if texts < most else ''}" for name, texts in done.items() if texts}


def by_operator(report: Report) -> Iterator[Group]:
    """Whether a method is still good by other operators: for each dataset and baseline judged by several."""
    for cells in report.blocks.values():
        if len(operators(cells)) > 1:
            panels = [panel for metric in METRICS for panel in _operator_panels(report, cells, metric)]
            rows = [row for cell in cells for metric in METRICS for row in _operator_rows(report, cell, metric)]
            hollow = " Hollow: judged by its own operator." if any(row.hollow for row in rows) else ""
            note = f"At the top {report.top:.0%} of the units.{hollow}"
            yield from _picture(f"{block_title(cells)}: methods against operators", panels, note)


def _operator_panels(report: Report, cells: Sequence[ReportCell], metric: str) -> Iterator[Chart]:
    """A panel for each model, all on one scale."""
    rows_of = {cell.model: _operator_rows(report, cell, metric) for cell in cells}
    values = [0.0, *(value for rows in rows_of.values() for row in rows for value in row.points.values())]
    for model, rows in rows_of.items():
        if rows:
            yield DotChart(
                title=f"{model}: {metric} {KNOWN[metric].arrow}",
                description=f"{KNOWN[metric].meaning}, by every operator.",
                across=tuple(ticks(min(values), max(values), most=5)),
                rows=rows,
                styles={operator: series_style(at) for at, operator in enumerate(operators(cells))},
            )


def _operator_rows(report: Report, cell: ReportCell, metric: str) -> tuple[Row, ...]:
    names, rows = shortened(report.kinds), []
    for name, kind in report.kinds.items():
        means = {one: mean(cell.row(name), Measure(metric, one, report.top)) for one in operators([cell])}
        points = {operator: value for operator, value in means.items() if value is not None}
        hollow = frozenset(operator for operator in points if is_own(cell.row(name), Measure(metric, operator)))
        if points:
            rows.append(Row(names[name], points, hollow, is_faint=kind == "control"))
    return tuple(rows)


def agreement(report: Report) -> Iterator[Group]:
    """How far two methods rank the units of a text alike, against its length: a panel for each dataset."""
    pair = agreement_pair([name for name, kind in report.kinds.items() if kind == "method"], reference=report.reference)
    if pair is None:
        return
    first, second = (shortened(report.kinds)[name] for name in pair)
    for baseline in dict.fromkeys(cell.baseline for cell in report.cells):
        cells = [cell for cell in report.cells if cell.baseline == baseline]
        title = f"{baseline_title(cells)}: agreement of {first} and {second} against the length of a text"
        yield from _picture(title, _agreement_panels(report, cells, pair), TAU)


def taus(cell: ReportCell, pair: tuple[str, str]) -> dict[int, list[float]]:
    """Kendall's tau of every text that both rows scored, by the largest length of its group."""
    groups: dict[int, list[float]] = {}
    firsts, seconds = (cell.scores.get(name, ()) for name in pair)
    for one, other, length in zip(firsts, seconds, cell.lengths, strict=False):  # a row without scores has none
        tau = kendall(one, other) if one and other and len(one) == len(other) else None
        if tau is not None:
            groups.setdefault(length_group(length), []).append(tau)
    return dict(sorted(groups.items()))


def length_group(length: int) -> int:
    """The largest length of the texts that stand together.

    >>> [length_group(length) for length in (1, 4, 5, 8, 9, 300)]
    [4, 4, 8, 8, 16, 512]
    """
    return max(SHORTEST, 1 << (length - 1).bit_length())


def _agreement_panels(report: Report, cells: Sequence[ReportCell], pair: tuple[str, str]) -> Iterator[Chart]:
    models = list(dict.fromkeys(cell.model for cell in report.cells))
    for dataset in dict.fromkeys(cell.dataset for cell in cells):
        taus_of = {cell.model: known for cell in cells if cell.dataset == dataset if (known := taus(cell, pair))}
        groups = sorted({group for known in taus_of.values() for group in known})
        if not groups:
            continue
        series = []
        for model, known in taus_of.items():
            points = (
                Point(groups.index(group), fmean(values), f"{fmean(values):.2f} over {len(values):,} texts")
                for group, values in known.items()
            )
            series.append(Series(model, tuple(points), series_style(models.index(model))))
        heights = [0.0, 1.0, *(point.y for line in series for point in line.points)]
        # Of models that read texts differently, the fewest and the most.
        counts = {group: sorted({len(known.get(group, ())) for known in taus_of.values()}) for group in groups}
        texts = {
            group: "–".join(f"{number:,}" for number in (*few[:1], *few[1:][-1:])) for group, few in counts.items()
        }
        yield LineChart(
            title=f"{dataset}: Kendall's tau",
            description=TAU,
            bottom="units of a text, at most (below: texts)",
            across=tuple((at, f"{group:,}", texts[group]) for at, group in enumerate(groups)),
            up=tuple(ticks(min(heights), max(heights))),
            series=tuple(series),
        )


def shortened(names: Iterable[str]) -> dict[str, str]:
    """Names without their settings, where that leaves them apart.

    >>> shortened(["ig:steps=50", "ig:steps=250", "dig:steps=30"])
    {'ig:steps=50': 'ig:steps=50', 'ig:steps=250': 'ig:steps=250', 'dig:steps=30': 'dig'}
    """
    kinds = {name: name.partition(":")[0] for name in names}
    all_kinds = list(kinds.values())
    return {name: kind if all_kinds.count(kind) == 1 else name for name, kind in kinds.items()}


def _picture(title: str, panels: Iterable[Chart], note: str) -> Iterator[Group]:
    """The panels as one picture; none of no panels."""
    if charts := tuple(panels):
        yield Group(title, charts, note)


# By name: how it is drawn, and what it needs of a report.
PICTURES: dict[str, tuple[Callable[[Report], Iterator[Group]], str]] = {
    "curves": (curves, "it needs figures at two shares of the units"),
    "operators": (by_operator, "it needs figures by two operators, and the protocol `paper` has one"),
    "agreement": (agreement, "it needs the scores of two methods"),
}


def pictures_of(report: Report) -> Iterator[Picture]:
    """All pictures of a report."""
    for draw, _ in PICTURES.values():
        for group in draw(report):
            first, *more = (chart.svg() for chart in group.charts)
            yield Picture(group.title, first, tuple(more), group.note)


def on_a_sheet(report: Report, kind: str) -> "Figure":
    """All pictures of a kind as one figure."""
    if kind not in PICTURES:
        raise unknown("picture", kind, PICTURES)
    draw, needs = PICTURES[kind]
    groups = list(draw(report))
    if not groups:
        raise ArgumentError(f"there is nothing to draw as {kind!r}: {needs}")
    return sheet(groups)
