"""Reports over many evaluations in every form: tables, and in HTML pictures below them."""

from typing import TYPE_CHECKING

from ...errors import unknown
from ...report import Report
from .. import tables
from .document import LAYOUTS, document
from .record import as_json

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["FORMS", "LAYOUTS", "as_json", "drawn", "printable"]

FORMS = (*tables.FORMS, "json")


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
