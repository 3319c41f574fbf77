"""Tables of numbers in LaTeX with booktabs. Faint cells look like others, because color would need another package."""

from collections.abc import Iterable, Iterator

from ..captions import line
from ..markup import LATEX
from .table import Span, Table, TableCell, TableDocument, one_line

NEEDS = r"% needs \usepackage{booktabs}; non-ASCII characters are written unchanged"
LETTERS = {"left": "l", "right": "r"}


def render(document: TableDocument) -> str:
    """The document in LaTeX, one float per table, without pictures."""
    blocks = [NEEDS, LATEX.heading.format(_plain(document.title)), *map(_plain, document.paragraphs)]
    blocks += ["\n".join(_table(table)) for table in document.tables]
    blocks += [_small(line(dict(document.facts)))] if document.facts else []
    return "\n\n".join(blocks) + "\n"


def _table(table: Table) -> Iterator[str]:
    yield from (r"\begin{table}[htbp]", r"\centering", rf"\caption{{{_plain(table.title)}}}")
    yield rf"\begin{{tabular}}{{@{{}}{''.join(LETTERS[column.align] for column in table.columns)}@{{}}}}"
    yield r"\toprule"
    if table.is_grouped:
        yield _row(map(_spanning, table.spans))
        grouped = (places for group, places in table.spans if group is not None)
        yield " ".join(rf"\cmidrule(lr){{{places[0] + 1}-{places[-1] + 1}}}" for places in grouped)
    yield from (_row(_plain(column.title) for column in table.columns), r"\midrule")
    for at, row in enumerate(table.rows):
        if at and at in table.rules:  # the header already has a rule
            yield r"\midrule"
        yield _row(map(_cell, row))
    yield from (r"\bottomrule", r"\end{tabular}")
    # Every float repeats its notes, because LaTeX may move it to another page.
    remarks = [*(f"{title}: {hint}" for title, hint in table.legend.items()), *table.notes]
    yield from (r"\par\smallskip\raggedright", *map(_small, remarks)) if remarks else ()
    yield r"\end{table}"


def _spanning(span: Span) -> str:
    group, places = span
    if group is None:
        return " & ".join([""] * len(places))
    return rf"\multicolumn{{{len(places)}}}{{c}}{{{_plain(group)}}}"


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    # After the end of a row or a rule, LaTeX would read a bracket or an asterisk as an argument.
    return rf"{'{}' * row.startswith(('[', '*'))}{row} \\"


def _cell(cell: TableCell) -> str:
    text = LATEX.marked(one_line(cell.text), "top" if cell.is_best else None)
    return rf"{text} {{\scriptsize {_plain(cell.detail)}}}" if cell.detail else text


def _small(text: str) -> str:
    return LATEX.small.format(_plain(text))


def _plain(text: str) -> str:
    return LATEX.plain(one_line(text))
