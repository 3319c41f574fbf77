"""Formats the numbers of a report: means, intervals, marks, and the best value of a column."""

from collections.abc import Iterable, Mapping, Sequence

from ...metrics.controls import GREEDY_UNITS
from ...metrics.perturbations import OPERATORS
from ...metrics.protocols import fixing_protocol
from ...metrics.registry import KNOWN, Measure, is_better, metrics_of
from ...metrics.statistics import Difference, Summary
from ...results.evaluation import Figure
from ...results.report import Report, ReportCell, headline
from ...results.rows import GREEDY, RANDOM, nearly_complete
from ..tables import Column, Table, TableCell

OWN = "°"
OWN_COMPARED = f"{OWN} the metric deletes units in the same way as one of the two methods (its own operator)"
PAIRED = "Paired over texts: mean, 95% bootstrap interval, and p of a two-sided sign-flip permutation test."
DELTA = (
    "Delta is an error only for methods whose scores must add up (ig, shapley, dig). SIG's scores need not add up; its "
    "error is the residual, which is zero for sig because sig is exact."
)
CONTROL_NOTES = {
    RANDOM: "random: scores drawn at random, mean of 10 draws; the floor",
    GREEDY: "greedy: units chosen one at a time to optimize the metric; a strong reference, not an upper bound; not "
    f"computed for texts with more than {GREEDY_UNITS} units",
}
NOTHING = TableCell("—", is_faint=True)
METHOD = Column("method", align="left")
AREAS = metrics_of("area")
FigureColumn = tuple[Column, Mapping[str, TableCell]]  # a column, and its cells by row name


def describe_operator(operator: str) -> str:
    """How the operator deletes units, in one sentence."""
    if (protocol := fixing_protocol(operator)) is not None:
        return protocol.caption[0]
    known = OPERATORS.get(operator)
    return f"Units are deleted by {operator}" if known is None else known.sentence


def own_note(operator: str | None) -> str:
    """The note on results whose operator the method itself uses; only the protocol `paper` ranks such results."""
    ranked = "which favors it" if fixing_protocol(operator) else "so it is not ranked"
    return f"{OWN} evaluated by its own operator: metric and method perturb alike, {ranked}"


def header(measure: Measure, group: str | None = None) -> Column:
    """The column heading for a measure."""
    metric, is_area = KNOWN[measure.metric], measure.metric in AREAS
    title = metric.title.removesuffix(" AOPC") if is_area else metric.title
    return Column(f"{title} {metric.arrow}".strip(), group, hint=None if is_area else metric.meaning)


def short_header(metric: str, group: str | None = None) -> Column:
    """A short column heading for a metric."""
    return Column(f"{KNOWN[metric].short} {KNOWN[metric].arrow}", group, hint=KNOWN[metric].meaning)


def mean_column(report: Report, cell: ReportCell, measure: Measure) -> dict[str, TableCell]:
    """Each row's mean, with the best in bold."""
    means = {name: cell.row(name).mean(measure) for name in report.kinds}
    return _column(report, cell, measure, {name: (mean, None) for name, mean in means.items() if mean is not None})


def interval_column(report: Report, cell: ReportCell, measure: Measure) -> dict[str, TableCell]:
    """Each row's mean with its interval, with the best in bold."""
    summaries = cell.summaries((name, measure) for name in report.kinds)
    known = {name: (summary.mean, _interval(summary)) for (name, _), summary in summaries.items() if summary}
    return _column(report, cell, measure, known)


def _column(
    report: Report, cell: ReportCell, measure: Measure, known: Mapping[str, tuple[float, str | None]]
) -> dict[str, TableCell]:
    best, cells = _best(report, cell, measure, {name: mean for name, (mean, _) in known.items()}), {}
    for name, (mean, interval) in known.items():
        text, is_control = f"{mean:.3f}{mark(cell, name, measure)}", report.kinds[name] == "control"
        cells[name] = TableCell(text, interval, is_best=name in best, is_faint=is_control)
    return cells


def mark(cell: ReportCell, name: str, measure: Measure) -> str:
    """The symbol that marks a value whose metric deletes units in the same way as its method."""
    return OWN * cell.row(name).is_own(measure)


