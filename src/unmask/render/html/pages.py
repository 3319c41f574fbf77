"""An explanation or a comparison as a document or as a notebook's fragment, with switches that need no script."""

from dataclasses import replace

from ...results.comparison import Comparison
from ...results.drawable import Drawable
from ...results.explanation import Explanation
from ..captions import RANKS, TAU
from ..theme import DEFAULT, Theme
from ..view import ComparisonView, ExplanationView, Row, view_comparison, view_explanation
from . import parts
from .document import document, sheet
from .parts import VIEWS, escaped


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


def outputs(explanation: Explanation, *, most: int = VIEWS) -> list[Explanation]:
    """The explanation, then the same seen for the other outputs, the most probable first."""
    return [explanation, *map(explanation.toward, others(explanation)[: most - 1])]


def compared_outputs(comparison: Comparison) -> list[Comparison]:
    """The comparison, then the same seen for the other outputs, where every row can be and targets are not compared."""
    rows = comparison.explanations
    if comparison.over == "target" or len({(row.target, row.outputs) for row in rows}) > 1:
        return [comparison]
    labels = min(map(others, rows), key=len)[: VIEWS - 1]
    return [comparison, *(replace(comparison, explanations=tuple(row.toward(at) for row in rows)) for at in labels)]


def others(explanation: Explanation) -> list[str]:
    """The outputs that it can be seen for beside its target, the most probable first."""
    if explanation.without is None or len(explanation.outputs) == 1:
        return []
    probable = sorted(explanation.prediction.probabilities.items(), key=lambda pair: -pair[1])
    return [label for label, _ in probable if label != explanation.target]


def _explanation(explanation: Explanation, style: str, *, level: int) -> str:
    views = [view_explanation(output) for output in outputs(explanation)]
    inside = parts.joined(
        parts.headline(views[0], level=level),
        parts.shares(views[0], outputs=len(explanation.outputs)),
        parts.warnings(views[0].warnings),
        parts.switches([view.facts["target"] for view in views]),
        parts.views(_output(view, style, level=level + 1) for view in views),
    )
    return parts.switched(inside, views=len(views))


def _output(view: ExplanationView, style: str, *, level: int) -> str:
    return parts.joined(
        f"<h{level}>{escaped(view.heading)}</h{level}>",
        parts.texts(view, style=style),
        parts.key(view, style=style),
        parts.sentence(view),
        parts.largest(view, style=style),
        parts.meaning(view, style=style),
        parts.facts(view.facts),
    )


def _comparison(compared: Comparison, style: str, *, level: int) -> str:
    views = [view_comparison(output) for output in compared_outputs(compared)]
    first, warnings = views[0].rows[0].view, (warning for row in views[0].rows for warning in row.view.warnings)
    inside = parts.joined(
        parts.headline(first, level=level),
        parts.shares(first, outputs=len(compared.explanations[0].outputs)),
        parts.warnings(dict.fromkeys(warnings)),
        parts.switches([view.rows[0].view.facts["target"] for view in views]),
        parts.views(_rows(view, style, level=level + 1) for view in views),
        f'<p class="um-meaning">{escaped(RANKS if style == "shades" else TAU)}</p>',
    )
    return parts.switched(inside, views=len(views))


def _rows(view: ComparisonView, style: str, *, level: int) -> str:
    """All rows; what every one of them says of its scores stands once, below them."""
    sentences = [parts.sentence(row.view) for row in view.rows]
    shared = sentences[0] if len(set(sentences)) == 1 else ""
    by = f"ompared by {view.over}"
    title = f"C{by}" if view.over == "target" else f"{view.rows[0].view.heading}, c{by}"
    return parts.joined(
        f"<h{level}>{escaped(title)}</h{level}>",
        parts.ramp() if style == "shades" else "",
        *(_row(row, style, is_shared=bool(shared), level=level + 1) for row in view.rows),
        shared,
    )


def _row(row: Row, style: str, *, is_shared: bool, level: int) -> str:
    inside = parts.joined(
        parts.texts(row.view, style=style),
        "" if is_shared else parts.sentence(row.view),
        parts.meaning(row.view, style=style, has_key=True),
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
