"""The layouts `full` (every table of every cell, the default for an evaluation) and `summary` (one table per cell)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...metrics.faithfulness import METRICS
from ...metrics.registry import ERRORS, KNOWN, PERPLEXITY, PLAUSIBILITY, Measure, metrics_of
from ...results.evaluation import Evaluation
from ...results.report import Report, ReportCell, headline, operators
from ...results.rows import GREEDY, RANDOM, EvaluationRow
from ..tables import Column, Table, TableCell
from . import figures, shared_tables
from .figures import at_top, cell_title, header, interval_column, mark, mean_column, methods_table, summary_cell
from .notes import agreed_texts, missing
from .shared_tables import cost_columns, difference_table, missing_words_operators, missing_words_table

MEANS = "Means with 95% bootstrap intervals. Bold: the best method in a column."


def full_tables(report: Report) -> Iterator[Table]:
    """Every table of every cell: all metrics with intervals, and the controls `random` and `greedy`."""
    return _tables(report, _cell_tables)


def summary_tables(report: Report) -> Iterator[Table]:
    """One table per cell: the three metrics with the headline operator, and the differences from a reference if any."""
    return _tables(report, _cell_summary)


def _tables(report: Report, tables: Callable[[Report, ReportCell, Evaluation], Iterator[Table]]) -> Iterator[Table]:
    for cell in report.cells:
        if cell.evaluation is None:
            yield methods_table(report, cell_title(cell), (), notes=missing([cell], list(report.kinds), None))
            continue
        for table in tables(report, cell, cell.evaluation):
            yield replace(table, title=f"{cell_title(cell)}: {table.title}") if report.plan else table


def _cell_tables(report: Report, cell: ReportCell, evaluation: Evaluation) -> Iterator[Table]:
    for operator in operators([cell]):
        yield _metrics(report, cell, evaluation, operator)
    if {RANDOM, GREEDY} <= cell.rows.keys():
        yield _relative_to_greedy(report, cell, evaluation)
    yield from _baselines(report, cell, evaluation)
    yield _curve(report, cell, evaluation)
    yield from _differences(report, cell, evaluation.operators)
    yield _errors(report, cell)
    if known := missing_words_operators(cell):
        places = [(cell, operator, operator) for operator in known]
        yield missing_words_table("Predictions with words deleted at random", places, [shared_tables.MISSING_NOTE])


def _cell_summary(report: Report, cell: ReportCell, evaluation: Evaluation) -> Iterator[Table]:
    operator, top = headline([cell]), f"top {evaluation.top:.0%}"
    columns: list[figures.FigureColumn] = [
        (header(one, top), interval_column(report, cell, one)) for one in at_top(report, [operator])
    ]
    columns += cost_columns(report, cell, "per text")[1:] if report.times else []
    notes = [MEANS, *_control_notes(report), *_operator_notes(report, cell, evaluation, operator or "")]
    notes += missing([cell], list(report.kinds), operator) if report.plan else ()
    yield methods_table(report, figures.describe_operator(operator or ""), columns, notes=notes)
    yield from _differences(report, cell, [operator])


def _differences(report: Report, cell: ReportCell, operators: Sequence[str | None]) -> Iterator[Table]:
    if report.reference in cell.rows:
        columns = [(cell, one, header(one, one.operator)) for one in at_top(report, operators)]
        yield difference_table(report, f"Each method minus {report.reference}", columns, [figures.PAIRED])


def _metrics(report: Report, cell: ReportCell, evaluation: Evaluation, operator: str) -> Table:
    """The three metrics and their areas for one operator; for the headline operator, also rationales and cost."""
    is_first, top = operator == headline([cell]), f"top {evaluation.top:.0%}"
    shown = [(Measure(metric, operator, evaluation.top), top) for metric in metrics_of("faithfulness", "derived")]
    shown = [one for one in shown if one[0].metric != PERPLEXITY or evaluation.explains_answers]
    shown += [(Measure(metric, operator), "AOPC") for metric in figures.AREAS]
    if is_first and evaluation.rationale_length is not None:
        shown += [(Measure(metric), "rationales") for metric in PLAUSIBILITY]
    columns: list[figures.FigureColumn] = [
        (header(one, group), interval_column(report, cell, one)) for one, group in shown
    ]
    if is_first and report.times:
        columns += cost_columns(report, cell, "per text")
    first = _first_notes(report, cell, evaluation) if is_first else ()
    notes = [*first, *_operator_notes(report, cell, evaluation, operator)]
    return methods_table(report, figures.describe_operator(operator), columns, notes=notes)


def _first_notes(report: Report, cell: ReportCell, evaluation: Evaluation) -> Iterator[str]:
    yield MEANS
    shares = ", ".join(f"{100 * share:g}" for share in evaluation.curve)
    yield f"AOPC: the mean over {shares}% of the units; shares that select the same number of units count once"
    yield from _control_notes(report)
    if evaluation.rationale_length is not None:
        texts = max(cell.row(name).count(shared_tables.AUPRC) for name in report.kinds)
        yield f"rationales: {agreed_texts(cell, texts)}"


def _control_notes(report: Report) -> Iterator[str]:
    return (figures.CONTROL_NOTES[name] for name in report.kinds if name in figures.CONTROL_NOTES)


def _operator_notes(report: Report, cell: ReportCell, evaluation: Evaluation, operator: str) -> Iterator[str]:
    """Notes on rows that cover fewer texts, and on results whose operator the method itself uses."""
    yield from _fewer(report, cell, operator)
    if any(row.is_own(Measure(metric, operator)) for row in evaluation.rows for metric in METRICS):
        yield figures.own_note(operator)


def _fewer(report: Report, cell: ReportCell, operator: str) -> Iterator[str]:
    """Notes on rows, or on single metrics of a row, that cover fewer texts than others."""
    measures = [*at_top(report, [operator]), *(Measure(metric, operator) for metric in figures.AREAS)]
    counts = {
        name: {measure: texts for measure in measures if (texts := cell.row(name).count(measure))}
        for name in report.kinds
    }
    most = max((texts for known in counts.values() for texts in known.values()), default=0)
    for name, known in counts.items():
        for texts in sorted({*known.values()} - {most}):
            titles = [KNOWN[measure.metric].title for measure, number in known.items() if number == texts]
            some = "" if len(titles) == len(known) else f", {', '.join(titles)}"
            yield f"{name}{some}: {texts:,} of {most:,} texts"


def _relative_to_greedy(report: Report, cell: ReportCell, evaluation: Evaluation) -> Table:
    """A table of where each method lies between random and greedy."""
    names = [name for name, kind in report.kinds.items() if kind in ("method", "given") and name in cell.rows]
    columns = []
    for measure in at_top(report, evaluation.operators):
        marks = {name: mark(cell, name, measure) for name in names}
        shares = {name: evaluation.relative_to_greedy(name, measure) for name in names}
        cells = {
            name: TableCell(f"{share:.0%}{marks[name]}", is_faint=bool(marks[name]))
            for name, share in shares.items()
            if share is not None
        }
        columns.append((header(measure, measure.operator), cells))
    note = "0% is the random row, 100% the greedy row; computed over the texts that have greedy choices."
    return methods_table(report, "Position between random and greedy", columns, names=names, notes=[note])


def _baselines(report: Report, cell: ReportCell, evaluation: Evaluation) -> Iterator[Table]:
    """A table for each method with several baselines (rows) and operators (columns), which match on the diagonal."""
    families: dict[str, list[EvaluationRow]] = {}
    for row in evaluation.rows:
        if row.kind == "method" and row.baseline is not None:
            families.setdefault(row.name.removesuffix(f" ({row.baseline})"), []).append(row)
    measures = [Measure(metric, name, report.top) for metric in METRICS for name in evaluation.operators]
    titles = [Column(one.operator or "", KNOWN[one.metric].title) for one in measures]
    for name, rows in families.items():
        if len(rows) > 1:
            summaries = cell.summaries((row.name, measure) for row in rows for measure in measures)
            cells = []
            for row in rows:
                row_cells = (summary_cell(summaries[row.name, one], mark(cell, row.name, one)) for one in measures)
                cells.append((TableCell(row.baseline or ""), *row_cells))
            title = f"{name}: attribution baseline by metric operator"
            note = f"{figures.OWN} on the diagonal, a method is evaluated by its own operator"
            yield Table(title, (Column("baseline", align="left"), *titles), tuple(cells), (note,))


def _curve(report: Report, cell: ReportCell, evaluation: Evaluation) -> Table:
    """The metrics at every share of the curve, for the headline operator."""
    operator, names = headline([cell]), [name for name in report.kinds if name != GREEDY and name in cell.rows]
    measures = [Measure(metric, operator, share) for metric in METRICS for share in evaluation.curve]
    columns = [
        (Column(f"{100 * (one.share or 0):g}%", header(one).title), mean_column(report, cell, one)) for one in measures
    ]
    return methods_table(report, f"By share of the units ({operator})", columns, names=names)


def _errors(report: Report, cell: ReportCell) -> Table:
    """A table of how far the scores are from adding up, and of the error that a method itself reports."""
    names = [name for name, kind in report.kinds.items() if kind == "method" and name in cell.rows]
    columns = []
    for measure in map(Measure, ERRORS):
        summaries = cell.summaries((name, measure) for name in names)
        columns.append((header(measure), {name: summary_cell(one) for (name, _), one in summaries.items()}))
    title = "Delta and the largest residual of a unit"
    return methods_table(report, title, columns, names=names, notes=[figures.DELTA])
