"""What stands beside a drawing: what is explained, what a number means, and all that it depends on."""

import re

from ..results.explanation import Explanation
from ..tasks.targets import SCALES, Contrast

ERRORS = ("residuals", "standard errors", "sum")  # facts that say how wrong numbers are
ENDS = (".", "!", "?", "…")
UP, DOWN = "▲", "▼"  # the sign without color
TAU = (
    "Kendall's tau says how far a row ranks the units as the first row does: +1 is the same order, 0 unrelated, "
    "-1 the reverse."
)
RANKS = f"{TAU} Each row has its own full color."


def target_name(explanation: Explanation) -> str:
    """The target in a few words."""
    return str(explanation.target)


def heading(explanation: Explanation) -> str:
    """What a drawing shows."""
    return f"What {'speaks for' if explanation.method.is_signed else 'matters to'} {target_name(explanation)}"


def quantity(explanation: Explanation) -> str:
    """What is explained, in words."""
    target, scale = explanation.target, SCALES[explanation.scale]
    if isinstance(target, Contrast):
        return scale.contrast.format(label=target.label, against=target.against)
    return scale.quantity.format(label="whatever is largest" if target == "max" else target)


def number(score: float) -> str:
    """A score with its sign; one that three places would hide by its power of ten.

    >>> [number(2.5), number(-0.25), number(-0.0), number(-0.00001)]
    ['+2.500', '-0.250', '0.000', '-1.0e-05']
    """
    if score == 0:
        return "0.000"
    return f"{score:+.3f}" if abs(score) >= 0.0005 else f"{score:+.1e}"


def agreement(tau: float | None) -> str:
    """How far a row ranks the units as the first one does."""
    return "ranks not comparable" if tau is None else f"Kendall's tau {tau:+.2f}"


def note(warning: str, *, on: str = "") -> str:
    """A warning as a sentence; `on` names what it holds for.

    >>> [note("the text was cut"), note("Is it so?", on="sig")]
    ['Note: the text was cut.', 'Note on sig: Is it so?']
    """
    end = "" if warning.rstrip()[-1:] in ENDS else "."
    return f"Note{' on ' * bool(on)}{on}: {warning}{end}"


def sentences(text: str) -> list[str]:
    """The sentences of a text of ours."""
    return re.split(r"(?<=\.) ", text)


def line(facts: dict[str, str]) -> str:
    """Facts in one line."""
    return " · ".join(f"{name} {value}" for name, value in facts.items())


def shades_key(explanation: Explanation, *, full: float) -> str:
    """What the colors mean; `full` is the score that is drawn at full strength."""
    if not any(explanation.scores):
        return f"Every {explanation.unit} has the score 0, so that nothing is colored."
    if not explanation.method.is_signed:
        return f"{UP} matters to it; this method gives no sign. Full color is {full:.3g}."
    return f"{UP} speaks for it, {DOWN} against it. Full color is {full:.3g}."


def paper_key(explanation: Explanation) -> str:
    """What bold and underlined mean."""
    if max(explanation.scores) <= 0:
        return f"No {explanation.unit} speaks for it, so that none is marked."
    return f"Bold and underlined: the {explanation.unit} with the largest score. Bold: the fifth with the largest."


def facts(explanation: Explanation) -> dict[str, str]:
    """What the numbers depend on, by name."""
    method, passes = explanation.method, explanation.passes
    settings = "".join(f" {name}={value}" for name, value in method.settings.items() if value is not None)
    return {
        "model": f"{explanation.model.name} {explanation.model.hash.removeprefix('sha256:')[:12]}",
        "target": target_name(explanation),
        "scale": explanation.scale,
        "unit": explanation.unit,
        "baseline": " ".join(filter(None, [explanation.baseline, explanation.baseline_token])),
        **({} if method.uses_baseline else {"scores": "know no baseline"}),
        "method": f"{method.name}{settings}",
        "passes": f"{passes.forward} forward" + (f", {passes.backward} backward" if passes.backward else ""),
        **_errors(explanation),
    }


def _errors(explanation: Explanation) -> dict[str, str]:
    """What is known of how wrong the numbers are."""
    found = {}
    if explanation.residuals is not None:
        found["residuals"] = f"up to {max(map(abs, explanation.residuals)):.2g}"
    if explanation.standard_errors is not None:
        found["standard errors"] = f"up to {max(explanation.standard_errors):.2g}"
    if explanation.method.adds_up:
        found["sum"] = f"{sum(explanation.scores):+.4g} of {explanation.together:+.4g}"
    return found
