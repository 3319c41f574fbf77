"""The layouts of the paper's tables: `paper`, three metrics under each model, and `steps`, what more steps buy."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...errors import UnmaskError
from ...methods.registry import resolve_methods
from ...metrics.faithfulness import METRICS
from ...metrics.registry import KNOWN, Measure
from ...metrics.statistics import Difference
from ...render.reports.by_dataset import (
    cost_tables,
    costs,
    difference_tables,
    headline_differences,
    missing_words_tables,
    people_tables,
)
from ...render.reports.document import Layout
from ...render.reports.facts import cell_notes, missing, own_facts
from ...render.reports.figures import (
    CONTROL_NOTES,
    DELTA,
    METHOD,
    NOTHING,
    OWN,
    OWN_NOTE,
    block_title,
    cell_title,
    describe_operator,
    is_own,
    mean,
    mean_column,
    methods_table,
    short_header,
)
from ...render.reports.long import COSTS, number
from ...render.tables import Column, Table, TableCell
from ...results.evaluation import minus
from ...results.report import Report, ReportCell, headline, operators
from .references import OTHER_MODELS, PublishedFigures

BOLD = "the best method of a column is bold, of those that were judged on nearly as many texts as the others"
FAIR = f" and not by their own operator ({OWN}); none where most were"
ABOVE = "What was not computed, and why, stands below the first table of this dataset and baseline."
SETTING = re.compile(r"\b(steps(?:_per_token)?)=([^,\s()]+),?")
STEP_COLUMNS = (
    METHOD,
    Column("steps"),
    *map(short_header, METRICS),
    Column("|Delta|", hint=f"{KNOWN['delta'].meaning}; without its sign"),
)
SPENT = ("passes", "seconds")  # the latter only where it is asked for
OWN_COLUMN = "own_operator"  # a column that is there only where something is in it
Line = dict[str, str]


def protocol_note(report: Report) -> str:
    """What the protocol `paper` is."""
    functions = dict.fromkeys(cell.evaluation.function for cell in report.cells if cell.evaluation)
    return (
        "The protocol 'paper' repeats the published code, faults included: what it explains is "
        f"{', or '.join(functions) or 'the model embedded twice'}. Whether the published figures are met can be told "
        "only with the published models."
    )


def paper_tables(report: Report) -> Iterator[Table]:
    """One table for each dataset, baseline and operator, the headline first; then what all layouts share."""
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
        for metric in METRICS:
            figures = mean_column(report, cell, Measure(metric, operator, report.top))
            columns.append((short_header(metric, cell.model), _beside(figures, theirs, metric)))
    sentence = "" if operator in (None, "paper") else describe_operator(operator or "")
    by = f": {sentence[0].lower()}{sentence[1:]}" if sentence else ""
    return methods_table(report, f"{block_title(cells)}{by}", columns, notes=notes)


def _beside(
    figures: Mapping[str, TableCell], theirs: Mapping[str, Mapping[str, float]], metric: str
) -> dict[str, TableCell]:
    """Our figures, each with the published one as it was printed."""
    details = {name: f"paper: {known[metric]:g}" for name, known in theirs.items() if known}
    return {name: replace(cell, detail=details.get(name)) for name, cell in figures.items()}


def _general(report: Report, operator: str | None) -> Iterator[str]:
    """What holds for all tables, and stands below the first."""
    yield f"Means over texts, at the top {report.top:.0%} of the units; {BOLD}{FAIR if operator != 'paper' else ''}."
    if operator == "paper":
        yield f"{describe_operator(operator)}."
    yield from (CONTROL_NOTES[name] for name in report.kinds if name in CONTROL_NOTES)


def _notes(report: Report, cells: Sequence[ReportCell], operator: str | None) -> Iterator[str]:
    names, is_headline = list(report.kinds), operator == headline(cells)
    if _has_own(report, cells, operator):
        yield OWN_NOTE
    if is_headline:
        yield from report.references.notes(report, cells) if report.references else ()
        yield "; ".join(_source(report, cell) for cell in cells)
    lacking = list(missing(cells, names, operator))
    is_above = not is_headline and lacking == list(missing(cells, names, headline(cells)))
    yield from [ABOVE] if lacking and is_above else lacking
    if is_headline:
        yield from cell_notes(cells)


def _has_own(report: Report, cells: Sequence[ReportCell], operator: str | None) -> bool:
    measures = [Measure(metric, operator, report.top) for metric in METRICS]
    return any(is_own(cell.row(name), measure) for cell in cells for name in report.kinds for measure in measures)


def _source(report: Report, cell: ReportCell) -> str:
    """Which model it is, and how it was computed where others were computed otherwise."""
    source, own = f"{cell.model} is {cell.source}", own_facts(report, cell)
    if cell.evaluation is None:
        return source
    digest = cell.evaluation.model.hash.removeprefix("sha256:")[:12]
    return f"{source} ({', '.join((digest, *(f'{name} {value}' for name, value in own.items())))})"


def step_tables(report: Report) -> Iterator[Table]:
    """Methods that differ in their steps: what more of them buys, and what it costs. A table for each cell."""
    names = [name for name, kind in report.kinds.items() if kind == "method"]
    shown_costs = SPENT if report.times else SPENT[:1]
    columns = (*STEP_COLUMNS, *(Column(COSTS[cost]) for cost in shown_costs))
    for at, cell in enumerate(report.cells):
        figures, operator = _step_figures(report, cell), headline([cell])
        rows = []
        for name in names:
            steps, spent = steps_of(name), costs(cell, name)
            amounts = [TableCell(_amount(spent[cost])) if cost in spent else NOTHING for cost in shown_costs]
            named = TableCell(parted(name)[0]), NOTHING if steps is None else TableCell(steps)
            rows.append((*named, *figures[name], *amounts))
        notes = [OWN_NOTE] * _has_own(report, [cell], operator) + [DELTA] * (not at)
        if isinstance(report.references, PublishedFigures) and not report.references.is_published(cell):
            notes.append(OTHER_MODELS)
        notes += [*missing([cell], names, operator), *cell_notes([cell])]
        yield Table(f"{cell_title(cell)}: steps", columns, tuple(rows), tuple(notes))
    yield from difference_tables(report)


def parted(name: str) -> tuple[str, str | None]:
    """A row's name without its steps, and the steps.

    >>> parted("ig:steps=250,rule=trapezoid"), parted("ig:steps_per_token=10"), parted("sig")
    (('ig:rule=trapezoid', '250'), ('ig', '10 a token'), ('sig', None))
    """
    setting = SETTING.search(name)
    if setting is None:
        return name, None
    rest = (name[: setting.start()] + name[setting.end() :]).rstrip(":,")
    return rest, setting[2] if setting[1] == "steps" else f"{setting[2]} a token"


def steps_of(name: str) -> str | None:
    """How many steps a row takes, or how many samples; None where it takes none.

    >>> steps_of("ig"), steps_of("ig:steps_per_token=10"), steps_of("gradient_shap"), steps_of("sig")
    ('50', '10 a token', '50 samples', None)
    """
    if (named := parted(name)[1]) is not None:
        return named
    try:
        (method,) = resolve_methods([name])
    except (UnmaskError, ValueError):
        return None
    return method.steps_label


def _step_figures(report: Report, cell: ReportCell) -> dict[str, list[TableCell]]:
    """By row: the three metrics by the headline operator, and |Delta|, each with the paper's."""
    measures = {metric: Measure(metric, headline([cell]), report.top) for metric in METRICS}
    columns = {metric: mean_column(report, cell, measure) for metric, measure in measures.items()}
    deltas = {name: mean(cell.row(name), Measure("absolute_delta")) for name in report.kinds}
    columns["absolute_delta"] = {
        name: NOTHING if delta is None else TableCell(f"{delta:.3f}") for name, delta in deltas.items()
    }
    theirs = {name: _published_steps(report, cell, name) for name in report.kinds}
    beside = [_beside(figures, theirs, metric) for metric, figures in columns.items()]
    return {name: [figures[name] for figures in beside] for name in report.kinds}


