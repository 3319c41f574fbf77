"""Deciding sets: the smallest set found whose masking changes the answer, and the smallest that by itself keeps it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from ..tasks.targets import Target
from .metadata import Passes

NOT_ASKED = 'deciding sets were not requested; use sets="auto"'  # a `sets_note` that is not drawn
Question = Literal["label", "value"]
OTHER_TARGET = "a deciding set belongs to another target or scale; explain again for this one"


@dataclass(frozen=True, slots=True)
class SetStep:
    """The model's prediction after one more unit of the set is masked (necessary set) or shown (sufficient set).

    `value` is the target's value on the explanation's scale. `probability` is that of the label predicted for the whole
    text, or of the target's label in a multi-label model. `outputs` are the raw outputs.
    """

    unit: int
    label: str | None
    value: float
    probability: float | None
    outputs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class DecidingSet:
    """Units that decide the answer, strongest first, with the model's prediction after each one is added.

    `question` says what the units decide: the predicted label, or nine tenths of the change in value. `is_minimal` is
    True if no single unit can be left out. `is_smallest` is True if no smaller set exists, and None if this was not
    checked. `stopped` is `budget` if the search ended early.
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
    """The necessary and the sufficient set of a text (None if not found), and the passes that the search took.

    For a language model, `token` is the most probable token at the position that the sets refer to, given the whole
    prompt. If the answer was given, its token there may differ. None for classifiers.
    """

    necessary: DecidingSet | None
    sufficient: DecidingSet | None
    passes: Passes
    token: str | None = None

    def __len__(self) -> int:
        """How many of the two sets were found."""
        return sum(one is not None for one in (self.necessary, self.sufficient))

    @property
    def is_one_enough(self) -> bool:
        """Whether a single unit keeps the answer when all others are masked."""
        return self.sufficient is not None and len(self.sufficient.units) == 1


def sets_toward(sets: DecidingSets, old: Target, new: Target) -> DecidingSets | None:
    """The sets that also hold for another target or scale, with the values of their steps recomputed; None if none do.

    A set that decides the predicted label does not depend on the target, except in a multi-label model, where it
    decides the target's label. A set that decides the value is valid only for its target and scale.
    """
    is_label = new.index is not None and new.against is None
    is_same = old.head.activation == "softmax" or old.index == new.index
    if not (is_label and is_same and old.against is None):
        return None
    kept = DecidingSets(_set_toward(sets.necessary, new), _set_toward(sets.sufficient, new), sets.passes, sets.token)
    return kept or None


def _set_toward(one: DecidingSet | None, target: Target) -> DecidingSet | None:
    if one is None or one.question == "value" or not all(step.outputs for step in one.steps):
        return None
    steps = (replace(step, value=float(target(np.array(step.outputs)))) for step in one.steps)
    return replace(one, steps=tuple(steps))


def record_sets(sets: DecidingSets | None) -> dict[str, Any] | None:
    """Convert deciding sets to JSON values."""
    if sets is None:
        return None
    both = {"necessary": _record_set(sets.necessary), "sufficient": _record_set(sets.sufficient)}
    return {**both, "passes": asdict(sets.passes), **({} if sets.token is None else {"token": sets.token})}


def _record_set(one: DecidingSet | None) -> dict[str, Any] | None:
    if one is None:
        return None
    steps = [{**asdict(step), "outputs": list(step.outputs)} for step in one.steps]
    return {**asdict(one), "units": list(one.units), "steps": steps}


def read_sets(record: Mapping[str, Any] | None) -> DecidingSets | None:
    """Restore deciding sets from their JSON values."""
    if record is None:
        return None
    necessary, sufficient = (_read_set(record[kind]) for kind in ("necessary", "sufficient"))
    return DecidingSets(necessary, sufficient, Passes(**record["passes"]), record.get("token"))


def _read_set(record: Mapping[str, Any] | None) -> DecidingSet | None:
    if record is None:
        return None
    steps = tuple(SetStep(**{**step, "outputs": tuple(step.get("outputs", ()))}) for step in record["steps"])
    return DecidingSet(**{**record, "units": tuple(record["units"]), "steps": steps})
