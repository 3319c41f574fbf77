"""How one figure of a report is written: its mean and interval, which is the best of a column, and what is marked."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ...metrics.greedy import UNITS
from ...metrics.perturbations import OPERATORS
from ...metrics.registry import KNOWN, Measure, is_better, metrics_of
from ...metrics.statistics import Difference, Summary
from ...results.report import Report, ReportCell
from ...results.rows import GREEDY, RANDOM, EvaluationRow
from ..tables import Column, Table, TableCell

OWN = "°"
OWN_NOTE = f"{OWN} judged by its own operator: what it is made of is what is measured, so it is no headline"
OWN_COMPARED = f"{OWN} one of the two is judged by its own operator: what it is made of is what is measured"
PAIRED = "Paired over texts: mean, 95 % bootstrap interval, and p of a two-sided permutation test by sign flips."
DELTA = (
    "Delta is an error only of methods whose scores promise to add up (ig, shapley, dig); SIG promises one "
    "identity for each unit, whose residual is its error: none for sig, which is exact."
)
CONTROL_NOTES = {
    RANDOM: "random: scores by chance, the mean of 10 draws; the floor",
    GREEDY: "greedy: units chosen one at a time for the metric itself; a strong reference, not an upper bound; not "
    f"computed for texts of more than {UNITS} units",
}
NOTHING = TableCell("—", is_faint=True)
METHOD = Column("method", align="left")
AREAS = metrics_of("area")
NEARLY = 0.95  # of the texts that the others have: a figure of fewer is never the best


def describe_operator(operator: str) -> str:
    """How words are taken away, in words."""
    if operator == "paper":
        return "Log-odds by the attribution's baseline, the others by removal"
    known = OPERATORS.get(operator)
    return f"Units are taken out by {operator}" if known is None else known.sentence


def is_own(row: EvaluationRow | None, measure: Measure) -> bool:
    """Whether a figure takes units away as the method itself does."""
    if row is None or row.baseline is None or measure.operator is None:
        return False
    if measure.operator == "paper":
        by_baseline = measure.metric.removeprefix("aopc_") == "log_odds"
        return by_baseline if row.baseline != "remove" else not by_baseline
    return row.baseline == measure.operator


def mark(row: EvaluationRow | None, measure: Measure) -> str:
    """The sign of a figure that was judged by its own operator."""
    return OWN * is_own(row, measure)


def header(measure: Measure, group: str | None = None) -> Column:
    """What stands above the figures of a measure."""
    metric, is_area = KNOWN[measure.metric], measure.metric in AREAS
    title = metric.title.removesuffix(" AOPC") if is_area else metric.title
    return Column(f"{title} {metric.arrow}".strip(), group, hint=None if is_area else metric.meaning)


def short_header(metric: str, group: str | None = None) -> Column:
    """The same of a metric in little room."""
    return Column(f"{KNOWN[metric].short} {KNOWN[metric].arrow}", group, hint=KNOWN[metric].meaning)


def mean(row: EvaluationRow | None, measure: Measure) -> float | None:
    """A row's mean without its interval, which takes long; None where nothing was computed."""
    values = None if row is None else row.values.get(measure)
    kept = np.empty(0) if values is None else values[~np.isnan(values)]
    return float(kept.mean()) if len(kept) else None


def count(row: EvaluationRow | None, measure: Measure) -> int:
    """How many texts have the figure."""
    if row is None or measure not in row.values:
        return 0
    values = row.values[measure]
    return int((~np.isnan(values.reshape(len(values), -1)).any(-1)).sum())


def mean_column(report: Report, cell: ReportCell, measure: Measure) -> dict[str, TableCell]:
    """Each row's mean, the best bold."""
    means = {name: mean(cell.row(name), measure) for name in report.kinds}
    known = {name: (value, None) for name, value in means.items() if value is not None}
    return dict.fromkeys(report.kinds, NOTHING) | _column(report, cell, measure, known)


def interval_column(report: Report, cell: ReportCell, measure: Measure) -> dict[str, TableCell]:
    """Each row's mean with its interval, the best bold; rows without the figure are left out."""
    summaries = summaries_of(cell, [(name, measure) for name in report.kinds if cell.row(name)])
    known = {name: (summary.mean, interval(summary)) for (name, _), summary in summaries.items() if summary}
    return _column(report, cell, measure, known)


