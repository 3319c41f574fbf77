"""Several pictures of one text in one document, below each other, so that the same words stand at the same place."""

from ..picture import Row, Rows
from ..styles import checked
from ..wording import RANKS
from . import parts
from .document import document
from .escape import escaped
from .style import sheet


def comparison(rows: Rows, *, title: str = "unmask", colors: str = "default", style: str = "shades") -> str:
    """The compared explanations of a text as one self-contained document."""
    first, warned = rows.rows[0].picture, dict.fromkeys(one for row in rows.rows for one in row.picture.warnings)
    inner = [
        parts.headline(first, level=1),
        parts.shares(first),
        parts.warnings(warned),
        f'<h2 class="um-over">Compared by {escaped(rows.over)}</h2>',
        parts.key(style=checked(style)),
        *(_row(row, style) for row in rows.rows),
        f'<p class="um-meaning">{RANKS}</p>',
    ]
    body = "\n".join(filter(None, inner))
    return document(f'<main class="um-wide">\n{body}\n</main>', title=title, colors=colors)


def fragment(rows: Rows, *, colors: str = "default", style: str = "shades") -> str:
    """The compared explanations as a piece of HTML for a notebook: its style touches nothing else."""
    first, warned = rows.rows[0].picture, dict.fromkeys(one for row in rows.rows for one in row.picture.warnings)
    about = [
        parts.headline(first, level=3),
        parts.shares(first),
        parts.warnings(warned),
        parts.key(style=checked(style)),
    ]
    body = "\n".join(filter(None, [*about, *(_row(row, style) for row in rows.rows)]))
    return f'<div class="um">\n<style>{sheet(colors)}</style>\n{body}\n<p class="um-meaning">{RANKS}</p>\n</div>\n'


def _row(row: Row, style: str) -> str:
    return (
        f'<section class="um-row">\n<div class="um-about">\n<h3 dir="auto">{escaped(row.name)}</h3>\n{_cost(row)}\n'
        f"</div>\n<div>\n{parts.texts(row.picture, style=style)}\n{_more(row, style)}\n</div>\n</section>"
    )


def _cost(row: Row) -> str:
    return parts.facts(dict(zip(("passes", "time", "ranks"), row.costs, strict=True)))


def _more(row: Row, style: str) -> str:
    drawn = row.picture
    inner = [parts.sentence(drawn), parts.largest(drawn, style=style), parts.legend(drawn, style=style)]
    body = "\n".join(filter(None, inner))
    return f"<details><summary>Scores and settings</summary>\n{body}\n</details>"
