"""The layouts of the paper's tables: `paper` (three metrics per model) and `steps` (metrics by number of steps)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...errors import UnmaskError
from ...methods.registry import resolve_methods
from ...metrics.faithfulness import METRICS
from ...metrics.registry import KNOWN, Measure
from ...metrics.statistics import Difference
from ...render.reports.figures import (
    CONTROL_NOTES,
    DELTA,
    METHOD,
    NOTHING,
    OWN,
    at_top,
    block_title,
    cell_title,
    describe_operator,
    differences,
    mean_column,
    methods_table,
    own_note,
    short_header,
)
from ...render.reports.long import COSTS, PLACE, lines_table, number
from ...render.reports.notes import cell_notes, missing, own_facts
from ...render.reports.shared_tables import cost_tables, difference_tables, missing_words_tables, people_tables
from ...render.tables import Column, Table, TableCell
from ...results.evaluation import minus
from ...results.report import Report, ReportCell, headline, operators
from .published import OTHER_MODELS, PublishedFigures

BOLD = "Bold: the best method in a column. Methods evaluated on fewer texts{own} are not ranked; if that excludes most "
BOLD += "methods, nothing is bold."
OR_OWN = f" or by their own operator ({OWN})"
ABOVE = "The notes below the first table for this dataset and baseline say what was not computed, and why."
SETTING = re.compile(r"\b(steps(?:_per_token)?)=([^,\s()]+),?")
STEP_COLUMNS = (
    METHOD,
    Column("steps"),
    *map(short_header, METRICS),
    Column("|Delta|", hint=f"{KNOWN['delta'].meaning}; absolute value"),
)
OPTIONAL = re.compile(r" (own_operator|paper)$| minus ")  # columns that are omitted if empty
DELTA_SIZE = Measure("absolute_delta")


def paper_tables(report: Report) -> Iterator[Table]:
    """Yield one table per dataset, baseline and operator, the headline operator first; then the common tables."""
    is_first = True
    for cells in report.blocks.values():
        for operator in operators(cells) or (None,):
            general = _general(report, operator) if is_first else ()
            yield _paper_table(report, cells, operator, [*general, *_notes(report, cells, operator)])
            is_first = False
    for shared in (difference_tables, people_tables, missing_words_tables, cost_tables):
        yield from shared(report)


def _paper_table(report: Report, cells: Sequence[ReportCell], operator: str | None, notes: Sequence[str]) -> Table:
    columns = []
    for cell in cells:
        theirs = {name: report.published(cell, name) if operator == headline(cells) else {} for name in report.kinds}
        for measure in at_top(report, [operator]):
            figures = _beside(mean_column(report, cell, measure), theirs, measure.metric)
            columns.append((short_header(measure.metric, cell.model), figures))
    sentence = "" if operator in (None, "paper") else describe_operator(operator or "")
    by = f": {sentence[0].lower()}{sentence[1:]}" if sentence else ""
    return methods_table(report, f"{block_title(cells)}{by}", columns, notes=notes)


def _beside(
    figures: Mapping[str, TableCell], theirs: Mapping[str, Mapping[str, float]], metric: str
) -> dict[str, TableCell]:
    """Show each number of the run next to the published one."""
    details = {name: f"paper: {known[metric]:g}" if known else None for name, known in theirs.items()}
    return {name: replace(figures.get(name, NOTHING), detail=detail) for name, detail in details.items()}


def _general(report: Report, operator: str | None) -> Iterator[str]:
    """Yield notes that apply to all tables; they are shown below the first one."""
    own = "" if operator == "paper" else OR_OWN
    yield f"Means over texts at the top {report.top:.0%} of the units. {BOLD.format(own=own)}"
    if operator == "paper":
        yield f"{describe_operator(operator)}."
    yield from (CONTROL_NOTES[name] for name in report.kinds if name in CONTROL_NOTES)


def _notes(report: Report, cells: Sequence[ReportCell], operator: str | None) -> Iterator[str]:
    names, is_headline = list(report.kinds), operator == headline(cells)
    if _has_own(report, cells, operator):
        yield own_note(operator)
    if is_headline:
        yield from report.references.notes(report, cells) if report.references else ()
        yield "; ".join(_source(report, cell) for cell in cells)
    lacking = list(missing(cells, names, operator))
    is_above = not is_headline and lacking == list(missing(cells, names, headline(cells)))
    yield from [ABOVE] if lacking and is_above else lacking
    if is_headline:
        yield from cell_notes(cells)


def _has_own(report: Report, cells: Sequence[ReportCell], operator: str | None) -> bool:
    measures = at_top(report, [operator])
    return any(cell.row(name).is_own(measure) for cell in cells for name in report.kinds for measure in measures)


def _source(report: Report, cell: ReportCell) -> str:
    """Return the model's source, its hash, and its settings that differ from other models of the report."""
    source, own = f"{cell.model} is {cell.source}", own_facts(report, cell)
    if cell.evaluation is None:
        return source
    digest = cell.evaluation.model.hash.removeprefix("sha256:")[:12]
    return f"{source} ({', '.join((digest, *(f'{name}: {value}' for name, value in own.items())))})"


