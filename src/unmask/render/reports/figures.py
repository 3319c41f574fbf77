"""One column of a table: the means of all rows under one model, the best bold, the paper's beside them."""

import numpy as np

from ...metrics.registry import KNOWN, Measure
from ...results.report import Report, ReportCell
from ...results.rows import EvaluationRow
from .. import judged, tables
from .published import beside

METHOD = tables.Column("method", align="left")
NEARLY = 0.95  # of the texts that the others have: a figure of fewer is never the best


def first_column(report: Report) -> tuple[list[tables.Cell], frozenset[int]]:
    """The names of the rows, and where the rule stands: controls are faint, and below it."""
    controls = [at for at, kind in enumerate(report.kinds.values()) if kind == "control"]
    cells = [tables.Cell(name, is_faint=kind == "control") for name, kind in report.kinds.items()]
    return cells, frozenset(at for at in controls[:1] if at)


def header(metric: str, group: str | None = None) -> tables.Column:
    """What stands above the figures of a metric, as short as in the paper."""
    return tables.Column(f"{KNOWN[metric].short} {KNOWN[metric].arrow}", group, hint=KNOWN[metric].meaning)


def means(report: Report, cell: ReportCell, measure: Measure, *, with_paper: bool) -> list[tables.Cell]:
    """Every row's mean; the best of those that may be is bold."""
    found = {name: mean(cell.row(name), measure) for name in report.kinds}
    fair = {name: one for name in comparable(report, cell, measure) if (one := found[name]) is not None}
    judges = sum(kind != "control" for kind in report.kinds.values())
    best = judged.best(measure.metric, list(fair.values()), judged=judges)
    return [
        _figure(
            one,
            mark=mark(cell.row(name), measure),
            detail=beside(report, cell, name, measure.metric) if with_paper else None,
            is_best=name in fair and one == best,
            is_faint=report.kinds[name] == "control",
        )
        for name, one in found.items()
    ]


def mean(row: EvaluationRow | None, measure: Measure) -> float | None:
    """A row's mean without its interval, which takes long; None where nothing was computed."""
    values = None if row is None else row.values.get(measure)
    kept = np.empty(0) if values is None else values[~np.isnan(values)]
    return float(kept.mean()) if len(kept) else None


def mark(row: EvaluationRow | None, measure: Measure) -> str:
    """The sign of a figure that was judged by what it is made of."""
    return judged.OWN if row is not None and judged.is_own(row, measure) else ""


def comparable(report: Report, cell: ReportCell, measure: Measure) -> list[str]:
    """Rows that may be the best: methods judged on nearly as many texts as the others, not by their own operator.

    The paper's own tables do not ask by which operator.
    """
    is_any = measure.operator == "paper"
    methods = [name for name, kind in report.kinds.items() if kind != "control"]
    done = {name: cell.standing(name, measure.operator).done for name in methods}
    enough = NEARLY * max(done.values(), default=0)
    return [name for name in methods if done[name] >= enough and (is_any or not mark(cell.row(name), measure))]


def _figure(found: float | None, *, mark: str, detail: str | None, is_best: bool, is_faint: bool) -> tables.Cell:
    if found is None:
        return tables.Cell("—", detail, is_faint=True)
    return tables.Cell(f"{found:.3f}{mark}", detail, is_best, is_faint)
