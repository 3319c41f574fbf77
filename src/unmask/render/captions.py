"""What stands beside a drawing: what is explained, what a number means, and all that it depends on."""

import re
from collections.abc import Callable, Sequence

from ..results.explanation import Explanation
from ..tasks.targets import Contrast

QUANTITIES = {
    "log_odds": "log-odds (log p/(1-p))",
    "log_probability": "log-probability",
    "probability": "probability",
    "logit": "logit",
    "value": "value",
}
SENTENCES: dict[str, Callable[[str, str, str], str]] = {  # of what is explained, the unit, and what replaces it
    "sig_path": lambda what, unit, token: (
        f"A score is how much the {what} grows, by its gradient, while that {unit} alone goes from {token} to itself."
    ),
    "ig": lambda what, unit, token: (
        f"A score is a {unit}'s share of how much the {what} grows, by its gradient, while all {unit}s go together "
        f"from {token} to themselves."
    ),
    "gradient_shap": lambda what, unit, token: (
        f"A score is a {unit}'s share of how much the {what} grows, by its gradient at random points, while all "
        f"{unit}s go together from {token} to themselves."
    ),
    "dig": lambda what, unit, token: (
        f"A score is a {unit}'s share of how much the {what} grows, by its gradient, while all {unit}s go together "
        f"over other words from {token} to themselves."
    ),
    "sdig": lambda what, unit, token: (
        f"A score is how much the {what} grows, by its gradient, while that {unit} alone goes over other words from "
        f"{token} to itself."
    ),
    "grad_x_input": lambda what, unit, _: (
        f"A score is the gradient of the {what} at the text, times the vectors of that {unit}."
    ),
    "saliency": lambda what, unit, _: (
        f"A score is the length of the gradient of the {what} at that {unit}: how much could change, not in which "
        "direction."
    ),
    "deeplift": lambda what, unit, token: (
        f"A score is the gradient of the {what} at the text, times the way from {token} to that {unit}; where DeepLift "
        "has a rule, an activation's slope is that between the two."
    ),
    "leave_one_in": lambda what, unit, token: (
        f"A score is the {what} with that {unit} alone, all others replaced by {token}, minus the same with all "
        "replaced."
    ),
    "leave_one_out": lambda what, unit, _: (
        f"A score is the {what} for the text, minus the same with that {unit} taken out."
    ),
    "shapley": lambda what, unit, token: (
        f"A score is what a {unit} adds to the {what} when the {unit}s take the place of {token} one after the other, "
        "on average over orders."
    ),
    "random": lambda what, unit, token: "A score is a random number: a control that means nothing.",
}
ERRORS = ("residuals", "standard errors", "sum")  # facts that say how wrong numbers are
ENDS = (".", "!", "?", "…")
UP, DOWN = "▲", "▼"  # the sign without color
TAU = (
    "Kendall's tau says how far a row ranks the units as the first row does: +1 is the same order, 0 unrelated, "
    "-1 the reverse."
)
RANKS = f"{TAU} Each row has its own full color."


def heading(explanation: Explanation) -> str:
    """What a drawing shows."""
    return f"What {'speaks for' if explanation.method.is_signed else 'matters to'} {explanation.target}"


def quantity(scale: str) -> str:
    """What a scale measures, in words."""
    return QUANTITIES.get(scale, scale)


def explained_quantity(explanation: Explanation) -> str:
    """What is explained, in words."""
    target, name = explanation.target, quantity(explanation.scale)
    if explanation.scale == "value":
        return "model's value"
    if not isinstance(target, Contrast):
        return f"{name} of {'whatever is largest' if target == 'max' else target}"
    if explanation.scale in ("log_odds", "log_probability"):
        return f"log p({target.label})/p({target.against})"
    return f"{name} of {target.label} minus that of {target.against}"


def method_sentence(explanation: Explanation) -> str:
    """What a score is, in one sentence."""
    name, unit, what = explanation.method.name, explanation.unit, explained_quantity(explanation)
    token = explanation.baseline_token or "a zero vector"
    if name in SENTENCES:
        return SENTENCES[name](what, unit, token)
    if name != "sig":
        return f"A score is what {name} gives a {unit} for the {what}."
    text = "text" if explanation.text_pair is None else "pair"
    return f"A score is the {what} for the {text}, minus the same with that {unit} replaced by {token}."


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
        "target": str(explanation.target),
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


def shared(sayings: Sequence[Sequence[str]]) -> list[str]:
    """What all of them say, in the order of the first.

    >>> shared([["a", "b"], ["b", "c"]])
    ['b']
    """
    first = sayings[0] if sayings else ()
    return [one for one in dict.fromkeys(first) if all(one in said for said in sayings)]


def own(sayings: Sequence[Sequence[str]]) -> list[list[str]]:
    """What each says that not all say.

    >>> own([["a", "b"], ["b", "c"]])
    [['a'], ['c']]
    """
    common = shared(sayings)
    return [[one for one in said if one not in common] for said in sayings]


def named(names: Sequence[str], sayings: Sequence[Sequence[str]]) -> dict[str, str]:
    """What not all say, each with the names of those that say it.

    >>> named(["one", "two", "three"], [["a", "b"], ["b"], ["a", "b"]])
    {'a': 'one, three'}
    """
    found: dict[str, list[str]] = {}
    for name, said in zip(names, own(sayings), strict=True):
        for one in dict.fromkeys(said):
            found.setdefault(one, []).append(name)
    return {one: ", ".join(who) for one, who in found.items()}
