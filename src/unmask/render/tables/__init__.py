"""Tables of figures: a neutral form, and a writer for each output. Knows nothing of what the figures are."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...errors import unknown
from .table import Cell, Column, Document, Picture, Table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["FORMS", "Cell", "Column", "Document", "Picture", "Table", "drawn", "printable"]

FORMS = ("csv", "html", "latex", "markdown")


def drawn(document: Document, form: str) -> str:
    """The tables in that form, which is one of `FORMS`."""
    from . import csv, html, latex, markdown

    writers: dict[str, Callable[[Document], str]] = {
        "csv": csv.written,
        "html": html.page,
        "latex": latex.written,
        "markdown": markdown.written,
    }
    if form not in writers:
        raise unknown("form", form, writers)
    return writers[form](document)


def printable(document: Document) -> "RenderableType":
    """The tables as something that rich can print, at whatever width."""
    from .terminal import Printed

    return Printed(document)
