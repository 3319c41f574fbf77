"""A report as one document: its tables by layout, what is said of all of them, and what they depend on."""

from collections.abc import Callable, Iterable, Iterator

from ...errors import unknown
from ...evaluation import Evaluation
from ...report import Report
from .. import judged, tables
from . import differences, long, paper, pictures, steps

SHARED = ("function", "target", "scale", "seed")  # facts that all evaluations of a plan have in common
LAYOUTS: dict[str, Callable[[Report], Iterable[tables.Table]]] = {
    "paper": paper.drawn,
    "long": long.by_cell,
    "steps": steps.drawn,
}


def document(report: Report, layout: str, *, form: str | None = None) -> tables.Document:
    """The tables of a layout, those of differences behind them, and pictures where the form has room for them."""
    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    is_for_programs = form == "csv" and layout == "long"
    found = [long.whole(report)] if is_for_programs else [*LAYOUTS[layout](report), *differences.drawn(report)]
    drawn = tuple(pictures.drawn(report)) if form == "html" else ()
    return tables.Document(_title(report), _facts(report), tuple(found), tuple(_paragraphs(report)), drawn)


def _title(report: Report) -> str:
    methods = sum(kind != "control" for kind in report.kinds.values())
    datasets, models = ({getattr(cell, name) for cell in report.cells} for name in ("dataset", "model"))
    counts = (_count(len(datasets), "dataset"), _count(len(models), "model"), _count(methods, "method"))
    return f"{report.plan}: {', '.join(counts)}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _evaluations(report: Report) -> Iterator[Evaluation]:
    return (cell.evaluation for cell in report.cells if cell.evaluation)


def _paragraphs(report: Report) -> Iterator[str]:
    if report.protocol == "paper":
        functions = dict.fromkeys(one.function for one in _evaluations(report))
        yield judged.as_published(", or ".join(functions) or "the model embedded twice")
    for cell in report.cells:
        for warning in cell.evaluation.warnings if cell.evaluation else ():
            yield f"{cell.dataset}, {cell.model}: {warning}"


def _facts(report: Report) -> dict[str, str]:
    """What all figures depend on, in so far as it is the same for all."""
    found = {
        "plan": report.plan,
        "protocol": report.protocol,
        "top": f"{report.top:.0%} of the units",
        "unit": report.unit,
    }
    for name in SHARED:
        values = list({str(getattr(one, name)) for one in _evaluations(report)})
        found |= {name: values[0]} if len(values) == 1 else {}
    planned = sum(cell.planned for cell in report.cells)
    return {**found, "texts": f"{planned:,} in {_count(len(report.cells), 'cell')}", **report.facts}
