"""The captions of a drawing: what a score means, what colors mean, and the settings behind the numbers."""

import re
from collections.abc import Sequence

from ..results.explanation import Explanation
from ..tasks.targets import Contrast
from .colored_spans import markable

ERRORS = ("residuals", "standard errors", "sum")  # facts that report errors
SEPARATOR = " · "
UP, DOWN = "▲", "▼"  # the sign without color
TAU = "Kendall's tau compares each row's ranking with the first row's: +1 = same order, 0 = unrelated, -1 = reversed."
RANKS = f"{TAU} Colors are scaled per row."


def method_sentence(explanation: Explanation) -> str:
    """What a score means, from the method's summary."""
    method, unit, quantity = explanation.method, explanation.unit, explanation.quantity
    if not method.summary:
        return f"Score = the {unit}'s attribution to the {quantity} by {method.name}."
    values = {
        "quantity": quantity,
        "scale": "the same" if isinstance(explanation.target, Contrast) else explanation.scale.replace("_", "-"),
        "unit": unit,
        "baseline": explanation.baseline_token or "a zero vector",
        "text": {1: "text", 2: "pair"}.get(len(explanation.segments), "texts"),
    }
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), method.summary)


def number(score: float) -> str:
    """A signed score with three decimals; tiny ones in scientific notation.

    >>> [number(2.5), number(-0.25), number(-0.0), number(-0.00001)]
    ['+2.500', '-0.250', '0.000', '-1.0e-05']
    """
    if score == 0:
        return "0.000"
    return f"{score:+.3f}" if abs(score) >= 0.0005 else f"{score:+.1e}"


def gold(explanation: Explanation) -> str:
    """The gold label, and whether the prediction is correct; empty without a gold label."""
    if explanation.gold is None:
        return ""
    match explanation.is_correct:
        case None:
            return f"Gold label: {explanation.gold}."
        case is_correct:
            return f"Gold label: {explanation.gold}; the prediction is {'correct' if is_correct else 'wrong'}."


def note(warning: str, *, on: str = "") -> str:
    """A warning as a sentence; `on` names the rows that it applies to.

    >>> [note("the text was cut"), note("Is it so?", on="sig")]
    ['Note: the text was cut.', 'Note on sig: Is it so?']
    """
    end = "" if warning.rstrip().endswith((".", "!", "?", "…")) else "."
    return f"Note{' on ' * bool(on)}{on}: {warning}{end}"


def line(facts: dict[str, str]) -> str:
    """All facts on one line."""
    return SEPARATOR.join(f"{name} {value}" for name, value in facts.items())


def keys(explanation: Explanation, *, full: float) -> dict[str, tuple[str, ...]]:
    """What colors and marks mean, by style; `full` is the score that gets the darkest color."""
    unit, target = explanation.unit, explanation.target
    signed, unsigned = f"{UP} supports {target}, {DOWN} opposes it.", f"{UP} matters to {target}; scores have no sign."
    colors = (signed if explanation.method.is_signed else unsigned, f"Darkest color = {full:.3g}.")
    nothing = (f"Every {unit} scores 0, so nothing is colored.",)
    marks = f"Bold and underlined: the {unit} with the largest score. Bold: the top fifth."
    is_punctuation_left_out = len(markable(explanation)) < sum(score > 0 for score in explanation.scores)
    unmarked = f"No {unit} supports {target}, so nothing is marked."
    if is_punctuation_left_out:
        marks += " Punctuation is not marked."
        unmarked = f"Only punctuation supports {target}, so nothing is marked."
    return {
        "shades": colors if any(explanation.scores) else nothing,
        "paper": (marks if markable(explanation) else unmarked,),
    }


def facts(explanation: Explanation) -> dict[str, str]:
    """The settings that the numbers depend on, and known errors."""
    method, passes = explanation.method, explanation.passes
    settings = "".join(f" {name}={value}" for name, value in method.settings.items() if value is not None)
    named = {
        "model": f"{explanation.model.name} {explanation.model.hash.removeprefix('sha256:')[:12]}",
        "target": str(explanation.target),
        "scale": explanation.scale,
        "unit": explanation.unit,
        "baseline": " ".join(filter(None, [explanation.baseline, explanation.baseline_token])),
        **({} if method.uses_baseline else {"scores": "do not use the baseline"}),
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
    """The texts that all rows have, in the order of the first row.

    >>> shared([["a", "b"], ["b", "c"]])
    ['b']
    """
    first = rows[0] if rows else ()
    return [text for text in dict.fromkeys(first) if all(text in row for row in rows)]


def own(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Each row without the texts that all rows have.

    >>> own([["a", "b"], ["b", "c"]])
    [['a'], ['c']]
    """
    common = shared(rows)
    return [[text for text in row if text not in common] for row in rows]


def by_row(names: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Every text with the names of its rows; texts that all rows have come first, without names.

    >>> by_row(["one", "two", "three"], [["a", "b"], ["b"], ["a", "b"]])
    {'b': '', 'a': 'one, three'}
    """
    pairs = list(zip(names, own(rows), strict=True))
    some = {text: ", ".join(name for name, row in pairs if text in row) for _, row in pairs for text in row}
    return dict.fromkeys(shared(rows), "") | some
