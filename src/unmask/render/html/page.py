"""One explanation as a document or as a notebook's fragment, with switches that need no script."""

from ...results.explanation import Explanation
from ..styles import checked
from ..view import ExplanationView, picture
from . import parts
from .document import document
from .escape import escaped
from .style import sheet
from .switches import between_numbers, between_outputs, outputs, switched, switches, view


def page(explanation: Explanation, *, colors: str = "default", style: str = "shades") -> str:
    """The explanation as one self-contained document.

    Args:
        colors: The palette: `default` is for all kinds of color vision.
        style: `shades`, or `paper` for print without colors.
    """
    content = f"<main>\n{_explained(explanation, style=checked(style), level=1)}\n</main>"
    return document(content, title=f"{parts.says(picture(explanation))} · unmask", colors=colors)


def fragment(explanation: Explanation, *, colors: str = "default", style: str = "shades") -> str:
    """The explanation as a piece of HTML for a notebook: its style touches nothing else."""
    content = _explained(explanation, style=checked(style), level=3)
    return f'<div class="um">\n<style>{sheet(colors)}</style>\n{content}\n</div>\n'


def _explained(explanation: Explanation, *, style: str, level: int) -> str:
    views = [picture(one) for one in outputs(explanation)]
    shared = views[0]
    inside = parts.joined(
        parts.headline(shared, level=level),
        parts.shares(shared, left=len(explanation.outputs) - len(shared.shares)),
        parts.warnings(shared.warnings),
        switches(between_outputs([one.facts["target"] for one in views]), between_numbers()),
        *(view(at, _view(one, style=style, level=level + 1)) for at, one in enumerate(views)),
    )
    return switched(inside, views=len(views))


def _view(drawn: ExplanationView, *, style: str, level: int) -> str:
    return parts.joined(
        f"<h{level}>{escaped(drawn.heading)}</h{level}>",
        parts.texts(drawn, style=style),
        parts.key(drawn, style=style),
        parts.sentence(drawn),
        parts.largest(drawn, style=style),
        parts.meaning(drawn, style=style),
        parts.facts(drawn.facts),
    )
