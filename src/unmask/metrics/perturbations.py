"""How metrics delete units: by removing them, or by replacing them with a token."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import check_known
from ..questions import Instance, Perturbation

OWN = "baseline"  # the baseline of the attribution


@dataclass(frozen=True, slots=True)
class Operator:
    """A way to delete units.

    Args:
        sentence: What happens to the units, for captions.
        token: The baseline that replaces the units; None to remove them, which shortens the text.
    """

    name: str
    sentence: str
    token: str | None = None


OPERATORS = {
    operator.name: operator
    for operator in (
        Operator("remove", "Units are removed"),
        Operator("mask", "Units are replaced by the mask token", "mask"),
        Operator("pad", "Units are replaced by the pad token", "pad"),
        Operator("unk", "Units are replaced by the unk token", "unk"),
    )
}


def check_operator(name: str) -> Operator:
    """Return the operator of that name."""
    check_known("operator", [name], OPERATORS)
    return OPERATORS[name]


def without(instance: Instance, units: Iterable[int], operator: str) -> Perturbation:
    """The text without these units."""
    tokens = tuple(sorted(token for unit in units for token in instance.units[unit]))
    token = OWN if operator == OWN else check_operator(operator).token
    return Perturbation(dropped=tokens) if token is None else Perturbation(tokens, to=token)


def only(instance: Instance, units: Iterable[int], operator: str) -> Perturbation:
    """The text with only these units, plus tokens that belong to no unit, such as special tokens."""
    kept = frozenset(units)
    return without(instance, (unit for unit in range(len(instance.units)) if unit not in kept), operator)


def is_empty(instance: Instance, perturbation: Perturbation) -> bool:
    """Whether no token is left to read; for a language model, no token before the answer."""
    count = instance.length if instance.prompt is None else instance.prompt
    return sum(token < count for token in perturbation.dropped) == count


def share_left(share: float, operator: str) -> float:
    """The share of a text's tokens that the model still reads when a share of its units is deleted."""
    return 1 - share if operator in OPERATORS and OPERATORS[operator].token is None else 1.0
