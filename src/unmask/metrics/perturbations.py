"""How units are taken from a text when an explanation is judged: they are removed, or replaced by a token."""

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from ..errors import unknown
from ..questions import Instance, Perturbation

Operator: TypeAlias = Literal["remove", "mask", "pad", "unk"]
OPERATORS: tuple[str, ...] = get_args(Operator)
OWN = "baseline"  # the attribution's own


def check_operator(name: str) -> None:
    """Refuse a name that is no operator's."""
    if name not in OPERATORS:
        raise unknown("operator", name, OPERATORS)


def without(instance: Instance, units: Iterable[int], operator: str) -> Perturbation:
    """The text without these units; all else is there."""
    tokens = tuple(sorted(token for unit in units for token in instance.units[unit]))
    return Perturbation(dropped=tokens) if operator == "remove" else Perturbation(tokens, to=operator)


def only(instance: Instance, units: Iterable[int], operator: str) -> Perturbation:
    """The text with these units and what is in no unit, such as special tokens; nothing else is there."""
    kept = frozenset(units)
    return without(instance, (unit for unit in range(len(instance.units)) if unit not in kept), operator)


def is_empty(instance: Instance, perturbation: Perturbation) -> bool:
    """Whether nothing is left that a model could read."""
    return len(perturbation.dropped) == instance.length
