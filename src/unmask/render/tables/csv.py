"""Tables of numbers as CSV (RFC 4180) for spreadsheets and scripts, without notes."""

import csv
import io

from ..escape import shown
from .table import TableCell, TableDocument

FORMULA = tuple("=+-@＝＋－＠")  # some spreadsheets also accept the full-width signs


def render(document: TableDocument) -> str:
    """Write one table after the other; if there are several, they have titles and an empty line between them."""
    text = io.StringIO()
    writer = csv.writer(text)  # its defaults follow RFC 4180
    for at, table in enumerate(document.tables):
        if len(document.tables) > 1:
            writer.writerows([[]] * bool(at))
            writer.writerow([safe(table.title)])
        detailed = [any(row[place].detail for row in table.rows) for place in range(len(table.columns))]
        header = tuple(TableCell(column.name, f"{column.name}: detail") for column in table.columns)
        for row in (header, *table.rows):
            cells = ((cell.text, cell.detail or "")[: 1 + more] for cell, more in zip(row, detailed, strict=True))
            writer.writerow([safe(part) for parts in cells for part in parts])
    return text.getvalue()


def safe(text: str) -> str:
    """The text, quoted if a spreadsheet would run it as a formula.

    >>> safe("-0.25"), safe("+4%"), safe("=1+1"), safe("-x")
    ('-0.25', '+4%', "'=1+1", "'-x")
    """
    text = shown(text)
    try:
        float(text.replace(",", "").removesuffix("%"))
    except ValueError:
        return f"'{text}" if text.lstrip().startswith(FORMULA) else text
    return text
