"""Tables that several layouts use: methods in rows, and the models of one dataset and baseline in columns."""

from collections.abc import Iterator, Sequence

from ...metrics.controls import FADING
from ...metrics.protocols import fixing_protocol
from ...metrics.registry import KNOWN, PLAUSIBILITY, Measure
from ...results.report import Report, ReportCell, headline
from ...results.rows import HEADLINE, WORDS
from ..tables import Column, Table, TableCell
from . import figures
from .figures import difference_cell, differences, header, interval_column, mark, methods_table, summary_cell
from .notes import agreed_texts, counted

AUPRC = Measure("auprc")
MISSING_NOTE = (
    "Each text is perturbed three times. At least one unit is deleted, so the share is larger for short texts."
)
COSTS_NOTE = "Mean per scored text; duplicate texts are computed once."
DELETED = Column("deleted", align="left", hint="share of the units, chosen at random")


def difference_tables(report: Report) -> Iterator[Table]:
    """Tables of each method's difference from the reference with the headline operator, per dataset and baseline."""
    for at, cells in enumerate(report.blocks.values() if report.reference else ()):
        operator = headline(cells)
        columns = [
            (cell, measure, figures.short_header(measure.metric, cell.model))
            for cell in cells
            for measure in figures.at_top(report, [operator])
        ]
        is_named = operator is not None and fixing_protocol(operator) is None
        by = f", {figures.describe_operator(operator or '').lower()}" if is_named else ""
        title = f"{figures.block_title(cells)}: each method minus {report.reference}{by}"
        lacking = [cell.model for cell in cells if not cell.coverage(report.reference or "", operator).done]
        note = f"No differences are shown for {', '.join(lacking)}, because {report.reference} was not computed there."
        yield difference_table(report, title, columns, [figures.PAIRED] * (not at), [note] * bool(lacking))


def difference_table(
    report: Report,
    title: str,
    columns: Sequence[tuple[ReportCell, Measure, Column]],
    notes: Sequence[str],
    lacking: Sequence[str] = (),
) -> Table:
    """A table of each method's difference from the reference, with these columns."""
    reference, drawn = report.reference or "", []
    measures = list(dict.fromkeys(measure for _, measure, _ in columns))
    known = {cell: differences(report, cell, measures) for cell in dict.fromkeys(cell for cell, _, _ in columns)}
    names = [name for name in report.kinds if name != reference]
    for cell, measure, column in columns:
        marks = {name: mark(cell, name, measure) or mark(cell, reference, measure) for name in names}
        cells = {name: difference_cell(known[cell].get((name, measure)), marks[name]) for name in names}
        drawn.append((column, cells))
    own = [figures.OWN_COMPARED] * any(figures.OWN in cell.text for _, cells in drawn for cell in cells.values())
    return methods_table(report, title, drawn, names=names, notes=[*notes, *own, *lacking])


def people_tables(report: Report) -> Iterator[Table]:
    """Agreement with rationales: a table for each dataset and baseline that has rationales."""
    for cells in report.blocks.values():
        known = [cell for cell in cells if cell.evaluation]
        names = [name for name in report.kinds if any(cell.row(name).count(AUPRC) for cell in known)]
        if names:
            columns = [
                (header(measure, cell.model), interval_column(report, cell, measure))
                for cell in known
                for measure in map(Measure, PLAUSIBILITY)
            ]
            title = f"{figures.block_title(cells)}: agreement with rationales"
            notes = [_marked_texts(cell, names) for cell in known]
            yield methods_table(report, title, columns, names=names, notes=notes)


def _marked_texts(cell: ReportCell, names: Sequence[str]) -> str:
    """A note on how many texts the numbers cover, which rows cover fewer, and how many units are chosen for F1."""
    counts = {name: texts for name in names if (texts := cell.row(name).count(AUPRC))}
    most, length = max(counts.values(), default=0), cell.evaluation.rationale_length if cell.evaluation else None
    fewer = "".join(f"; {name}: {texts:,}" for name, texts in counts.items() if texts < most)
    chosen = f"; chosen for F1: {counted(length, 'unit')}" if length else ""
    return f"{cell.model}: {agreed_texts(cell, most)}{fewer}{chosen}"


def missing_words_tables(report: Report) -> Iterator[Table]:
    """Predictions with words deleted at random: a table for each dataset and operator."""
    places: dict[tuple[str, str], dict[str, ReportCell]] = {}
    for cell in report.cells:
        for operator in missing_words_operators(cell):
            places.setdefault((cell.dataset, operator), {}).setdefault(cell.model, cell)
    for at, ((dataset, operator), cells) in enumerate(places.items()):
        title = f"{dataset}: predictions with words deleted at random. {figures.describe_operator(operator)}."
        columns = [(cell, operator, model) for model, cell in cells.items()]
        yield missing_words_table(title, columns, [MISSING_NOTE] * (not at))


def missing_words_operators(cell: ReportCell) -> list[str]:
    """The operators that deleted words at random."""
    return list(dict.fromkeys(measure.operator or HEADLINE for measure in cell.row(WORDS).values))


def missing_words_table(title: str, places: Sequence[tuple[ReportCell, str, str]], notes: Sequence[str]) -> Table:
    """A table with shares of the units in rows and the metrics of each cell in columns; accuracy needs gold labels."""
    columns, column_cells, fewer = [DELETED], [], []
    shares = sorted({measure.share or 0.0 for cell, _, _ in places for measure in cell.row(WORDS).values})
    for cell, operator, group in places:
        summaries = cell.summaries((WORDS, Measure(one, operator, share)) for one in FADING for share in shares)
        known = {(measure.metric, measure.share): one for (_, measure), one in summaries.items() if one}
        counts = {metric: one.count for (metric, _), one in known.items()}
        columns += [Column(KNOWN[metric].title, group, hint=KNOWN[metric].meaning) for metric in counts]
        column_cells += [[summary_cell(known.get((metric, share))) for share in shares] for metric in counts]
        most = max(counts.values(), default=0)
        lower = {f", {KNOWN[metric].title}": texts for metric, texts in counts.items() if texts < most}
        all_counts = ({"": most} if most < cell.planned else {}) | lower
        fewer += [f"{group}{metric}: {texts:,} of {cell.planned:,} texts" for metric, texts in all_counts.items()]
    rows = zip((TableCell(f"{share:.0%}") for share in shares), *column_cells, strict=True)
    return Table(title, tuple(columns), tuple(rows), (*notes, *fewer))


def cost_tables(report: Report) -> Iterator[Table]:
    """The cost of the methods per text; only if requested, because seconds differ from run to run."""
    names = [name for name, kind in report.kinds.items() if kind == "method"]
    for cells in report.blocks.values() if report.times else ():
        columns = [column for cell in cells for column in cost_columns(report, cell, cell.model)]
        title = f"{figures.block_title(cells)}: cost per text"
        yield methods_table(report, title, columns, names=names, notes=[COSTS_NOTE])


def cost_columns(report: Report, cell: ReportCell, group: str) -> list[figures.FigureColumn]:
    """Columns for passes (with the number of backward passes) and seconds."""
    passes, seconds = {}, {}
    for name in report.kinds:
        if costs := cell.row(name).costs:
            gradients = f"({costs['gradient_passes']:,.0f} with gradients)" if costs["gradient_passes"] else None
            passes[name] = TableCell(f"{costs['passes']:,.0f}", gradients)
            seconds[name] = TableCell(f"{costs['seconds']:.3f}")
    return [(Column("passes", group), passes), (Column("seconds", group), seconds)]
