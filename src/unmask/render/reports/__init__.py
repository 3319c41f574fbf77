"""Reports over many evaluations in every form: tables, and in HTML or in files of their own pictures."""

from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import ArgumentError, unknown
from ...results.report import Report
from .. import formats, tables
from .document import LAYOUTS, document
from .pictures import KINDS, SUFFIXES, on_a_sheet
from .record import as_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

__all__ = ["FORMS", "LAYOUTS", "PICTURES", "as_json", "drawn", "fragment", "plotted", "printable", "saved", "show"]

FORMS = (*tables.FORMS, *formats.names("report"))
PICTURES = tuple(KINDS)
FILES = {suffix: name for suffix, name in formats.suffixes("table", "report").items() if name != "terminal"}


def drawn(report: Report, form: str, layout: str = "paper") -> str:
    """The report in that form, which is one of `FORMS`; JSON has all figures, whatever the layout."""
    if form not in FORMS:
        raise unknown("form", form, FORMS)
    if form == "json":
        return as_json(report)
    return tables.drawn(document(report, layout, form=form), form)


def printable(report: Report, layout: str = "paper") -> "RenderableType":
    """The report as something that rich can print, at whatever width."""
    return tables.printable(document(report, layout))


def fragment(report: Report, layout: str = "paper") -> str:
    """A piece of HTML for a notebook, with the pictures."""
    from ..tables.html import fragment

    return fragment(document(report, layout, form="html"))


def show(report: Report, layout: str = "paper") -> None:
    """Draw it where it is asked for: in a notebook as it shows itself, else in the terminal."""
    formats.show(lambda: fragment(report, layout), lambda: printable(report, layout))


def plotted(report: Report, picture: str) -> "Figure":
    """All pictures of that kind as one figure of matplotlib."""
    return on_a_sheet(report, picture)


def saved(report: Report, path: Path, *, layout: str | None, picture: str | None) -> str | bytes:
    """What a file of that name holds."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        if picture is None:
            raise ArgumentError(f"a {suffix} file holds one kind of picture: say which of {', '.join(PICTURES)}")
        if layout is not None:
            raise ArgumentError(f"layout={layout!r} beside a picture: layouts are of tables; leave it away")
        found: str | bytes = formats.format_of(path, "chart").write(
            "chart", on_a_sheet(report, picture), f"{report.plan}: {picture}"
        )
        return found
    if picture is not None:
        raise ArgumentError(f"a picture goes into a file that ends in {', '.join(SUFFIXES)}, not in {suffix!r}")
    if suffix not in FILES:
        known = ", ".join([*FILES, *SUFFIXES])
        raise ArgumentError(f"no form is known for a file that ends in {suffix!r}; use {known}")
    return drawn(report, FILES[suffix], layout or "paper")
