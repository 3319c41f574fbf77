"""Tables of numbers in GitHub's Markdown, which has no spanning headers, rules or faint text."""

from collections.abc import Iterator

from ..captions import line
from ..escape import shown
from ..markup import MARKDOWN
from .table import Table, TableCell, TableDocument, one_line

RULES = {"left": ":---", "right": "---:"}


def render(document: TableDocument) -> str:
    """The document in Markdown, without pictures."""
    blocks = [f"# {_plain(document.title)}", *map(_plain, document.paragraphs)]
    for table, legend in zip(document.tables, document.legends, strict=True):
        blocks += _table(table, legend)
    if document.facts:
        blocks.append(MARKDOWN.small.format(_plain(line(dict(document.facts)))))
    return "\n\n".join(blocks) + "\n"


def _table(table: Table, legend: dict[str, str]) -> Iterator[str]:
    yield f"## {_plain(table.title)}"
    head = [[_plain(column.name) for column in table.columns], [RULES[column.align] for column in table.columns]]
    yield "\n".join(f"| {' | '.join(row)} |" for row in (*head, *(map(_cell, row) for row in table.rows)))
    if legend:
        yield "\n".join(f"- {_plain(title)}: {_plain(hint)}" for title, hint in legend.items())
    yield from map(_plain, table.notes)


def _cell(cell: TableCell) -> str:
    text = _lines(cell.text)
    # Asterisks work for any text that neither begins nor ends with a space.
    marked = f"**{text}**" if cell.is_best and text else text
    return f"{marked} {_lines(cell.detail)}" if cell.detail else marked


def _lines(text: str) -> str:
    """The text of a cell, with line breaks as markup."""
    return MARKDOWN.cell_line.join(_plain(part) for part in shown(text).strip().split("\n"))


def _plain(text: str) -> str:
    return MARKDOWN.plain(one_line(text))
