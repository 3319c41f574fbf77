"""Tables of figures: a neutral form, and a writer for each output. Knows nothing of what the figures are."""

from typing import TYPE_CHECKING

from ...errors import unknown
from .table import Column, Document, Picture, Table, TableCell

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["FORMS", "Column", "Document", "Picture", "Table", "TableCell", "printable", "render"]

FORMS = ("csv", "html", "latex", "markdown")


def render(document: Document, form: str) -> str:
    """The tables in that form, which is one of `FORMS`."""
    from . import csv, html, latex, markdown

    writers = {"csv": csv.render, "html": html.render, "latex": latex.render, "markdown": markdown.render}
    if form not in writers:
        raise unknown("form", form, writers)
    return writers[form](document)


def printable(document: Document) -> "RenderableType":
    """The tables as something that rich can print, at whatever width."""
    from .terminal import Printable

    return Printable(document)
