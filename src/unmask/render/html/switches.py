"""Switches that need no script: which output is seen, and whether numbers are raw or normalized."""

from collections.abc import Sequence
from dataclasses import replace

from ...results.comparison import Comparison
from ...results.explanation import Explanation
from .escape import escaped
from .style import VIEWS

NUMBERS = (("raw", "um-to-raw"), ("normalized", "um-to-normalized"))


def outputs(explanation: Explanation, *, most: int = VIEWS) -> list[Explanation]:
    """The explanation, then the same seen for the other outputs, the most probable first."""
    return [explanation, *map(explanation.toward, others(explanation)[: most - 1])]


def compared_outputs(comparison: Comparison) -> list[Comparison]:
    """The comparison, then the same seen for the other outputs, where every row can be and targets are not compared."""
    found = comparison.explanations
    if comparison.over == "target" or len({(one.target, one.outputs) for one in found}) > 1:
        return [comparison]
    labels = min(map(others, found), key=len)[: VIEWS - 1]
    return [comparison, *(replace(comparison, explanations=tuple(one.toward(at) for one in found)) for at in labels)]


def others(explanation: Explanation) -> list[str]:
    """The outputs that it can be seen for beside its target, the most probable first."""
    if explanation.without is None or len(explanation.outputs) == 1:
        return []
    probable = sorted(explanation.prediction.probabilities.items(), key=lambda one: -one[1])
    return [label for label, _ in probable if label != explanation.target]


def switches(*found: str) -> str:
    """A place for those that are there."""
    return f'<div class="um-switches">\n{"".join(found)}</div>' if any(found) else ""


def between_outputs(targets: Sequence[str]) -> str:
    """A switch between the views of these targets, where there are several."""
    return _switch("Seen for", "output", [(target, f"um-o{at}") for at, target in enumerate(targets)])


def between_numbers() -> str:
    """A switch between raw and normalized numbers."""
    return _switch("Numbers", "numbers", NUMBERS)


def _switch(title: str, name: str, choices: Sequence[tuple[str, str]]) -> str:
    if len(choices) == 1:
        return ""
    pills = "".join(
        f'<label><input type="radio" name="{name}" class="{mark}"{"" if at else " checked"}>'
        f'<span dir="auto">{escaped(label)}</span></label>'
        for at, (label, mark) in enumerate(choices)
    )
    return f'<fieldset class="um-switch"><legend>{title}</legend>{pills}</fieldset>\n'


def view(at: int, inside: str) -> str:
    """What is seen only for that output."""
    return f'<section class="um-view um-v{at}">\n{inside}\n</section>'


def switched(inside: str, *, views: int) -> str:
    """What is switched together, in a form that sends nothing: only so do equal switches in one document stay apart."""
    several = " um-switched" if views > 1 else ""
    return f'<form class="um-one{several}" method="dialog" autocomplete="off">\n{inside}\n</form>'
