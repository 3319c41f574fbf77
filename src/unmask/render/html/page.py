"""One explanation as a document or as a notebook's fragment, with switches that need no script."""

from ...explanation import Explanation
from ..picture import Picture, picture
from ..styles import checked
from . import parts
from .document import document
from .escape import escaped
from .style import VIEWS, sheet


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


def outputs(explanation: Explanation) -> list[Explanation]:
    """The explanation, then the same seen for the other outputs, the most probable first."""
    if explanation.scores_by_output is None or len(explanation.outputs) == 1:
        return [explanation]
    probable = sorted(explanation.prediction.probabilities.items(), key=lambda one: -one[1])
    others = [label for label, _ in probable if label != explanation.target]
    return [explanation, *map(explanation.toward, others[: VIEWS - 1])]


def _explained(explanation: Explanation, *, style: str, level: int) -> str:
    """All of it, in a form that sends nothing: only so do equal switches in one notebook stay apart."""
    views = [picture(one) for one in outputs(explanation)]
    shared, switched = views[0], " um-switched" if len(views) > 1 else ""
    inner = "\n".join(
        filter(
            None,
            [
                parts.headline(shared, level=level),
                parts.shares(shared, left=len(explanation.outputs) - len(shared.shares)),
                parts.warnings(shared.warnings),
                _switches(views),
                *(_view(one, at, style=style, level=level + 1) for at, one in enumerate(views)),
            ],
        )
    )
    return f'<form class="um-one{switched}" method="dialog" autocomplete="off">\n{inner}\n</form>'


def _switches(views: list[Picture]) -> str:
    by_output = [(drawn.facts["target"], f"um-o{at}") for at, drawn in enumerate(views)]
    chosen = [_switch("Seen for", "output", by_output)] if len(views) > 1 else []
    numbers = _switch("Numbers", "numbers", [("raw", "um-to-raw"), ("normalized", "um-to-normalized")])
    return f'<div class="um-switches">\n{"".join(chosen)}{numbers}</div>'


def _switch(title: str, name: str, choices: list[tuple[str, str]]) -> str:
    pills = "".join(
        f'<label><input type="radio" name="{name}" class="{mark}"{"" if at else " checked"}>'
        f'<span dir="auto">{escaped(label)}</span></label>'
        for at, (label, mark) in enumerate(choices)
    )
    return f'<fieldset class="um-switch"><legend>{title}</legend>{pills}</fieldset>\n'


def _view(drawn: Picture, at: int, *, style: str, level: int) -> str:
    heading = f"<h{level}>What speaks for {escaped(drawn.facts['target'])}</h{level}>"
    inner = [
        heading,
        parts.texts(drawn, style=style),
        parts.key(style=style),
        parts.sentence(drawn),
        parts.largest(drawn, style=style),
        parts.legend(drawn, style=style),
    ]
    body = "\n".join(filter(None, inner))
    return f'<section class="um-view um-v{at}">\n{body}\n</section>'