def _published_steps(report: Report, cell: ReportCell, name: str) -> Mapping[str, float]:
    references = report.references
    return references.step_figures(cell, name) if isinstance(references, PublishedFigures) else {}


def _amount(value: float) -> str:
    """A number of passes, or of seconds."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def paper_lines(report: Report) -> Iterator[Table]:
    """The layout `paper` for programs: a line for each row of a cell, the three metrics side by side."""
    lines = []
    for cells in report.blocks.values():
        for operator in operators(cells) or (None,):
            for cell in cells:
                is_headline = operator == headline([cell])
                differences = headline_differences(report, cell) if is_headline else {}
                for name in report.kinds:
                    theirs = report.published(cell, name) if is_headline else {}
                    spent = _spent(cell, name, SPENT if report.times else ())
                    lines.append(_line(report, cell, operator, name, theirs, differences) | spent)
    yield _lines_table("paper", lines)


def step_lines(report: Report) -> Iterator[Table]:
    """The layout `steps` for programs, by the headline operator; controls have no steps."""
    lines = []
    for cell in report.cells:
        differences = headline_differences(report, cell)
        for name, kind in report.kinds.items():
            if kind == "method":
                theirs = _published_steps(report, cell, name)
                line = _line(report, cell, headline([cell]), name, theirs, differences)
                line["absolute_delta"] = number(mean(cell.row(name), Measure("absolute_delta")))
                line["absolute_delta paper"] = number(theirs.get("absolute_delta"))
                line["steps"] = steps_of(name) or ""
                lines.append(line | _spent(cell, name, SPENT if report.times else SPENT[:1]))
    yield _lines_table("steps", lines)


def _line(
    report: Report,
    cell: ReportCell,
    operator: str | None,
    name: str,
    theirs: Mapping[str, float],
    differences: Mapping[tuple[str, Measure], Difference | None],
) -> Line:
    """One row of a cell by one operator, with published figures and its differences from the reference."""
    places = ("dataset", "model", "baseline", "baseline_used")
    line = {place: getattr(cell, place) for place in places} | {"operator": operator or "", "method": name}
    line["texts"] = str(cell.coverage(name, operator).done)
    for metric in METRICS:
        measure = Measure(metric, operator, report.top)
        line[metric] = number(mean(cell.row(name), measure))
        line[f"{metric} {OWN_COLUMN}"] = "yes" if is_own(cell.row(name), measure) else ""
        line[f"{metric} paper"] = number(theirs.get(metric))
        difference = differences.get((name, measure))
        parts = minus(report.reference or "")
        line |= {f"{metric} {title}": number(getattr(difference, part, None)) for part, title in parts.items()}
    return line


def _spent(cell: ReportCell, name: str, shown: Sequence[str]) -> Line:
    known = costs(cell, name)
    return {cost: number(known.get(cost)) for cost in shown}


def _lines_table(title: str, lines: Sequence[Line]) -> Table:
    names = list(lines[0]) if lines else ["method"]
    optional = {name for name in names if name.endswith((f" {OWN_COLUMN}", " paper")) or " minus " in name}
    kept = [name for name in names if name not in optional or any(line[name] for line in lines)]
    rows = tuple(tuple(TableCell(line[name]) for name in kept) for line in lines)
    return Table(title, tuple(map(Column, kept)), rows)


PAPER = Layout(paper_tables, paper_lines)
STEPS = Layout(step_tables, step_lines)
