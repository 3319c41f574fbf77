"""What a score means, in one sentence."""

import re

from ..methods.registry import own_method
from ..results.explanation import Explanation


def meaning(explanation: Explanation, quantity: str) -> str:
    """The method's own sentence, about `quantity`, which is explained."""
    method, unit = explanation.method, explanation.unit
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
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), summary)
