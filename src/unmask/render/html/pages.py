"""Writes an explanation or a comparison as a document or a notebook fragment, with switches that need no script."""

from collections.abc import Iterable
from dataclasses import replace

from ...results.answers import is_answer
from ...results.comparison import Comparison
from ...results.explanation import Explanation
from ...tasks.task import task_facts
from ..captions import SCALED, TAU
from ..comparison_view import view
from ..theme import DEFAULT, Theme
from ..view import view_explanation
from . import answers
from .document import VIEWS, document, sheet
from .module import page_script
from .parts import render, resource, says


def page(subject: Explanation | Comparison, theme: Theme = DEFAULT) -> str:
    """A self-contained document."""
    if isinstance(subject, Explanation) and is_answer(subject):
        return answers.page(subject, theme)
    content = _content(subject, theme.style, level=1)
    if isinstance(subject, Comparison):
        content = f'<main class="um-wide">\n{content}</main>'
        title = f"{says(view_explanation(subject.explanations[0]))} · compared by {subject.over} · unmask"
    else:
        content, title = f"<main>\n{content}</main>", f"{says(view_explanation(subject))} · unmask"
    shown = subject.explanations if isinstance(subject, Comparison) else (subject,)
    style, script = heads_style(shown), page_script(*scripts(shown))
    return document(content, title=title, colors=theme.palette, style=style, script=script)


def fragment(subject: Explanation | Comparison, theme: Theme = DEFAULT) -> str:
    """A fragment for a notebook; its style does not affect the rest of the notebook."""
    if isinstance(subject, Explanation) and is_answer(subject):
        return answers.fragment(subject, theme)
    content = _content(subject, theme.style, level=3)
    shown = subject.explanations if isinstance(subject, Comparison) else (subject,)
    rules = "\n".join(filter(None, [sheet(theme.palette), heads_style(shown)]))
    return f'<div class="um">\n<style>{rules}</style>\n{content}</div>\n'


def scripts(explanations: Iterable[Explanation]) -> list[str]:
    """The view modules that the drawings of these explanations need."""
    is_selectable = any(task_facts(one.task).display.is_selectable for one in explanations)
    return ["static_text", *(["static_heads"] if is_selectable else [])]


def heads_style(explanations: Iterable[Explanation]) -> str:
    """The CSS rules for texts side by side and for words that can be selected."""
    shown = [task_facts(one.task).display for one in explanations]
    return resource("heads.css").rstrip() if any(one.is_selectable or one.is_beside for one in shown) else ""


def _content(subject: Explanation | Comparison, style: str, *, level: int) -> str:
    views = map(view, compared_outputs(subject) if isinstance(subject, Comparison) else outputs(subject))
    ranks = f"{TAU} {SCALED}" if style == "shades" else TAU
    return render("page.html", views=list(views), ranks=ranks, style=style, level=level)


def outputs(explanation: Explanation, *, most: int = VIEWS) -> list[Explanation]:
    """The explanation for its target, then for the other outputs, most probable first."""
    return [explanation, *map(explanation.toward, others(explanation)[: most - 1])]


def compared_outputs(comparison: Comparison) -> list[Comparison]:
    """The comparison, then one comparison per other output if every row has scores for all outputs."""
    rows = comparison.explanations
    if comparison.over == "target" or len({(row.target, row.outputs) for row in rows}) > 1:
        return [comparison]
    labels = min(map(others, rows), key=len)[: VIEWS - 1]
    return [comparison, *(replace(comparison, explanations=tuple(row.toward(at) for row in rows)) for at in labels)]


def others(explanation: Explanation) -> list[str | tuple[int, int]]:
    """The other outputs that the explanation has scores for, most probable first; for tags, all entities."""
    spans = task_facts(explanation.task).spans
    if spans == "entities" and explanation.without is not None:
        found = explanation.prediction.spans
        return [(span.start, span.end) for span in found] if len(found) > 1 else []
    if explanation.without is None or len(explanation.outputs) == 1 or is_answer(explanation) or spans:
        return []
    probable = sorted(explanation.prediction.probabilities.items(), key=lambda pair: -pair[1])
    return [label for label, _ in probable if label != explanation.target]
