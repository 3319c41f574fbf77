"""Charts of a report, if it has the data: metrics by share of units perturbed, methods by operator, and agreement."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING

from ...errors import ArgumentError, check_known
from ...metrics.protocols import fixing_protocol
from ...metrics.registry import KNOWN, Measure
from ...results.comparison import kendall
from ...results.report import Report, ReportCell, agreement_pair, operators
from ..charts import Panel, PanelGroup, Series, sheet
from ..tables import Picture
from ..theme import quiet_style, series_style
from .figures import baseline_title, block_title, describe_operator

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METRICS = ("comprehensiveness", "sufficiency")
ACROSS = {"comprehensiveness": "% of units deleted", "sufficiency": "% of units kept"}
FEWER = "*"  # marks a row that covers fewer texts
SHORTEST = 4  # most units of a text in the first length group; the limit doubles with each further group
APART = 0.5  # share of the row height by which operators are offset, so that equal points do not hide each other
TAU = (
    "Kendall's tau of the two rankings of a text's units: 1 is the same order, 0 unrelated, -1 the reverse. Texts are "
    "grouped by length; the number of texts is below each length."
)


def curves(report: Report) -> Iterator[PanelGroup]:
    """Metric curves against the share of units perturbed, for each dataset and baseline, with the headline operator."""
    for cells in report.blocks.values():
        for operator in operators(cells)[:1]:
            panels = [panel for metric in METRICS for panel in _curve_panels(report, cells, metric, operator)]
            is_marked = any(series.name.endswith(FEWER) for panel in panels for series in panel.series)
            protocol = fixing_protocol(operator)
            by = f"{describe_operator(operator)}." if protocol is None else protocol.caption[1]
            note = f"Means over texts. {by}{f' {FEWER} over fewer texts than the other rows.' * is_marked}"
            yield PanelGroup(f"{block_title(cells)}: curves over shares", panels, note)


def _curve_panels(report: Report, cells: Sequence[ReportCell], metric: str, operator: str) -> Iterator[Panel]:
    """A panel for each model that has values at two or more shares of the units."""
    for cell in cells:
        series = list(_curve_series(report, cell, metric, operator))
        shares = sorted({share for one in series for share, _ in one.points})
        if len(shares) > 1:
            done = max(cell.coverage(name, operator).done for name in report.kinds)
            texts = "" if done >= cell.planned else f" ({done:,} of {cell.planned:,} texts)"
            yield Panel(
                title=f"{cell.model}: {metric} {KNOWN[metric].arrow}{texts}",
                description=f"{KNOWN[metric].meaning}, over shares of the units.",
                kind="lines",
                series=series,
                names=[(share, f"{100 * share:g}") for share in shares],
                x_label=ACROSS[metric],
            )


def _curve_series(report: Report, cell: ReportCell, metric: str, operator: str) -> Iterator[Series]:
    """A series for each computed row, marked if it covers fewer texts; a row looks the same in every chart."""
    short, done = shortened(report.kinds), {name: cell.coverage(name, operator).done for name in report.kinds}
    shares = sorted({*cell.evaluation.curve, cell.evaluation.top}) if cell.evaluation else ()
    for at, (name, kind) in enumerate(report.kinds.items()):
        means = ((share, cell.row(name).mean(Measure(metric, operator, share))) for share in shares)
        points = [(share, mean) for share, mean in means if mean is not None]
        if points and done[name]:
            style = quiet_style(at) if kind == "control" else series_style(at)
            label = f"{short[name]}{FEWER if done[name] < max(done.values()) else ''}"
            yield Series(label, points, style, ", ".join(f"{mean:.3f} at {share:.0%}" for share, mean in points))


def by_operator(report: Report) -> Iterator[PanelGroup]:
    """The results of each method by operator, for every dataset and baseline with several operators."""
    short = shortened(report.kinds)
    for cells in report.blocks.values():
        panels, known = [], operators(cells)
        for metric, cell in product(METRICS if len(known) > 1 else (), cells):
            series = list(_operator_series(report, cell, metric, known))
            if series:
                title, meaning = f"{cell.model}: {metric} {KNOWN[metric].arrow}", KNOWN[metric].meaning
                names = [(at, short[name]) for at, name in enumerate(report.kinds)]
                description = f"{meaning}, by every operator."
                panels.append(Panel(title=title, description=description, kind="dots", series=series, names=names))
        is_hollow = any(series.is_hollow for panel in panels for series in panel.series)
        note = f"At the top {report.top:.0%} of the units.{' Hollow: evaluated by its own operator.' * is_hollow}"
        yield PanelGroup(f"{block_title(cells)}: methods against operators", panels, note)


def _operator_series(report: Report, cell: ReportCell, metric: str, known: Sequence[str]) -> Iterator[Series]:
    """A series for each operator; a point is hollow if the method itself deletes units with that operator."""
    for at, (operator, is_hollow) in enumerate(product(known, (False, True))):
        measure, points, tips = Measure(metric, operator, report.top), [], []
        offset = APART * ((at // 2 + 0.5) / len(known) - 0.5)
        for place, row in enumerate(map(cell.row, report.kinds)):
            if row.is_own(measure) == is_hollow and (mean := row.mean(measure)) is not None:
                points.append((mean, place + offset))
                tips.append(f"{row.name} {mean:.3f}")
        if points:
            label = f"{operator} (own)" if is_hollow else operator
            yield Series(label, points, series_style(at // 2), ", ".join(tips), is_hollow)


def agreement(report: Report) -> Iterator[PanelGroup]:
    """The rank agreement of two methods by length of the text, with a panel for each dataset."""
    pair = agreement_pair([name for name, kind in report.kinds.items() if kind == "method"], reference=report.reference)
    if pair is None:
        return
    first, second = (shortened(report.kinds)[name] for name in pair)
    for baseline in dict.fromkeys(cell.baseline for cell in report.cells):
        cells = [cell for cell in report.cells if cell.baseline == baseline]
        title = f"{baseline_title(cells)}: agreement of {first} and {second} against the length of a text"
        yield PanelGroup(title, list(_agreement_panels(report, cells, pair)), TAU)


def taus(cell: ReportCell, pair: tuple[str, str]) -> dict[int, list[float]]:
    """Kendall's tau for every text that both rows scored, by length group."""
    groups: dict[int, list[float]] = {}
    firsts, seconds = (cell.scores.get(name, ()) for name in pair)
    for one, other, length in zip(firsts, seconds, cell.lengths, strict=False):  # a row without scores has none
        tau = kendall(one, other) if one and other and len(one) == len(other) else None
        if tau is not None:
            groups.setdefault(length_group(length), []).append(tau)
    return dict(sorted(groups.items()))


