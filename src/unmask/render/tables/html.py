"""Tables of figures as one page that loads nothing from the network; a wide table scrolls by itself."""

from collections.abc import Iterator

from ..html.document import document as whole
from ..html.document import resource, sheet
from ..html.parts import escaped, facts, joined
from .table import Document, Picture, Table, TableCell


def render(document: Document) -> str:
    """The document as a page."""
    content = f'<main class="um-tables">\n{_content_of(document, level=1)}\n</main>'
    style = resource("tables.css", __package__)
    return whole(content, title=f"{document.title} · unmask", colors="default", style=style)


def fragment(document: Document) -> str:
    """The document as HTML for a notebook; its style affects nothing else."""
    style = f"{sheet('default')}\n{resource('tables.css', __package__)}"
    content = _content_of(document, level=3)
    return f'<div class="um">\n<style>{style}</style>\n<div class="um-tables">\n{content}\n</div>\n</div>\n'


def _content_of(document: Document, *, level: int) -> str:
    return joined(
        f'<h{level} class="um-headline">{escaped(document.title)}</h{level}>',
        *(f'<p class="um-sentence">{escaped(paragraph)}</p>' for paragraph in document.paragraphs),
        *map(_section, document.tables, document.legends),
        *map(_figure, document.pictures),
        facts(document.facts) if document.facts else "",
    )


def _section(table: Table, legend: dict[str, str]) -> str:
    # Hints are repeated below the table: tooltips do not exist on paper or touch screens.
    hints = "".join(f"<div><dt>{escaped(title)}</dt><dd>{escaped(hint)}</dd></div>" for title, hint in legend.items())
    return joined(
        "<section>",
        f'<div class="um-sideways" role="region" aria-label="{escaped(table.title)}" tabindex="0">',
        _table(table),
        "</div>",
        f'<dl class="um-hints">{hints}</dl>' if legend else "",
        *(f'<p class="um-remark">{escaped(note)}</p>' for note in table.notes),
        "</section>",
    )


def _table(table: Table) -> str:
    groups = "".join(f'<colgroup span="{len(places)}"></colgroup>' for _, places in table.spans)
    return joined(
        '<table class="um-figures">',
        f"<caption><span>{escaped(table.title)}</span></caption>",
        groups,
        "<thead>",
        *_head(table),
        "</thead>\n<tbody>",
        *(_row(row, table, has_rule=at in table.rules) for at, row in enumerate(table.rows)),
        "</tbody>\n</table>",
    )


def _head(table: Table) -> Iterator[str]:
    """One line of headers; where columns have groups, two, and those without a group reach over both."""
    first, second = [], []
    for group, places in table.spans:
        reach = ' rowspan="2"' if table.is_grouped and group is None else ""
        headers = [_header(table, at, reach) for at in places]
        if group is None:
            first += headers
        else:
            first.append(f'<th scope="colgroup" colspan="{len(places)}">{escaped(group)}</th>')
            second += headers
    yield from (f"<tr>{''.join(headers)}</tr>" for headers in (first, second) if headers)


def _header(table: Table, at: int, reach: str) -> str:
    column = table.columns[at]
    # An arrow stays beside its title.
    title = escaped(column.title).replace(" ↑", "&nbsp;↑").replace(" ↓", "&nbsp;↓")
    hint = f' title="{escaped(column.hint)}"' if column.hint else ""
    return f'<th scope="col"{reach}{_kind(table, at)}{hint}>{_boxed(title, at)}</th>'


def _row(row: tuple[TableCell, ...], table: Table, *, has_rule: bool) -> str:
    name, *figures = (f"{_kind(table, at)}>{_boxed(_content(cell), at)}" for at, cell in enumerate(row))
    cells = [f'<th scope="row"{name}</th>', *(f"<td{figure}</td>" for figure in figures)]
    kind = ' class="um-rule"' if has_rule else ""
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _boxed(content: str, at: int) -> str:
    """The name of a row in a box of its own, as a cell has no maximum width."""
    return content if at else f"<div>{content}</div>"


def _kind(table: Table, at: int) -> str:
    """The class of a column's cells: the first column names the rows and stays in sight when you scroll."""
    names = ["um-name"] * (at == 0) + ["um-number"] * (table.columns[at].align == "right")
    return f' class="{" ".join(names)}"' if names else ""


def _content(cell: TableCell) -> str:
    text = escaped(cell.text)
    marked = f"<b>{text}</b>" if cell.is_best else text
    content = f"{marked} <small>{escaped(cell.detail)}</small>" if cell.detail else marked
    return f'<span class="um-faint">{content}</span>' if cell.is_faint else content


def _figure(picture: Picture) -> str:
    panels = "\n".join(svg.strip() for svg in (picture.svg, *picture.more))
    return joined(
        '<figure class="um-picture">',
        f"<figcaption>{escaped(picture.title)}</figcaption>",
        f'<div class="um-panels">\n{panels}\n</div>' if picture.more else panels,
        f'<p class="um-remark">{escaped(picture.note)}</p>' if picture.note else "",
        "</figure>",
    )
