"""Several pictures of one text in one document, below each other, so that the same words stand at the same place."""

from ...results.comparison import Comparison
from ..captions import RANKS, TAU
from ..styles import checked
from ..view import Row, Rows, picture, rows
from . import parts
from .document import document
from .escape import escaped
from .style import sheet
from .switches import between_numbers, between_outputs, compared_outputs, switched, switches, view


def comparison(compared: Comparison, *, colors: str = "default", style: str = "shades") -> str:
    """The compared explanations of a text as one self-contained document."""
    content = f'<main class="um-wide">\n{_compared(compared, checked(style), level=1)}\n</main>'
    title = f"{parts.says(picture(compared.explanations[0]))} · compared by {compared.over} · unmask"
    return document(content, title=title, colors=colors)


def fragment(compared: Comparison, *, colors: str = "default", style: str = "shades") -> str:
    """The same as a piece of HTML for a notebook: its style touches nothing else."""
    content = _compared(compared, checked(style), level=3)
    return f'<div class="um">\n<style>{sheet(colors)}</style>\n{content}\n</div>\n'


def _compared(compared: Comparison, style: str, *, level: int) -> str:
    views = [rows(one) for one in compared_outputs(compared)]
    first, warned = views[0].rows[0].picture, (one for row in views[0].rows for one in row.picture.warnings)
    inside = parts.joined(
        parts.headline(first, level=level),
        parts.shares(first, left=len(compared.explanations[0].outputs) - len(first.shares)),
        parts.warnings(dict.fromkeys(warned)),
        switches(between_outputs([one.rows[0].picture.facts["target"] for one in views]), between_numbers()),
        *(view(at, _view(one, style, level=level + 1)) for at, one in enumerate(views)),
        f'<p class="um-meaning">{escaped(RANKS if style == "shades" else TAU)}</p>',
    )
    return switched(inside, views=len(views))


def _view(found: Rows, style: str, *, level: int) -> str:
    """All rows; what every one of them says of its scores stands once, below them."""
    sentences = [parts.sentence(row.picture) for row in found.rows]
    shared = sentences[0] if len(set(sentences)) == 1 else ""
    return parts.joined(
        f"<h{level}>{escaped(_title(found))}</h{level}>",
        parts.ramp() if style == "shades" else "",
        *(
            _row(row, style, "" if shared else says, level=level + 1)
            for row, says in zip(found.rows, sentences, strict=True)
        ),
        shared,
    )


def _title(found: Rows) -> str:
    if found.over == "target":
        return "Compared by target"
    return f"{found.rows[0].picture.heading}, compared by {found.over}"


def _row(row: Row, style: str, sentence: str, *, level: int) -> str:
    drawn = row.picture
    inside = parts.joined(
        parts.texts(drawn, style=style),
        sentence,
        parts.meaning(drawn, style=style, key="always"),
        "<details><summary>Scores and settings</summary>",
        parts.largest(drawn, style=style),
        parts.facts(drawn.facts),
        "</details>",
    )
    return (
        f'<section class="um-row">\n<div class="um-about">\n<h{level} dir="auto">{escaped(row.name)}</h{level}>\n'
        f"{_cost(row)}\n</div>\n<div>\n{inside}\n</div>\n</section>"
    )


def _cost(row: Row) -> str:
    return parts.facts(dict(zip(("passes", "time", "ranks"), row.costs, strict=True)))
