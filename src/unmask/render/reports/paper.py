"""The paper's own tables: methods down, three metrics under each model, a table for each dataset and baseline."""

from collections.abc import Iterator, Sequence

from ...metrics.faithfulness import METRICS
from ...metrics.registry import Measure
from ...results.report import Report, ReportCell, operators
from .. import judged, tables
from . import facts, published, standings
from .figures import METHOD, first_column, header, mark, means
from .naming import named

BOLD = "the best method of a column is bold, of those that were judged on nearly as many texts as the others"
FAIR = f" and not by their own operator ({judged.OWN}); none where most were"

ABOVE = "What was not computed, and why, stands below the first table of this dataset and baseline."


def drawn(report: Report) -> Iterator[tables.Table]:
    """One table for each dataset, baseline and operator, the headline first."""
    is_first = True
    for cells in report.blocks.values():
        for at, operator in enumerate(operators(cells) or [None]):
            general = _general(report, operator) if is_first else ()
            notes = _notes(report, cells, operator, is_headline=not at)
            yield _table(report, cells, operator, [*general, *notes])
            is_first = False


def _table(report: Report, cells: Sequence[ReportCell], operator: str | None, notes: Sequence[str]) -> tables.Table:
    measures = [Measure(metric, operator, report.top) for metric in METRICS]
    first, rules = first_column(report)
    with_paper = operator in (None, *operators(cells)[:1])
    found = [means(report, cell, measure, with_paper=with_paper) for cell in cells for measure in measures]
    columns = (METHOD, *(header(metric, cell.model) for cell in cells for metric in METRICS))
    return tables.Table(_title(cells, operator), columns, tuple(zip(first, *found, strict=True)), tuple(notes), rules)


def _title(cells: Sequence[ReportCell], operator: str | None) -> str:
    if operator is None or operator == "paper":
        return named(cells)
    said = judged.by(operator)
    return f"{named(cells)}: {said[0].lower()}{said[1:]}"


def _general(report: Report, operator: str | None) -> Iterator[str]:
    """What holds for all tables, and stands below the first."""
    yield f"Means over texts, at the top {report.top:.0%} of the units; {BOLD}{FAIR if operator != 'paper' else ''}."
    if operator == "paper":
        yield f"{judged.by(operator)}."
    yield from (judged.SAID[name] for name in report.kinds if name in judged.SAID)


def _notes(report: Report, cells: Sequence[ReportCell], operator: str | None, *, is_headline: bool) -> Iterator[str]:
    measures = [Measure(metric, operator, report.top) for metric in METRICS]
    if any(mark(cell.row(name), one) for cell in cells for name in report.kinds for one in measures):
        yield judged.OWN_SAID
    if is_headline:
        yield from published.remarks(report, cells)
        yield "; ".join(_source(report, cell) for cell in cells)
    lacking, *others = (list(standings.remarks(cells, list(report.kinds), one)) for one in (operator, *_first(cells)))
    yield from [ABOVE] if lacking and not is_headline and [lacking] == others else lacking
    if is_headline:
        yield from standings.notes(cells)


def _first(cells: Sequence[ReportCell]) -> list[str]:
    return operators(cells)[:1]


def _source(report: Report, cell: ReportCell) -> str:
    """Which model it is, and how it was computed where others were computed otherwise."""
    found, own = f"{cell.model} is {cell.source}", facts.own(report, cell)
    if cell.evaluation is None:
        return found
    said = (cell.evaluation.model.hash.removeprefix("sha256:")[:12], *(f"{name} {one}" for name, one in own.items()))
    return f"{found} ({', '.join(said)})"
