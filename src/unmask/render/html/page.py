"""An explanation or a comparison as a document or as a notebook's fragment, with switches that need no script."""

from ...results.comparison import Comparison
from ...results.drawable import Drawable
from ...results.explanation import Explanation
from ..captions import RANKS, TAU
from ..theme import DEFAULT, Theme
from ..view import ComparisonView, ExplanationView, Row, view_comparison, view_explanation
from . import parts
from .document import document
from .escape import escaped
from .style import sheet
from .switches import between_numbers, between_outputs, compared_outputs, outputs, switched, switches, view


def page(explanation: Explanation, theme: Theme = DEFAULT) -> str:
    """The explanation as one self-contained document."""
    content = f"<main>\n{_explanation(explanation, theme.style, level=1)}\n</main>"
    return document(content, title=f"{parts.says(view_explanation(explanation))} · unmask", colors=theme.palette)


def comparison(compared: Comparison, theme: Theme = DEFAULT) -> str:
    """The comparison as one self-contained document; the same words stand at the same place in every row."""
    content = f'<main class="um-wide">\n{_comparison(compared, theme.style, level=1)}\n</main>'
    first = parts.says(view_explanation(compared.explanations[0]))
    return document(content, title=f"{first} · compared by {compared.over} · unmask", colors=theme.palette)


def fragment(subject: Drawable, theme: Theme = DEFAULT) -> str:
    """Either as a piece of HTML for a notebook: its style touches nothing else."""
    if isinstance(subject, Comparison):
        content = _comparison(subject, theme.style, level=3)
    else:
        assert isinstance(subject, Explanation)
        content = _explanation(subject, theme.style, level=3)
    return f'<div class="um">\n<style>{sheet(theme.palette)}</style>\n{content}\n</div>\n'


def _explanation(explanation: Explanation, style: str, *, level: int) -> str:
    views = [view_explanation(one) for one in outputs(explanation)]
    shared = views[0]
    inside = parts.joined(
        parts.headline(shared, level=level),
        parts.shares(shared, left=len(explanation.outputs) - len(shared.shares)),
        parts.warnings(shared.warnings),
        switches(between_outputs([one.facts["target"] for one in views]), between_numbers()),
        *(view(at, _output(one, style, level=level + 1)) for at, one in enumerate(views)),
    )
    return switched(inside, views=len(views))


def _output(seen: ExplanationView, style: str, *, level: int) -> str:
    return parts.joined(
        f"<h{level}>{escaped(seen.heading)}</h{level}>",
        parts.texts(seen, style=style),
        parts.key(seen, style=style),
        parts.sentence(seen),
        parts.largest(seen, style=style),
        parts.meaning(seen, style=style),
        parts.facts(seen.facts),
    )


def _comparison(compared: Comparison, style: str, *, level: int) -> str:
    views = [view_comparison(one) for one in compared_outputs(compared)]
    first, warned = views[0].rows[0].view, (one for row in views[0].rows for one in row.view.warnings)
    inside = parts.joined(
        parts.headline(first, level=level),
        parts.shares(first, left=len(compared.explanations[0].outputs) - len(first.shares)),
        parts.warnings(dict.fromkeys(warned)),
        switches(between_outputs([one.rows[0].view.facts["target"] for one in views]), between_numbers()),
        *(view(at, _rows(one, style, level=level + 1)) for at, one in enumerate(views)),
        f'<p class="um-meaning">{escaped(RANKS if style == "shades" else TAU)}</p>',
    )
    return switched(inside, views=len(views))


def _rows(seen: ComparisonView, style: str, *, level: int) -> str:
    """All rows; what every one of them says of its scores stands once, below them."""
    sentences = [parts.sentence(row.view) for row in seen.rows]
    shared = sentences[0] if len(set(sentences)) == 1 else ""
    by = f"ompared by {seen.over}"
    title = f"C{by}" if seen.over == "target" else f"{seen.rows[0].view.heading}, c{by}"
    return parts.joined(
        f"<h{level}>{escaped(title)}</h{level}>",
        parts.ramp() if style == "shades" else "",
        *(
            _row(row, style, "" if shared else sentence, level=level + 1)
            for row, sentence in zip(seen.rows, sentences, strict=True)
        ),
        shared,
    )


def _row(row: Row, style: str, sentence: str, *, level: int) -> str:
    inside = parts.joined(
        parts.texts(row.view, style=style),
        sentence,
        parts.meaning(row.view, style=style, key="always"),
        "<details><summary>Scores and settings</summary>",
        parts.largest(row.view, style=style),
        parts.facts(row.view.facts),
        "</details>",
    )
    costs = parts.facts(dict(zip(("passes", "time", "ranks"), row.costs, strict=True)))
    return (
        f'<section class="um-row">\n<div class="um-about">\n<h{level} dir="auto">{escaped(row.name)}</h{level}>\n'
        f"{costs}\n</div>\n<div>\n{inside}\n</div>\n</section>"
    )