def _column(
    report: Report, cell: ReportCell, measure: Measure, known: Mapping[str, tuple[float, str | None]]
) -> dict[str, TableCell]:
    best = _best(report, cell, measure, {name: value for name, (value, _) in known.items()})
    figures = {name: (f"{value:.3f}{mark(cell.row(name), measure)}", detail) for name, (value, detail) in known.items()}
    return {
        name: TableCell(*figure, is_best=name in best, is_faint=report.kinds[name] == "control")
        for name, figure in figures.items()
    }


def summaries_of(cell: ReportCell, figures: Iterable[tuple[str, Measure]]) -> dict[tuple[str, Measure], Summary | None]:
    """Means with intervals; none where nothing was computed at all."""
    return cell.evaluation.summaries(figures) if cell.evaluation else {}


def interval(summary: Summary) -> str | None:
    """A mean's interval; one text has none."""
    return f"[{summary.low:.3f}, {summary.high:.3f}]" if summary.count > 1 else None


def summary_cell(summary: Summary | None, *, mark: str = "") -> TableCell:
    """A mean with its interval; faint where it is marked."""
    if summary is None:
        return NOTHING
    return TableCell(f"{summary.mean:.3f}{mark}", interval(summary), is_faint=bool(mark))


def difference_cell(difference: Difference | None, *, mark: str = "") -> TableCell:
    """A mean of paired differences with its interval and its p value."""
    if difference is None:
        return NOTHING
    p = f"p = {difference.p:.3f}" if difference.p >= 0.001 else "p < 0.001"
    return TableCell(f"{difference.mean:+.3f}{mark}", f"[{difference.low:+.3f}, {difference.high:+.3f}], {p}")


def methods_table(
    report: Report,
    title: str,
    columns: Sequence[tuple[Column, Mapping[str, TableCell]]],
    *,
    names: Iterable[str] | None = None,
    notes: Iterable[str] = (),
) -> Table:
    """Methods down, figures across; controls are faint, below a rule."""
    kept = list(report.kinds if names is None else names)
    is_control = [report.kinds[name] == "control" for name in kept]
    rows = tuple(
        (TableCell(name, is_faint=faint), *(figures.get(name, NOTHING) for _, figures in columns))
        for name, faint in zip(kept, is_control, strict=True)
    )
    rules = frozenset({is_control.index(True)} - {0}) if any(is_control) else frozenset()
    return Table(title, (METHOD, *(column for column, _ in columns)), rows, tuple(notes), rules)


def block_title(cells: Sequence[ReportCell]) -> str:
    """What the cells of one table have in common."""
    return f"{cells[0].dataset}, {baseline_title(cells)}"


def cell_title(cell: ReportCell) -> str:
    """A cell by all that names it."""
    return f"{cell.dataset}, {cell.model}, {baseline_title([cell])}"


def baseline_title(cells: Sequence[ReportCell]) -> str:
    """The baseline as the plan has it; behind `auto`, what it is for these models."""
    planned, used = (
        f"baseline {cells[0].baseline}",
        {cell.model: cell.baseline_used for cell in cells if cell.evaluation},
    )
    names = set(used.values())
    if names <= {cells[0].baseline}:
        return planned
    each = ", ".join(f"{model}: {name}" for model, name in used.items())
    return f"{planned} ({names.pop() if len(names) == 1 else each})"


def _best(report: Report, cell: ReportCell, measure: Measure, means: Mapping[str, float]) -> set[str]:
    """The best methods: of nearly as many texts as the others, not by their own operator; none where most were.

    The paper's own tables do not ask by which operator.
    """
    methods = [name for name, kind in report.kinds.items() if kind != "control"]
    counts = {name: count(cell.row(name), measure) for name in methods}
    enough, is_any = NEARLY * max(counts.values(), default=0), measure.operator == "paper"
    fair = {
        name: means[name]
        for name in methods
        if name in means and counts[name] >= enough and (is_any or not is_own(cell.row(name), measure))
    }
    if not 2 * len(fair) > len(methods) > 1:
        return set()
    beaten = {name for name in fair if any(is_better(measure.metric, other, fair[name]) for other in fair.values())}
    return fair.keys() - beaten
