"""What stands beside a drawing: what is explained, what a number means, and all that it depends on."""

import re
from collections.abc import Sequence

from ..methods.registry import own_method
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


def heading(explanation: Explanation) -> str:
    """What a drawing shows."""
    return f"What {'speaks for' if explanation.method.is_signed else 'matters to'} {explanation.target}"


def explained_quantity(explanation: Explanation) -> str:
    """What is explained, in words."""
    target, scale = explanation.target, SCALES[explanation.scale]
    if isinstance(target, Contrast):
        return scale.contrast.format(label=target.label, against=target.against)
    return scale.quantity.format(label="whatever is largest" if target == "max" else target)


def method_sentence(explanation: Explanation) -> str:
    """What a score means: the method's own sentence."""
    method, unit, quantity = explanation.method, explanation.unit, explained_quantity(explanation)
    known = own_method(method.name)
    summary = method.summary or (known.summary if known else "")  # files of earlier versions have none
    values = {
        "quantity": quantity,
        "unit": unit,
        "baseline": explanation.baseline_token or "a zero vector",
        "text": "text" if explanation.text_pair is None else "pair",
    }
    if not summary:
        return f"A score is what {method.name} gives a {unit} for the {quantity}."
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), summary)


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
