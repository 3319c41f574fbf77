"""Each method minus the reference, paired over texts: a table for each dataset and baseline."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ...metrics.faithfulness import METRICS
from ...metrics.registry import Measure
from ...metrics.statistics import Difference
from ...results.report import Report, ReportCell, headline
from .. import judged, tables
from .figures import METHOD, header, mark
from .naming import named

Differences: TypeAlias = dict[tuple[str, Measure], Difference | None]


def drawn(report: Report) -> Iterator[tables.Table]:
    """Differences by the headline operator; nothing where there is no reference."""
    if report.reference is None:
        return
    for at, cells in enumerate(report.blocks.values()):
        found = [column for cell in cells for column in _columns(report, cell, headline(cells))]
        columns = (METHOD, *(header(metric, cell.model) for cell in cells for metric in METRICS))
        kinds = {name: kind for name, kind in report.kinds.items() if name != report.reference}
        names = [tables.Cell(name, is_faint=kind == "control") for name, kind in kinds.items()]
        rules = [at for at, kind in enumerate(kinds.values()) if at and kind == "control"]
        is_own = any(judged.OWN in one.text for column in found for one in column)
        notes = ([judged.PAIRED] * (not at)) + ([judged.OWN_COMPARED] * is_own) + list(_notes(report, cells))
        title = f"{named(cells)}: each method minus {report.reference}{_by(headline(cells))}"
        yield tables.Table(title, columns, tuple(zip(names, *found, strict=True)), tuple(notes), frozenset(rules[:1]))


def _by(operator: str | None) -> str:
    """The paper has one way to take units away, of which its tables say all."""
    return "" if operator in (None, "paper") else f", {judged.by(operator).lower()}"


def differences(report: Report, cell: ReportCell, operator: str | None) -> Differences:
    """Every row of a cell minus the reference; nothing where that, or anything at all, was not computed."""
    if cell.evaluation is None or operator is None or cell.row(report.reference or "") is None:
        return {}
    rows = [name for name in report.kinds if name != report.reference and cell.row(name)]
    asked = [(name, Measure(metric, operator, report.top)) for name in rows for metric in METRICS]
    return cell.evaluation.differences(asked, reference=report.reference)


def _columns(report: Report, cell: ReportCell, operator: str | None) -> list[list[tables.Cell]]:
    """One for each metric."""
    names = [name for name in report.kinds if name != report.reference]
    known = differences(report, cell, operator)
    other = cell.row(report.reference or "")
    found = {
        (name, one.metric): (mark(cell.row(name), one) or mark(other, one), value)
        for (name, one), value in known.items()
    }
    nothing = ("", None)
    pairs = [[found.get((name, metric), nothing) for name in names] for metric in METRICS]
    return [[judged.difference(value, mark=own) for own, value in column] for column in pairs]


def _notes(report: Report, cells: Sequence[ReportCell]) -> Iterator[str]:
    """Why a model has no differences."""
    operator = headline(cells)
    lacking = [cell.model for cell in cells if not cell.standing(report.reference or "", operator).done]
    if lacking:
        yield f"{report.reference} was not computed for {', '.join(lacking)}, so nothing is compared with it there."
