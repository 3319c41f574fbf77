"""Tables of figures as comma-separated values (RFC 4180), for programs and spreadsheets: the figures alone."""

import csv
import io
from collections.abc import Iterator

from ..escape import shown
from .table import Document, Table, TableCell

FORMULA = tuple("=+-@＝＋－＠")  # some spreadsheets read the wide ones too


def render(document: Document) -> str:
    """The tables below each other; where there are several, each below its title and an empty line between."""
    text = io.StringIO()
    writer = csv.writer(text)  # as RFC 4180 has it
    for at, table in enumerate(document.tables):
        if len(document.tables) > 1:
            writer.writerows([[]] * bool(at))
            writer.writerow([safe(table.title)])
        writer.writerows(_rows(table))
    return text.getvalue()


def _rows(table: Table) -> Iterator[list[str]]:
    detailed = [any(row[at].detail for row in table.rows) for at in range(len(table.columns))]
    header = [TableCell(column.name, f"{column.name}: detail") for column in table.columns]
    for row in (header, *table.rows):
        yield [safe(text) for cell, more in zip(row, detailed, strict=True) for text in _texts(cell)[: 1 + more]]


def _texts(cell: TableCell) -> tuple[str, str]:
    return cell.text, cell.detail or ""


def safe(text: str) -> str:
    """The text as it is, unless a spreadsheet would run it as a formula.

    >>> safe("-0.25"), safe("+4%"), safe("=1+1"), safe("-x")
    ('-0.25', '+4%', "'=1+1", "'-x")
    """
    found = shown(text)
    return f"'{found}" if found.lstrip().startswith(FORMULA) and not _is_number(found) else found


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "").removesuffix("%"))
    except ValueError:
        return False
    return True
