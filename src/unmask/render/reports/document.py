"""A report as one document: its tables by layout, what is said of all of them, and what they depend on."""

from collections.abc import Callable, Iterable, Iterator

from ...errors import unknown
from ...results.evaluation import Evaluation
from ...results.report import Report
from .. import judged, tables
from . import differences, facts, long, paper, people, pictures, programs, robustness, spent, steps

Tables = Callable[[Report], Iterable[tables.Table]]
LAYOUTS: dict[str, Tables] = {"paper": paper.drawn, "long": long.by_cell, "steps": steps.drawn}
FOR_PROGRAMS: dict[str, Tables] = {
    "paper": programs.by_operator,
    "long": lambda report: [long.whole(report)],
    "steps": programs.by_steps,
}


def document(report: Report, layout: str, *, form: str | None = None) -> tables.Document:
    """The tables of a layout, those of differences behind them, and pictures where the form has room for them."""
    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    found = FOR_PROGRAMS[layout](report) if form == "csv" else _for_people(report, layout)
    drawn = tuple(pictures.drawn(report)) if form == "html" else ()
    return tables.Document(_title(report), facts.shared(report), tuple(found), tuple(_paragraphs(report)), drawn)


def _for_people(report: Report, layout: str) -> Iterator[tables.Table]:
    yield from LAYOUTS[layout](report)
    yield from differences.drawn(report)
    if layout == "paper":  # the long one has these figures among the others
        yield from people.drawn(report)
        yield from robustness.drawn(report)
        yield from spent.drawn(report)


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
    yield from _warnings(report)


def _warnings(report: Report) -> Iterator[str]:
    """What the evaluations warn of, each once, with the cells that it is said of unless it is all of them."""
    found: dict[str, list[str]] = {}
    for cell in report.cells:
        for warning in cell.evaluation.warnings if cell.evaluation else ():
            found.setdefault(warning, []).append(f"{cell.dataset}/{cell.model}")
    for warning, places in found.items():
        is_all = len(places) == len(report.cells)
        yield warning if is_all else f"{', '.join(dict.fromkeys(places))}: {warning}"
