"""A report as one document: its tables by layout, what is said of all of them, and what they depend on."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ...errors import unknown
from ...results.evaluation import Evaluation
from ...results.report import Report
from ..tables import Document, Picture, Table
from .notes import counted, shared_facts, truncated

Tables = Callable[[Report], Iterable[Table]]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a report is laid out in tables: for people, and for programs, whose numbers are numbers."""

    tables: Tables
    lines: Tables


# By name, where each is found; a study adds its own.
LAYOUTS = {
    "full": "unmask.render.reports.full:FULL",
    "long": "unmask.render.reports.long:LONG",
    "paper": "unmask.studies.sig2023.tables:PAPER",
    "steps": "unmask.studies.sig2023.tables:STEPS",
}
# By protocol, what is said of its figures: a function of the report.
PROTOCOL_NOTES = {"paper": "unmask.studies.sig2023.tables:protocol_note"}


def document(report: Report, layout: str, *, form: str | None = None) -> Document:
    """The tables of a layout, and pictures where the form has room for them."""
    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    chosen: Layout = _resolve(LAYOUTS[layout])
    tables = chosen.lines(report) if form == "csv" else chosen.tables(report)
    pictures: tuple[Picture, ...] = ()
    if form == "html" and report.plan:
        from .charts import pictures_of

        pictures = tuple(pictures_of(report))
    return Document(_title(report), shared_facts(report), tuple(tables), tuple(_paragraphs(report)), pictures)


def _resolve(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _title(report: Report) -> str:
    methods = sum(kind != "control" for kind in report.kinds.values())
    if not report.plan:
        (evaluation,) = report.evaluations
        texts = evaluation.examples - len({failure.example for failure in evaluation.failures if failure.row is None})
        return f"{counted(methods, 'method')} judged on {counted(texts, 'text')}"
    datasets, models = ({getattr(cell, name) for cell in report.cells} for name in ("dataset", "model"))
    counts = (counted(len(datasets), "dataset"), counted(len(models), "model"), counted(methods, "method"))
    return f"{report.plan}: {', '.join(counts)}"


def _paragraphs(report: Report) -> Iterator[str]:
    if report.protocol in PROTOCOL_NOTES:
        yield _resolve(PROTOCOL_NOTES[report.protocol])(report)
    if not report.plan:
        yield from _faults(*report.evaluations)
    yield from _warnings(report)


def _faults(evaluation: Evaluation) -> Iterator[str]:
    """Texts of an evaluation that failed or that were cut; a plan's report says so below its tables."""
    if evaluation.failures:
        first, failed = evaluation.failures[0], len({failure.example for failure in evaluation.failures})
        where = f"{first.name} under {first.row}" if first.row else first.name
        yield f"{failed:,} of {evaluation.examples:,} texts failed; the first, {where}: {first.reason}"
    if note := truncated(evaluation):
        yield f"{note}."


def _warnings(report: Report) -> Iterator[str]:
    """What the evaluations warn of, each once, with the cells that it is said of unless it is all of them."""
    places: dict[str, list[str]] = {}
    for cell in report.cells:
        for warning in cell.evaluation.warnings if cell.evaluation else ():
            places.setdefault(warning, []).append(f"{cell.dataset}/{cell.model}")
    for warning, names in places.items():
        is_all = len(names) == len(report.cells)
        yield warning if is_all else f"{', '.join(dict.fromkeys(names))}: {warning}"
