"""The parts of an explanation: small frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PER_UNIT = ("without", "alone", "by_output", "standard_errors", "residuals", "redundancy", "ranking")
COUNTED = {  # fields of an explanation that have one value per unit, token or segment
    **dict.fromkeys(PER_UNIT, "units"),
    **dict.fromkeys(("token_scores", "features"), "tokens"),
    "without_segments": "segments",
}


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """One of the explained texts: the only one, or one of several, such as a question and its context."""

    text: str
    name: str = "text"
    unread: int = 0  # number of characters truncated
    role: str | None = None  # the speaker in a chat; `answer` for a language model's answer


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: `text[start:end]` of the segment with index `segment`."""

    text: str
    start: int
    end: int
    segment: int = 0
    unknown: bool = False  # whether it consists only of unknown tokens


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """A token with its position in the text (empty if the tokenizer added it) and its unit."""

    text: str
    start: int
    end: int
    segment: int = 0
    unit: int | None = None  # index of the unit; None if the token is never masked


@dataclass(frozen=True, slots=True)
class OutputToken:
    """A token of an answer, `continuation[start:end]`, and its probability; a special token has an empty span."""

    id: int
    text: str
    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class PredictedSpan:
    """An entity with its kind, or the answer to a question: `text[start:end]` of a segment."""

    text: str
    start: int
    end: int
    segment: int
    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """The prediction for the whole text.

    `label` is the most probable label. `labels` contains that label or, for a multi-label model, every label above 0.5.
    A regression has a value and no label. `spans` has the entities that a tagger found, or the answer to a question.
    """

    label: str | None
    probabilities: Mapping[str, float] = field(default_factory=dict)
    value: float | None = None
    labels: tuple[str, ...] = ()
    spans: tuple[PredictedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """A method's name, its settings, and the properties of its scores.

    `uses_baseline`: scores depend on the baseline (`together` always does). `adds_up`: scores sum to `together`.
    `summary` defines a score, with the placeholders {quantity}, {scale}, {unit}, {baseline} and {text}.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    uses_baseline: bool = True
    is_signed: bool = True
    adds_up: bool = False
    summary: str = ""
    operator: str | None = None  # how units are deleted, if the method uses no baseline


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model's name (never a path) and a hash of its weights, configuration and tokenizer."""

    name: str
    hash: str


@dataclass(frozen=True, slots=True)
class Passes:
    """Forward and backward passes for one text; each distinct model input counts once."""

    forward: int
    backward: int = 0

    def __sub__(self, other: "Passes") -> "Passes":
        return Passes(self.forward - other.forward, self.backward - other.backward)