def length_group(length: int) -> int:
    """The upper end of the length group of a text.

    >>> [length_group(length) for length in (1, 4, 5, 8, 9, 300)]
    [4, 4, 8, 8, 16, 512]
    """
    return max(SHORTEST, 1 << (length - 1).bit_length())


def _agreement_panels(report: Report, cells: Sequence[ReportCell], pair: tuple[str, str]) -> Iterator[Panel]:
    models = list(dict.fromkeys(cell.model for cell in report.cells))
    for dataset in dict.fromkeys(cell.dataset for cell in cells):
        taus_of = {cell.model: known for cell in cells if cell.dataset == dataset if (known := taus(cell, pair))}
        groups = sorted({group for known in taus_of.values() for group in known})
        series, names = [], []
        for model, known in taus_of.items():
            points = [(groups.index(group), fmean(values)) for group, values in known.items()]
            tips = (f"{fmean(values):.2f} over {len(values):,} texts" for values in known.values())
            series.append(Series(model, points, series_style(models.index(model)), ", ".join(tips)))
        for at, group in enumerate(groups):  # the smallest and the largest number of texts among the models
            counts = sorted({len(known.get(group, ())) for known in taus_of.values()})
            texts = "–".join(f"{count:,}" for count in (*counts[:1], *counts[1:][-1:]))
            names.append((at, f"{group:,}\n{texts}"))
        if series:
            yield Panel(
                title=f"{dataset}: Kendall's tau",
                description=TAU,
                kind="lines",
                series=series,
                names=names,
                x_label="units per text, at most (below: number of texts)",
            )


def shortened(names: Iterable[str]) -> dict[str, str]:
    """Remove the settings from names, unless that would make two names equal.

    >>> shortened(["ig:steps=50", "ig:steps=250", "dig:steps=30"])
    {'ig:steps=50': 'ig:steps=50', 'ig:steps=250': 'ig:steps=250', 'dig:steps=30': 'dig'}
    """
    kinds = {name: name.partition(":")[0] for name in names}
    all_kinds = list(kinds.values())
    return {name: kind if all_kinds.count(kind) == 1 else name for name, kind in kinds.items()}


# For each chart: the function that makes its groups, and a message about the data it needs.
PICTURES: dict[str, tuple[Callable[[Report], Iterator[PanelGroup]], str]] = {
    "curves": (curves, "it needs figures at two shares of the units"),
    "operators": (by_operator, "it needs figures for two operators, but the `paper` protocol has only one"),
    "agreement": (agreement, "it needs the scores of two methods"),
}


def groups_of(report: Report, picture: str) -> list[PanelGroup]:
    """The groups of a chart; empty if the report lacks the data."""
    return [group for group in PICTURES[picture][0](report) if group.panels]


def pictures_of(report: Report) -> Iterator[Picture]:
    """All charts of a report."""
    for group in (group for picture in PICTURES for group in groups_of(report, picture)):
        first, *more = (panel.svg(group.limits) for panel in group.panels)
        yield Picture(group.title, first, tuple(more), group.note)


def on_a_sheet(report: Report, picture: str) -> "Figure":
    """All groups of a chart as one figure."""
    check_known("picture", [picture], PICTURES)
    if groups := groups_of(report, picture):
        return sheet(groups)
    raise ArgumentError(f"there is nothing to draw as {picture!r}: {PICTURES[picture][1]}")
