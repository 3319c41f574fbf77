"""Tables of figures: a neutral form, and a writer for each output. Knows nothing of what the figures are."""

from typing import TYPE_CHECKING

from ...errors import unknown
from .. import formats
from .table import Column, Document, Picture, Table, TableCell

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["FORMS", "Column", "Document", "Picture", "Table", "TableCell", "printable", "render"]

FORMS = tuple(name for name in formats.names("table") if name != "terminal")


def render(document: Document, form: str) -> str:
    """The tables in that form, which is one of `FORMS`."""
    if form not in FORMS:
        raise unknown("form", form, FORMS)
    return str(formats.FORMATS[form].write("table", document))


def printable(document: Document) -> "RenderableType":
    """The tables as something that rich can print, at whatever width."""
    from .terminal import Printable

    return Printable(document)