def step_tables(report: Report) -> Iterator[Table]:
    """Yield a table for each model and dataset: methods by number of steps, with errors and costs."""
    names = [name for name, kind in report.kinds.items() if kind == "method"]
    columns = (*STEP_COLUMNS, *(Column(COSTS[cost]) for cost in _costs(report)))
    for at, cell in enumerate(report.cells):
        figures, operator = _step_figures(report, cell), headline([cell])
        rows = []
        for name in names:
            named = TableCell(parted(name)[0]), TableCell(steps) if (steps := steps_of(name)) else NOTHING
            rows.append((*named, *(column.get(name, NOTHING) for column in figures)))
        notes = [own_note(operator)] * _has_own(report, [cell], operator) + [DELTA] * (not at)
        if isinstance(report.references, PublishedFigures) and not report.references.is_published(cell):
            notes.append(OTHER_MODELS)
        notes += [*missing([cell], names, operator), *cell_notes([cell])]
        yield Table(f"{cell_title(cell)}: steps", columns, tuple(rows), tuple(notes))
    yield from difference_tables(report)


def parted(name: str) -> tuple[str, str | None]:
    """Split a row's name into the name without steps, and the steps.

    >>> parted("ig:steps=250,rule=trapezoid"), parted("ig:steps_per_token=10"), parted("sig")
    (('ig:rule=trapezoid', '250'), ('ig', '10 per token'), ('sig', None))
    """
    setting = SETTING.search(name)
    if setting is None:
        return name, None
    rest = (name[: setting.start()] + name[setting.end() :]).rstrip(":,")
    return rest, setting[2] if setting[1] == "steps" else f"{setting[2]} per token"


def steps_of(name: str) -> str | None:
    """Return the number of steps or samples of a row; None if it has none.

    >>> steps_of("ig"), steps_of("ig:steps_per_token=10"), steps_of("gradient_shap"), steps_of("sig")
    ('50', '10 per token', '50 samples', None)
    """
    if (named := parted(name)[1]) is not None:
        return named
    try:
        (method,) = resolve_methods([name])
    except (UnmaskError, ValueError):
        return None
    return method.steps_label


def _step_figures(report: Report, cell: ReportCell) -> list[dict[str, TableCell]]:
    """Return the three metrics with the headline operator, |Delta|, the paper's number for each, and the cost."""
    columns = {one.metric: mean_column(report, cell, one) for one in at_top(report, [headline([cell])])}
    deltas = {name: cell.row(name).mean(DELTA_SIZE) for name in report.kinds}
    columns["absolute_delta"] = {name: TableCell(f"{one:.3f}") for name, one in deltas.items() if one is not None}
    theirs = {name: _published_steps(report, cell, name) for name in report.kinds}
    costs = {name: spent for name in report.kinds if (spent := cell.row(name).costs)}
    return [
        *(_beside(figures, theirs, metric) for metric, figures in columns.items()),
        *({name: TableCell(_amount(spent[cost])) for name, spent in costs.items()} for cost in _costs(report)),
    ]


def _published_steps(report: Report, cell: ReportCell, name: str) -> Mapping[str, float]:
    references = report.references
    return references.step_figures(cell, name) if isinstance(references, PublishedFigures) else {}


def _costs(report: Report) -> tuple[str, ...]:
    return ("passes", "seconds") if report.times else ("passes",)


def _amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def paper_lines(report: Report) -> Iterator[Table]:
    """The layout `paper` as CSV: one line per method, model and dataset, with the three metrics side by side."""
    lines = []
    for cells in report.blocks.values():
        for operator in operators(cells) or (None,):
            for cell in cells:
                is_headline = operator == headline([cell])
                compared = differences(report, cell) if is_headline else {}
                for name in report.kinds:
                    theirs = report.published(cell, name) if is_headline else {}
                    spent = _spent(cell, name, _costs(report) if report.times else ())
                    lines.append(_line(report, cell, operator, name, theirs, compared) | spent)
    yield _lines_table("paper", lines)


def step_lines(report: Report) -> Iterator[Table]:
    """The layout `steps` as CSV, with the headline operator. Controls are left out, since they have no steps."""
    lines = []
    for cell in report.cells:
        compared = differences(report, cell)
        for name in (name for name, kind in report.kinds.items() if kind == "method"):
            theirs = _published_steps(report, cell, name)
            more = {
                "absolute_delta": number(cell.row(name).mean(DELTA_SIZE)),
                "absolute_delta paper": number(theirs.get("absolute_delta")),
                "steps": steps_of(name) or "",
                **_spent(cell, name, _costs(report)),
            }
            lines.append(_line(report, cell, headline([cell]), name, theirs, compared) | more)
    yield _lines_table("steps", lines)


def _line(
    report: Report,
    cell: ReportCell,
    operator: str | None,
    name: str,
    theirs: Mapping[str, float],
    compared: Mapping[tuple[str, Measure], Difference | None],
) -> dict[str, str]:
    """Build one line for a row and an operator, with published results and differences from the reference."""
    row, parts = cell.row(name), minus(report.reference or "")
    line = {place: getattr(cell, place) for place in PLACE} | {"operator": operator or "", "method": name}
    line["texts"] = str(cell.coverage(name, operator).done)
    for measure in at_top(report, [operator]):
        metric, difference = measure.metric, compared.get((name, measure))
        line[metric] = number(row.mean(measure))
        line[f"{metric} own_operator"] = "yes" if row.is_own(measure) else ""
        line[f"{metric} paper"] = number(theirs.get(metric))
        line |= {f"{metric} {title}": number(getattr(difference, part, None)) for part, title in parts.items()}
    return line


def _spent(cell: ReportCell, name: str, costs: Sequence[str]) -> dict[str, str]:
    return {cost: number(cell.row(name).costs.get(cost)) for cost in costs}


def _lines_table(title: str, lines: Sequence[dict[str, str]]) -> Table:
    names = lines[0] if lines else ()
    return lines_table(title, lines, {name for name in names if OPTIONAL.search(name)})
