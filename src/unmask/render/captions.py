"""What stands beside a drawing: what is explained, what a number means, and all that it depends on."""

import re
from collections.abc import Sequence

from ..results.explanation import Explanation

ERRORS = ("residuals", "standard errors", "sum")  # facts that say how wrong numbers are
SEPARATOR = " · "
UP, DOWN = "▲", "▼"  # the sign without color
TAU = (
    "Kendall's tau says how far a row ranks the units as the first row does: +1 is the same order, 0 unrelated, "
    "-1 the reverse."
)
RANKS = f"{TAU} Each row has its own full color."


def method_sentence(explanation: Explanation) -> str:
    """What a score means: the method's own sentence."""
    method, unit, quantity = explanation.method, explanation.unit, explanation.quantity
    if not method.summary:
        return f"A score is what {method.name} gives a {unit} for the {quantity}."
    values = {
        "quantity": quantity,
        "unit": unit,
        "baseline": explanation.baseline_token or "a zero vector",
        "text": {1: "text", 2: "pair"}.get(len(explanation.segments), "texts"),
    }
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), method.summary)


def number(score: float) -> str:
    """A score with its sign; one that three places would hide by its power of ten.

    >>> [number(2.5), number(-0.25), number(-0.0), number(-0.00001)]
    ['+2.500', '-0.250', '0.000', '-1.0e-05']
    """
    if score == 0:
        return "0.000"
    return f"{score:+.3f}" if abs(score) >= 0.0005 else f"{score:+.1e}"


def note(warning: str, *, on: str = "") -> str:
    """A warning as a sentence; `on` names what it holds for.

    >>> [note("the text was cut"), note("Is it so?", on="sig")]
    ['Note: the text was cut.', 'Note on sig: Is it so?']
    """
    end = "" if warning.rstrip().endswith((".", "!", "?", "…")) else "."
    return f"Note{' on ' * bool(on)}{on}: {warning}{end}"


def line(facts: dict[str, str]) -> str:
    """Facts in one line."""
    return SEPARATOR.join(f"{name} {value}" for name, value in facts.items())


def keys(explanation: Explanation, *, full: float) -> dict[str, tuple[str, ...]]:
    """What colors and marks mean, by style; `full` is the score that is drawn at full strength."""
    unit, signed = explanation.unit, f"{UP} speaks for it, {DOWN} against it."
    arrows = signed if explanation.method.is_signed else f"{UP} matters to it; this method gives no sign."
    colors = (arrows, f"Full color is {full:.3g}.")
    nothing = (f"Every {unit} has the score 0, so that nothing is colored.",)
    marks = f"Bold and underlined: the {unit} with the largest score. Bold: the fifth with the largest."
    unmarked = f"No {unit} speaks for it, so that none is marked."
    return {
        "shades": colors if any(explanation.scores) else nothing,
        "paper": (marks if max(explanation.scores) > 0 else unmarked,),
    }


def facts(explanation: Explanation) -> dict[str, str]:
    """What the numbers depend on, by name, and what is known of how wrong they are."""
    method, passes = explanation.method, explanation.passes
    settings = "".join(f" {name}={value}" for name, value in method.settings.items() if value is not None)
    named = {
        "model": f"{explanation.model.name} {explanation.model.hash.removeprefix('sha256:')[:12]}",
        "target": str(explanation.target),
        "scale": explanation.scale,
        "unit": explanation.unit,
        "baseline": " ".join(filter(None, [explanation.baseline, explanation.baseline_token])),
        **({} if method.uses_baseline else {"scores": "know no baseline"}),
        "method": f"{method.name}{settings}",
        "passes": f"{passes.forward} forward" + (f", {passes.backward} backward" if passes.backward else ""),
    }
    if explanation.residuals is not None:
        named["residuals"] = f"up to {max(map(abs, explanation.residuals)):.2g}"
    if explanation.standard_errors is not None:
        named["standard errors"] = f"up to {max(explanation.standard_errors):.2g}"
    if method.adds_up:
        named["sum"] = f"{sum(explanation.scores):+.4g} of {explanation.together:+.4g}"
    return named


def shared(rows: Sequence[Sequence[str]]) -> list[str]:
    """What stands in all rows, in the order of the first.

    >>> shared([["a", "b"], ["b", "c"]])
    ['b']
    """
    first = rows[0] if rows else ()
    return [text for text in dict.fromkeys(first) if all(text in row for row in rows)]


def own(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """What stands in each row but not in all.

    >>> own([["a", "b"], ["b", "c"]])
    [['a'], ['c']]
    """
    common = shared(rows)
    return [[text for text in row if text not in common] for row in rows]


def by_row(names: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Every text with the names of the rows in which it stands; first those of all rows, without names.

    >>> by_row(["one", "two", "three"], [["a", "b"], ["b"], ["a", "b"]])
    {'b': '', 'a': 'one, three'}
    """
    pairs = list(zip(names, own(rows), strict=True))
    some = {text: ", ".join(name for name, row in pairs if text in row) for _, row in pairs for text in row}
    return dict.fromkeys(shared(rows), "") | some
