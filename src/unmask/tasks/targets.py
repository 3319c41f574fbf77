"""Targets, such as a label, a contrast or the largest output, and how to compute them from a model's outputs.

Works on both numpy arrays and torch tensors, so that you can change the target of a stored explanation without torch.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ..errors import ArgumentError, match_case, unknown
from .scales import SCALES, Activation, Array, Contrast, Scale, array_library

__all__ = [
    "ANSWER",
    "SCALES",
    "Activation",
    "Array",
    "Contrast",
    "Head",
    "OutputSpan",
    "Scale",
    "Target",
    "TargetName",
    "distinct_names",
    "resolve_target",
]

OutputSpan: TypeAlias = tuple[int, int, int]  # start and end in characters, and the segment

RESERVED = ("predicted", "max")
ANSWER = "answer"  # the target of a language model: all tokens of its answer
TOKEN_COLUMNS = 3  # for each token: its log-odds, and the id and log-probability of the most probable token there
DEFAULT_SCALES: dict[Activation, str] = {  # what `auto` means, where it is not the first scale that applies
    "token": "log_probability",
    "grouped": "log_probability",
}


# `predicted`, `max`, a label, an index, a contrast, or characters of an answer
TargetName: TypeAlias = str | int | Contrast | tuple[int, int]


@dataclass(frozen=True, slots=True)
class Head:
    """What a model's outputs mean: the label of each output, and how outputs become probabilities.

    `activation` says what the raw outputs are: logits (`softmax`, `sigmoid`); values (`none`); a token's log-odds among
    the vocabulary (`token`); log-odds within a group of outputs, such as the labels of one word (`grouped`); or the
    log-probabilities of continuations, summed (`sequence`) or averaged over tokens (`sequence_mean`). `spans` has the
    span of text that each output refers to, or is empty if outputs do not refer to spans.
    """

    labels: tuple[str, ...]
    activation: Activation = "softmax"
    spans: tuple[OutputSpan | None, ...] = field(default=(), repr=False)

    def index(self, label: str | int) -> int:
        """The index of an output, given its label (ignoring case) or its index (as a number or as text)."""
        if isinstance(label, str):
            label = match_case(label, self.labels)
        if label in self.labels:
            return self.labels.index(str(label))
        if isinstance(label, str) and not label.isdecimal():
            raise unknown("target", label, self.labels)
        if not isinstance(label, str | int | np.integer):
            raise ArgumentError(f"target {label!r} is neither a label nor an index ({self})")
        if isinstance(label, bool) or not 0 <= int(label) < len(self.labels):
            raise ArgumentError(f"target {label!r} is out of range: outputs are 0 to {len(self.labels) - 1} ({self})")
        return int(label)

    def gold_index(self, label: str | float | None) -> int | None:
        """The index of a gold label, given as a name (ignoring case) or an index; None if there is no such output."""
        if label is None:
            return None
        alike = [at for at, name in enumerate(self.labels) if name.casefold() == str(label).casefold()]
        if len(alike) == 1:
            return alike[0]
        if isinstance(label, float):
            label = int(label) if label.is_integer() else str(label)
        elif isinstance(label, str) and re.fullmatch(r"\d+\.0", label):  # pandas writes 1 as 1.0 in a column with gaps
            label = label.removesuffix(".0")
        try:
            return self.index(label)
        except ArgumentError:
            return None

    def scale(self, name: str) -> str:
        """The name of the scale, with `auto` resolved; raises an error if the scale does not apply to these outputs."""
        fitting = [scale.name for scale in SCALES.values() if self.activation in scale.activations]
        if name == "auto":
            return DEFAULT_SCALES.get(self.activation, fitting[0])
        if not isinstance(name, str) or name not in SCALES:
            raise unknown("scale", name, ["auto", *SCALES])
        if name not in fitting:
            known = " or ".join(filter(None, [", ".join(fitting[:-1]), fitting[-1]]))
            raise ArgumentError(f"scale {name!r} does not apply to this model's outputs; use {known}")
        return name

    def predicted(self, whole: Array) -> int:
        """The output with the largest logit."""
        return int(self.values(whole).argmax())

    def probabilities(self, outputs: Array) -> Array:
        """The outputs as probabilities."""
        return self.on_scale(outputs, "probability")

    def on_scale(self, outputs: Array, scale: str) -> Array:
        """All outputs on the scale, [..., outputs]."""
        return SCALES[scale].read(self.values(outputs), self.activation)

    def values(self, outputs: Array) -> Array:
        """The raw outputs without the columns that a readout appends, [..., outputs]."""
        return outputs if outputs.shape[-1] == len(self.labels) else outputs[..., : len(self.labels)]

    @property
    def width(self) -> int:
        """How many numbers a readout returns per input."""
        return len(self.labels) * (TOKEN_COLUMNS if self.activation == "token" else 1)

    def one_on_scale(self, outputs: Array, index: int, scale: str) -> Array:
        """One output on the scale, [...]."""
        return self.on_scale(outputs, scale)[..., index]

    def resolve(self, target: TargetName, *, scale: str, whole: Array) -> "Target":
        """The target for one text; `whole` are the outputs of the unchanged text, [outputs]."""
        chosen = self.scale(scale)
        if isinstance(target, Contrast):
            if {target.label, target.against} & set(RESERVED):
                raise ArgumentError(f"a contrast needs two outputs, not {' or '.join(map(repr, RESERVED))} ({self})")
            index, against = self.index(target.label), self.index(target.against)
            if index == against:
                raise ArgumentError(f"a contrast of {self.labels[index]!r} with itself is always 0; name two outputs")
            return Target(self, chosen, index, against)
        if isinstance(target, tuple):
            raise ArgumentError(f"target {target!r}: character offsets do not name an output of this model ({self})")
        if isinstance(target, str):
            target = match_case(target, [*self.labels, *RESERVED])
        if target == "max":
            return Target(self, chosen, None)
        if target == "predicted":
            return Target(self, chosen, self.predicted(whole))
        if isinstance(target, str) and target not in self.labels and not target.isdecimal():
            raise unknown("target", target, [*self.labels, *RESERVED])
        return Target(self, chosen, self.index(target))

    def __str__(self) -> str:
        return ", ".join(self.labels)


@dataclass(frozen=True, slots=True)
class Target:
    """A resolved target: a function from outputs to the one number that is explained."""

    head: Head
    scale: str
    index: int | None  # None if the target is the largest output of each input, or the sum of `outputs`
    against: int | None = None
    outputs: tuple[int, ...] = ()  # the tokens of an answer whose log-probabilities are summed
    label: str = ""  # a label for those tokens

    def __call__(self, outputs: Array) -> Array:
        """The value to explain, [...]."""
        if self.outputs:
            return self.head.on_scale(outputs, self.scale)[..., list(self.outputs)].sum(-1)
        if self.index is None:
            return array_library(outputs).amax(self.head.on_scale(outputs, self.scale), -1)
        if self.against is None:
            return self.head.one_on_scale(outputs, self.index, self.scale)
        values = self.head.on_scale(outputs, SCALES[self.scale].contrast_on or self.scale)
        return values[..., self.index] - values[..., self.against]

    @property
    def is_largest(self) -> bool:
        """Whether the target is `max`: whichever output is largest for each input."""
        return self.index is None and not self.outputs

    @property
    def name(self) -> str | Contrast:
        """The target's name as printed and stored, made from the labels of outputs."""
        labels = self.head.labels
        if self.outputs:
            return self.label
        if self.index is None:
            return "max"
        if self.against is None:
            return labels[self.index]
        is_mean = self.head.activation == "sequence_mean"
        return Contrast(labels[self.index], labels[self.against], "mean" if is_mean else "sum")


def resolve_target(target: TargetName, *, scale: str, head: Head, whole: Array) -> Target:
    """The target for one text; `whole` are the outputs of the unchanged text, [outputs]."""
    return head.resolve(target, scale=scale, whole=whole)


def distinct_names(labels: Sequence[str]) -> tuple[str, ...]:
    """Make labels unique: duplicates, and labels that are names of targets, get their index appended.

    >>> distinct_names(["good", "bad", "good", "max"])
    ('good (0)', 'bad', 'good (2)', 'max (3)')
    """
    taken = {label for label, count in Counter(labels).items() if count > 1 or label in RESERVED}
    made = [f"{label} ({index})" if label in taken else label for index, label in enumerate(labels)]
    return tuple(made) if len(set(made)) == len(made) else distinct_names(made)


def as_list(values: Any) -> Sequence[Any]:
    """A list of values; a single value becomes a list of one."""
    return [values] if isinstance(values, str | Contrast) else list(values)
