"""Tables of figures in LaTeX with booktabs. Faint cells look like all others: color would need another package."""

from collections.abc import Iterable, Iterator

from ..captions import line
from ..escape import shown
from ..markup import LATEX
from .table import Document, Span, Table, TableCell, one_line

NEEDS = r"% needs \usepackage{booktabs}; what is not ASCII is written as it is"
LETTERS = {"left": "l", "right": "r"}


def render(document: Document) -> str:
    """The document in LaTeX, a float for each table; pictures are left out."""
    blocks = [NEEDS, LATEX.heading.format(_plain(document.title)), *map(_plain, document.paragraphs)]
    blocks += ["\n".join(_table(table)) for table in document.tables]
    if document.facts:
        blocks.append(_small(line(dict(document.facts))))
    return "\n\n".join(blocks) + "\n"


def _table(table: Table) -> Iterator[str]:
    yield from (r"\begin{table}[htbp]", r"\centering", rf"\caption{{{_plain(table.title)}}}")
    yield rf"\begin{{tabular}}{{@{{}}{''.join(LETTERS[column.align] for column in table.columns)}@{{}}}}"
    yield r"\toprule"
    yield from _groups(table)
    yield from (_row(_plain(column.title) for column in table.columns), r"\midrule")
    for at, row in enumerate(table.rows):
        if at and at in table.rules:  # one stands below the header anyway
            yield r"\midrule"
        yield _row(map(_cell, row))
    yield from (r"\bottomrule", r"\end{tabular}")
    yield from _below(table)
    yield r"\end{table}"


def _groups(table: Table) -> Iterator[str]:
    if not table.is_grouped:
        return
    yield _row(_spanning(span) for span in table.spans)
    grouped = (span.places for span in table.spans if span.group is not None)
    yield " ".join(rf"\cmidrule(lr){{{places.start + 1}-{places.stop}}}" for places in grouped)


def _spanning(span: Span) -> str:
    if span.group is None:
        return " & ".join([""] * len(span.places))
    return rf"\multicolumn{{{len(span.places)}}}{{c}}{{{_plain(span.group)}}}"


def _below(table: Table) -> Iterator[str]:
    """What is said of a table: all of it with each, as a float goes where it finds room."""
    said = [*(f"{title}: {hint}" for title, hint in table.legend.items()), *table.notes]
    if said:
        yield r"\par\smallskip\raggedright"
    yield from map(_small, said)


def _row(cells: Iterable[str]) -> str:
    found = " & ".join(cells)
    # Behind a row's end or a rule, a bracket or an asterisk would be an argument of it.
    return rf"{'{}' * found.startswith(('[', '*'))}{found} \\"


def _cell(cell: TableCell) -> str:
    text = LATEX.marked(one_line(shown(cell.text)), "top" if cell.is_best else None)
    return rf"{text} {{\scriptsize {_plain(cell.detail)}}}" if cell.detail else text


def _small(text: str) -> str:
    return LATEX.small.format(_plain(text))


def _plain(text: str) -> str:
    return LATEX.plain(one_line(shown(text)))
