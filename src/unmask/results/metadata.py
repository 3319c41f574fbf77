"""The parts of an explanation: small frozen values without behaviour."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """One of the texts that were explained together: the only one, one of a pair, a question, a context."""

    text: str
    name: str = "text"
    unread: int = 0  # characters that were cut off


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of an original text, `text[start:end]`; `segment` is the text's index."""

    text: str
    start: int
    end: int
    segment: int = 0


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """A token as the model reads it: its place in the text, none where the tokenizer added it, and its unit."""

    text: str
    start: int
    end: int
    segment: int = 0
    unit: int | None = None  # an index; None for what never moves


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the model says of the whole text.

    `label` is the most probable one; `labels` are all that hold: that one, or of a multi-label head every label above
    one half. A regression has a value and no label.
    """

    label: str | None
    probabilities: Mapping[str, float] = field(default_factory=dict)
    value: float | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """A method's name and its settings, and what its scores are.

    They may depend on the baseline (`together` always does), have a sign or only a size, and promise to add up to
    `together`. The summary says what a score means, with {quantity}, {unit}, {baseline} and {text} to be filled in.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    uses_baseline: bool = True
    is_signed: bool = True
    adds_up: bool = False
    summary: str = ""
    operator: str | None = None  # how units are removed where no baseline is used


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model's name, never a path, and a hash of its weights, configuration and tokenizer."""

    name: str
    hash: str


@dataclass(frozen=True, slots=True)
class Passes:
    """Distinct rows sent through the model for one text."""

    forward: int
    backward: int = 0