def summary_cell(summary: Summary | None, mark: str = "") -> TableCell:
    """A cell with a mean and its interval; faint if marked."""
    if summary is None:
        return NOTHING
    return TableCell(f"{summary.mean:.3f}{mark}", _interval(summary), is_faint=bool(mark))


def _interval(summary: Summary) -> str | None:
    return f"[{summary.low:.3f}, {summary.high:.3f}]" if summary.count > 1 else None  # a single text has no interval


def difference_cell(difference: Difference | None, mark: str = "") -> TableCell:
    """A cell with a mean of paired differences, its interval and its p-value."""
    if difference is None:
        return NOTHING
    p = f"p = {difference.p:.3f}" if difference.p >= 0.001 else "p < 0.001"
    return TableCell(f"{difference.mean:+.3f}{mark}", f"[{difference.low:+.3f}, {difference.high:+.3f}], {p}")


def at_top(report: Report, operators: Iterable[str | None]) -> list[Measure]:
    """The measures of all metrics at the top share with these operators."""
    return [Measure(metric, operator, report.top) for operator in operators for metric in report.metrics]


def differences(
    report: Report, cell: ReportCell, measures: Sequence[Measure] | None = None
) -> dict[Figure, Difference | None]:
    """The difference of each row from the reference, by default in the three metrics with the headline operator."""
    if cell.evaluation is None or report.reference not in cell.rows:
        return {}
    known = [measure for measure in measures or at_top(report, [headline([cell])]) if measure.operator is not None]
    names = [name for name in report.kinds if name != report.reference and name in cell.rows]
    return cell.evaluation.differences([(name, one) for name in names for one in known], reference=report.reference)


def methods_table(
    report: Report,
    title: str,
    columns: Sequence[FigureColumn],
    *,
    names: Iterable[str] | None = None,
    notes: Iterable[str] = (),
) -> Table:
    """A table with methods in rows and numbers in columns; controls are faint and below a rule."""
    kept = list(report.kinds if names is None else names)
    is_control = [report.kinds[name] == "control" for name in kept]
    rows = tuple(
        (TableCell(name, is_faint=faint), *(figures.get(name, NOTHING) for _, figures in columns))
        for name, faint in zip(kept, is_control, strict=True)
    )
    rules = frozenset({is_control.index(True)} - {0}) if any(is_control) else frozenset()
    return Table(title, (METHOD, *(column for column, _ in columns)), rows, tuple(notes), rules)


def block_title(cells: Sequence[ReportCell]) -> str:
    """The dataset and baseline that the cells of one table share."""
    return f"{cells[0].dataset}, {baseline_title(cells)}"


def cell_title(cell: ReportCell) -> str:
    """The dataset, model and baseline of a cell."""
    return f"{cell.dataset}, {cell.model}, {baseline_title([cell])}"


def baseline_title(cells: Sequence[ReportCell]) -> str:
    """The baseline as in the plan, and what `auto` resolves to for these models."""
    used = {cell.model: cell.baseline_used for cell in cells if cell.evaluation}
    if {*used.values()} <= {cells[0].baseline}:
        return f"baseline {cells[0].baseline}"
    first, *others = {*used.values()}
    each = ", ".join(f"{model}: {name}" for model, name in used.items())
    return f"baseline {cells[0].baseline} ({each if others else first})"


def _best(report: Report, cell: ReportCell, measure: Measure, means: Mapping[str, float]) -> set[str]:
    """The best methods among those that cover nearly all texts and are not evaluated with their own operator.

    Empty if that leaves at most half of the methods. Own operators are allowed if the protocol fixes the operators.
    """
    rows = [cell.row(name) for name, kind in report.kinds.items() if kind != "control"]
    fair = {
        row.name: means[row.name]
        for row in nearly_complete(rows, measure)
        if row.name in means and (fixing_protocol(measure.operator) or not row.is_own(measure))
    }
    if not 2 * len(fair) > len(rows) > 1:
        return set()
    beaten = {name for name in fair if any(is_better(measure.metric, other, fair[name]) for other in fair.values())}
    return fair.keys() - beaten
