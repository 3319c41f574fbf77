"""The layouts `paper` and `steps` for programs: a line for each row of a cell, the three metrics side by side.

Numbers are numbers, marks have columns of their own, and nothing stands where nothing was computed.
"""

from collections.abc import Callable, Iterator, Sequence

from ...metrics.faithfulness import METRICS
from ...metrics.registry import Measure
from ...results.evaluation import minus
from ...results.report import Report, ReportCell, headline, operators
from .. import tables
from . import steps
from .compared import PAPER, number
from .differences import differences
from .entries import costs
from .figures import mark, mean
from .published import figures

OWN = "own_operator"  # a column that is there only where something is in it
Line = dict[str, str]
Published = Callable[[Report, ReportCell, str], Sequence[float] | None]


def by_operator(report: Report) -> Iterator[tables.Table]:
    """The layout `paper`; agreement with people, and what models say with words missing, are in the layout `long`."""
    lines = []
    for cells in report.blocks.values():
        for operator in operators(cells) or (None,):
            for cell in cells:
                wanted = ("passes", "seconds") if report.times else ()
                lines += [
                    line | _spent(cell, line["method"], wanted) for line in _lines(report, cell, operator, figures)
                ]
    yield _table("paper", lines)


def by_steps(report: Report) -> Iterator[tables.Table]:
    """The layout `steps`, by the headline operator; controls have no steps."""
    lines = []
    for cell in report.cells:
        for line in _lines(report, cell, headline([cell]), steps.published_figures):
            if report.kinds[line["method"]] == "method":
                lines.append(line | _steps(report, cell, line["method"]))
    yield _table("steps", lines)


def _lines(report: Report, cell: ReportCell, operator: str | None, published: Published) -> Iterator[Line]:
    """Each row of a cell by one operator; by the headline, with the paper's figures and differences."""
    is_headline = operator == headline([cell])
    compared = differences(report, cell, operator) if is_headline else {}
    places = ("dataset", "model", "baseline", "baseline_used")
    for name in report.kinds:
        paper = published(report, cell, name) if is_headline else None
        line = {one: getattr(cell, one) for one in places} | {"operator": operator or "", "method": name}
        line["texts"] = str(cell.standing(name, operator).done)
        for at, metric in enumerate(METRICS):
            measure = Measure(metric, operator, report.top)
            line[metric] = number(mean(cell.row(name), measure))
            line[f"{metric} {OWN}"] = "yes" if mark(cell.row(name), measure) else ""
            line[f"{metric} {PAPER}"] = number(paper[at] if paper else None)
            one = compared.get((name, measure))
            parts = minus(report.reference or "")
            line |= {f"{metric} {named}": number(getattr(one, part, None)) for part, named in parts.items()}
        yield line


def _steps(report: Report, cell: ReportCell, name: str) -> Line:
    """What the table of steps has beside the metrics."""
    paper = steps.published_figures(report, cell, name)
    return {
        "absolute_delta": number(mean(cell.row(name), Measure("absolute_delta"))),
        f"absolute_delta {PAPER}": number(paper[-1] if paper else None),
        "steps": steps.said(report, name) or "",
        **_spent(cell, name, steps.costly(report)),
    }


def _spent(cell: ReportCell, name: str, wanted: Sequence[str]) -> Line:
    found = {one.measure.metric: one.mean for one in costs(cell, name)}
    return {one: number(found.get(one)) for one in wanted}


def _table(title: str, lines: Sequence[Line]) -> tables.Table:
    names = list(lines[0]) if lines else ["method"]
    kept = [name for name in names if not _is_optional(name) or any(line[name] for line in lines)]
    rows = tuple(tuple(tables.Cell(line[name]) for name in kept) for line in lines)
    return tables.Table(title, tuple(map(tables.Column, kept)), rows)


def _is_optional(name: str) -> bool:
    return name.endswith((f" {OWN}", f" {PAPER}")) or " minus " in name
