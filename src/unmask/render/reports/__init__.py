"""Writes reports and evaluations in every format: tables, and charts in HTML or in separate files.

An evaluation is written as a report with one cell, that is, for one dataset, model and baseline.
"""

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ...errors import ArgumentError, check_known
from ...metrics.protocols import known_protocols, resolve_protocol
from ...results.evaluation import Evaluation
from ...results.report import Report
from ...studies import registered
from .. import formats, tables
from .notes import paragraphs, shared_facts, title, verdicts

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

Reported: TypeAlias = Report | Evaluation
FORMS = (*tables.FORMS, *formats.names("report"))
PICTURES = ("curves", "operators", "agreement")
PICTURE_SUFFIXES = tuple(formats.suffixes("chart"))

# For each layout: the functions that make the tables for readers and for CSV. `layouts` adds the layouts of studies.
LAYOUTS = {
    "summary": (".reports.full:summary_tables", ".reports.long:long_lines"),
    "full": (".reports.full:full_tables", ".reports.long:long_lines"),
    "long": (".reports.long:long_tables", ".reports.long:long_lines"),
}
WITH_VERDICT = ("summary", "full")  # layouts that open with the verdict on each cell


def layouts() -> dict[str, tuple[str, str]]:
    """All layouts, including those that studies add."""
    return {**LAYOUTS, **registered("layouts")}


def render(reported: Reported, form: str, layout: str | None = None) -> str:
    """Write the tables in one of `FORMS`; JSON contains all numbers of a report, whatever the layout."""
    check_known("form", [form], FORMS)
    if isinstance(reported, Evaluation) and form == "csv":
        return _evaluation_csv(reported)
    if form in formats.names("report"):
        return str(formats.FORMATS[form].write("report", _report(reported)))
    return tables.render(_document(reported, layout, form), form)


def printable(reported: Reported, layout: str | None = None) -> "RenderableType":
    """The tables as a rich renderable that adapts to the width."""
    return tables.printable(_document(reported, layout))


def fragment(reported: Reported, layout: str | None = None) -> str:
    """HTML for a notebook, including the charts."""
    from ..tables.html import fragment

    return fragment(_document(reported, layout, "html"))


def show(reported: Reported, layout: str | None = None) -> None:
    """Show the tables as HTML in a notebook, or print them to the terminal elsewhere."""
    formats.show(lambda: fragment(reported, layout), lambda: printable(reported, layout))


def plot(report: Report, picture: str) -> "Figure":
    """All charts of that kind on one matplotlib figure."""
    from .charts import on_a_sheet

    return on_a_sheet(report, picture)


def file_contents(report: Report, path: Path, *, layout: str | None, picture: str | None) -> str | bytes:
    """The contents of a file with that name."""
    suffix = path.suffix.lower()
    if suffix in PICTURE_SUFFIXES:
        if picture is None:
            raise ArgumentError(
                f"a file ending in {suffix} holds one kind of picture: set picture to one of {', '.join(PICTURES)}"
            )
        if layout is not None:
            raise ArgumentError(f"layout={layout!r} does not apply to a picture; remove it")
        drawing = formats.format_of(path, "chart").write("chart", plot(report, picture), f"{report.plan}: {picture}")
        return drawing if isinstance(drawing, bytes) else str(drawing)
    if picture is not None:
        raise ArgumentError(f"a picture file must end in {', '.join(PICTURE_SUFFIXES)}, not {suffix!r}")
    return render(report, formats.format_of(path, "table", "report", "chart").name, layout)


def _report(reported: Reported) -> Report:
    return Report.of(reported) if isinstance(reported, Evaluation) else reported


def _document(reported: Reported, layout: str | None, form: str | None = None) -> tables.TableDocument:
    """The tables of a layout, plus charts if the format supports them."""
    report, layout = _report(reported), layout or ("full" if isinstance(reported, Evaluation) else "paper")
    known = layouts()
    check_known("layout", [layout], known)
    to_read, for_programs = known[layout]
    made = tuple(formats.load(for_programs if form == "csv" else to_read)(report))
    notes = list(verdicts(report)) if layout in WITH_VERDICT else []
    notes += filter(None, [_protocol_note(report)])
    pictures: tuple[tables.Picture, ...] = ()
    if form == "html" and report.plan:
        from .charts import pictures_of

        pictures = tuple(pictures_of(report))
    return tables.TableDocument(title(report), shared_facts(report), made, (*notes, *paragraphs(report)), pictures)


def _protocol_note(report: Report) -> str:
    if report.protocol not in known_protocols():
        return ""
    functions = dict.fromkeys(cell.evaluation.function for cell in report.cells if cell.evaluation)
    return resolve_protocol(report.protocol).note(list(functions))


def _evaluation_csv(evaluation: Evaluation) -> str:
    """One line per number, for a spreadsheet or a script."""
    from .long import lines_table

    lines = [
        {name: "" if value is None else str(value) for name, value in figure.items()} for figure in evaluation.figures()
    ]
    return tables.render(tables.TableDocument("", {}, (lines_table("figures", lines),)), "csv")
