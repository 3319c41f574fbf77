"""Tables that layouts share: methods down, and across the models of one dataset and baseline."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ...metrics.faithfulness import METRICS
from ...metrics.random_deletion import FADING
from ...metrics.registry import KNOWN, PLAUSIBILITY, Measure
from ...metrics.statistics import Difference
from ...results.report import HEADLINE, Report, ReportCell, headline
from ...results.rows import WORDS
from ..tables import Column, Table, TableCell
from .facts import agreed_texts, counted
from .figures import (
    METHOD,
    NOTHING,
    OWN,
    OWN_COMPARED,
    PAIRED,
    block_title,
    count,
    describe_operator,
    difference_cell,
    header,
    interval_column,
    mark,
    methods_table,
    short_header,
    summaries_of,
    summary_cell,
)

Place: TypeAlias = tuple[ReportCell, Measure, Column]  # a column of figures: whose, which, and what stands above
AUPRC = Measure("auprc")
MISSING_NOTE = "Each text three times, by chance; one unit at least, so that of a short text it is a larger share."
COSTS_NOTE = "For each text that was scored; a text that stands in several places was computed once."
TAKEN = Column("taken", align="left", hint="share of the units, at random")


def difference_tables(report: Report) -> Iterator[Table]:
    """Each method minus the reference by the headline operator: a table for each dataset and baseline."""
    for at, cells in enumerate(report.blocks.values() if report.reference else ()):
        operator = headline(cells)
        measures = [Measure(metric, operator, report.top) for metric in METRICS]
        places = [(cell, one, short_header(one.metric, cell.model)) for cell in cells for one in measures]
        by = "" if operator in (None, "paper") else f", {describe_operator(operator).lower()}"
        title = f"{block_title(cells)}: each method minus {report.reference}{by}"
        lacking = [cell.model for cell in cells if not cell.coverage(report.reference or "", operator).done]
        note = f"{report.reference} was not computed for {', '.join(lacking)}, so nothing is compared with it there."
        yield difference_table(report, title, places, [PAIRED] * (not at), [note] * bool(lacking))


def differences(
    report: Report, cell: ReportCell, measures: Sequence[Measure]
) -> dict[tuple[str, Measure], Difference | None]:
    """Every row of a cell minus the reference; nothing where that, or anything at all, was not computed."""
    if cell.evaluation is None or cell.row(report.reference or "") is None:
        return {}
    rows = [name for name in report.kinds if name != report.reference and cell.row(name)]
    figures = [(name, measure) for name in rows for measure in measures if measure.operator is not None]
    return cell.evaluation.differences(figures, reference=report.reference)


def headline_differences(report: Report, cell: ReportCell) -> dict[tuple[str, Measure], Difference | None]:
    """The same of the three metrics at the top by the headline operator."""
    return differences(report, cell, [Measure(metric, headline([cell]), report.top) for metric in METRICS])


def difference_table(
    report: Report, title: str, places: Sequence[Place], notes: Sequence[str], lacking: Sequence[str] = ()
) -> Table:
    """Each method minus the reference in these columns."""
    reference, columns, has_own = report.reference or "", [], False
    measures: dict[ReportCell, list[Measure]] = {}  # a cell is equal to itself alone
    for cell, measure, _ in places:
        measures.setdefault(cell, []).append(measure)
    known = {cell: differences(report, cell, asked) for cell, asked in measures.items()}
    for cell, measure, column in places:
        figures = {}
        for name in report.kinds:
            own = mark(cell.row(name), measure) or mark(cell.row(reference), measure)
            figures[name] = difference_cell(known[cell].get((name, measure)), mark=own)
            has_own = has_own or OWN in figures[name].text
        columns.append((column, figures))
    names = [name for name in report.kinds if name != reference]
    return methods_table(report, title, columns, names=names, notes=[*notes, *[OWN_COMPARED] * has_own, *lacking])


def people_tables(report: Report) -> Iterator[Table]:
    """Whether people point at the same words: a table for each dataset and baseline whose texts they marked."""
    for cells in report.blocks.values():
        known = [cell for cell in cells if cell.evaluation]
        names = [name for name in report.kinds if any(count(cell.row(name), AUPRC) for cell in known)]
        if names:
            columns = [
                (header(measure, cell.model), interval_column(report, cell, measure))
                for cell in known
                for measure in map(Measure, PLAUSIBILITY)
            ]
            title = f"{block_title(cells)}: do people point at the same words?"
            yield methods_table(report, title, columns, names=names, notes=_marked_texts(known, names))


def _marked_texts(cells: Sequence[ReportCell], names: Sequence[str]) -> Iterator[str]:
    """Of which texts the figures are, how many of them each row has, and how many units it chooses."""
    for cell in cells:
        if cell.evaluation:
            counts = {name: texts for name in names if (texts := count(cell.row(name), AUPRC))}
            most, length = max(counts.values(), default=0), cell.evaluation.rationale_length
            fewer = "".join(f"; {name}: {texts:,}" for name, texts in counts.items() if texts < most)
            chosen = f"; chosen for F1: {counted(length, 'unit')}" if length else ""
            yield f"{cell.model}: {agreed_texts(cell.evaluation, most)}{fewer}{chosen}"


def missing_words_tables(report: Report) -> Iterator[Table]:
    """What models still say when words are missing at random: a table for each dataset and operator."""
    places: dict[tuple[str, str], dict[str, ReportCell]] = {}
    for cell in report.cells:
        for operator in missing_words_operators(cell):
            places.setdefault((cell.dataset, operator), {}).setdefault(cell.model, cell)
    for at, ((dataset, operator), cells) in enumerate(places.items()):
        title = f"{dataset}: is taking words away fair to these models? {describe_operator(operator)}."
        columns = [(cell, operator, model) for model, cell in cells.items()]
        yield missing_words_table(title, columns, [MISSING_NOTE] * (not at), is_counted=True)


def missing_words_operators(cell: ReportCell) -> list[str]:
    """By which operators words were taken away at random."""
    row = cell.row(WORDS)
    return list(dict.fromkeys(measure.operator or HEADLINE for measure in row.values)) if row else []


def missing_words_table(
    title: str, places: Sequence[tuple[ReportCell, str, str]], notes: Sequence[str], *, is_counted: bool = False
) -> Table:
    """Shares of the units down, metrics across below a group for each place; no accuracy without labels."""
    columns, figures, fewer = [TAKEN], [], []
    shares = sorted({one.share or 0.0 for cell, _, _ in places if (row := cell.row(WORDS)) for one in row.values})
    for cell, operator, group in places:
        summaries = summaries_of(cell, [(WORDS, Measure(one, operator, share)) for one in FADING for share in shares])
        known = {(measure.metric, measure.share): one for (_, measure), one in summaries.items() if one}
        metrics = [metric for metric in FADING if any(name == metric for name, _ in known)]
        columns += [Column(KNOWN[metric].title, group, hint=KNOWN[metric].meaning) for metric in metrics]
        figures += [[summary_cell(known.get((metric, share))) for share in shares] for metric in metrics]
        counts = {metric: one.count for (metric, _), one in known.items()}
        most = max(counts.values(), default=0)
        fewer += [f"{group}: {most:,} of {cell.planned:,} texts"] * (most < cell.planned)
        lower = {KNOWN[metric].title: texts for metric, texts in counts.items() if texts < most}
        fewer += [f"{group}, {title}: {texts:,} of {cell.planned:,} texts" for title, texts in lower.items()]
    rows = zip((TableCell(f"{share:.0%}") for share in shares), *figures, strict=True)
    return Table(title, tuple(columns), tuple(rows), (*notes, *(fewer if is_counted else ())))


def cost_tables(report: Report) -> Iterator[Table]:
    """What the methods took for a text; nothing unless it is asked for, as seconds differ from run to run."""
    names = [name for name, kind in report.kinds.items() if kind == "method"]
    for cells in report.blocks.values() if report.times else ():
        columns = (METHOD, *(Column(title, cell.model) for cell in cells for title in ("passes", "seconds")))
        rows = ((TableCell(name), *(one for cell in cells for one in cost_cells(cell, name))) for name in names)
        yield Table(f"{block_title(cells)}: what a text took", columns, tuple(rows), (COSTS_NOTE,))


def costs(cell: ReportCell, name: str) -> dict[str, float]:
    """What a method took for each text that it scored; a text in several places is one."""
    if (row := cell.row(name)) is None or row.kind != "method" or not row.texts:
        return {}
    sums = {"passes": row.passes.forward, "gradient_passes": row.passes.backward, "seconds": row.seconds}
    return {metric: total / row.texts for metric, total in sums.items()}


def cost_cells(cell: ReportCell, name: str) -> list[TableCell]:
    """Passes, how many of them with gradients, and seconds."""
    if not (known := costs(cell, name)):
        return [NOTHING, NOTHING]
    gradients = f"({known['gradient_passes']:,.0f} with gradients)" if known["gradient_passes"] else None
    return [TableCell(f"{known['passes']:,.0f}", gradients), TableCell(f"{known['seconds']:.3f}")]
