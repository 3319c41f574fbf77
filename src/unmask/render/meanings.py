"""What a score is, method by method, in one sentence."""

from collections.abc import Callable

from ..results.explanation import Explanation

WORDS: dict[str, Callable[[str, str, str], str]] = {  # of what is explained, the unit, and what replaces it
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


def meaning(explanation: Explanation, quantity: str) -> str:
    """What a score is; `quantity` is what is explained."""
    name, unit = explanation.method.name, explanation.unit
    token = explanation.baseline_token or "a zero vector"
    if name in WORDS:
        return WORDS[name](quantity, unit, token)
    if name != "sig":
        return f"A score is what {name} gives a {unit} for the {quantity}."
    what = "text" if explanation.text_pair is None else "pair"
    return f"A score is the {quantity} for the {what}, minus the same with that {unit} replaced by {token}."
