"""Tables of numbers, independent of the format, and one writer per format. Knows nothing about the numbers' meaning."""

from typing import TYPE_CHECKING

from ...errors import check_known
from .. import formats
from .table import Column, Picture, Table, TableCell, TableDocument

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["FORMS", "Column", "Picture", "Table", "TableCell", "TableDocument", "printable", "render"]

FORMS = tuple(name for name in formats.names("table") if name != "terminal")


def render(document: TableDocument, form: str) -> str:
    """Write the tables in one of `FORMS`."""
    check_known("form", [form], FORMS)
    return str(formats.FORMATS[form].write("table", document))


def printable(document: TableDocument) -> "RenderableType":
    """The tables as a rich renderable that adapts to the width."""
    return formats.FORMATS["terminal"].write("table", document)  # type: ignore[no-any-return]
