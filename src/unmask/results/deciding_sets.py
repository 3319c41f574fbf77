"""Deciding sets: the fewest units found whose masking changes the answer, and the fewest that keep it alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .metadata import Passes

Question = Literal["label", "value"]


@dataclass(frozen=True, slots=True)
class SetStep:
    """The model's answer after one more unit of the set: masked (necessary) or shown (sufficient).

    `value` is the target's, on the explanation's scale; `probability` that of the label predicted for the whole text.
    """

    unit: int
    label: str | None
    value: float
    probability: float | None


@dataclass(frozen=True, slots=True)
class DecidingSet:
    """Units that decide the answer, strongest first, with the model's answer after each of them.

    `question` is what they decide: the predicted label, or nine tenths of the change in value. `is_minimal`: no single
    unit can be left out. `is_smallest`: no smaller set exists; None if that was not checked. `stopped` is `budget` if
    the search ended early.
    """

    units: tuple[int, ...]
    question: Question
    steps: tuple[SetStep, ...]
    label: str | None
    label_probability: float | None
    is_minimal: bool
    is_smallest: bool | None = None
    stopped: str | None = None


@dataclass(frozen=True, slots=True)
class DecidingSets:
    """The necessary and the sufficient set of a text, None where none was found, and the passes of the search."""

    necessary: DecidingSet | None
    sufficient: DecidingSet | None
    passes: Passes


def read_sets(record: Mapping[str, Any] | None) -> DecidingSets | None:
    """Deciding sets from their JSON values."""
    if record is None:
        return None
    return DecidingSets(_read_set(record["necessary"]), _read_set(record["sufficient"]), Passes(**record["passes"]))


def _read_set(record: Mapping[str, Any] | None) -> DecidingSet | None:
    if record is None:
        return None
    steps = tuple(SetStep(**step) for step in record["steps"])
    return DecidingSet(**{**record, "units": tuple(record["units"]), "steps": steps})
