"""What is explained: a target (a label, a contrast, whatever is largest) read from a model's outputs on a scale.

Written once for numpy arrays and torch tensors, so that a stored explanation can be read anew without torch.
"""

import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..errors import ArgumentError, unknown

Array: TypeAlias = Any  # a numpy array or a torch tensor, [..., outputs] unless said otherwise
Activation = Literal["softmax", "sigmoid", "none"]
Scale = Literal["log_odds", "log_probability", "probability", "logit", "value"]

OutputSpan: TypeAlias = tuple[int, int, int]  # start and end in characters, and the segment

RESERVED = ("predicted", "max")


@dataclass(frozen=True, slots=True)
class Contrast:
    """The target "rather `label` than `against`"; both are labels or indices."""

    label: str | int
    against: str | int

    def __str__(self) -> str:
        return f"{self.label} rather than {self.against}"


TargetName: TypeAlias = str | int | Contrast  # `predicted`, `max`, a label, an index, or a contrast


@dataclass(frozen=True, slots=True)
class Head:
    """What a model's outputs stand for: a label each, and how they become probabilities.

    `spans` says which piece of the text each output stands for, where outputs are pieces of a text; else it is empty.
    """

    labels: tuple[str, ...]
    activation: Activation = "softmax"
    spans: tuple[OutputSpan | None, ...] = field(default=(), repr=False)

    def index(self, label: str | int) -> int:
        """The position of an output, by its label or by its index (as a number or as text)."""
        if label in self.labels:
            return self.labels.index(str(label))
        if isinstance(label, str) and not label.isdecimal():
            raise unknown("target", label, self.labels)
        if not isinstance(label, str | int | np.integer):
            raise ArgumentError(f"target {label!r} is neither a label nor an index ({self})")
        if isinstance(label, bool) or not 0 <= int(label) < len(self.labels):
            raise ArgumentError(f"target {label!r}: this model's outputs are 0 to {len(self.labels) - 1} ({self})")
        return int(label)

    def scale(self, name: str) -> Scale:
        """The scale of that name, `auto` resolved; refused where it means nothing for these outputs."""
        if name == "auto":
            return "value" if self.activation == "none" else "log_odds"
        if name not in get_args(Scale):
            raise unknown("scale", name, ["auto", *get_args(Scale)])
        if (name == "value") != (self.activation == "none"):
            fitting = "value" if self.activation == "none" else "log_odds, log_probability, probability or logit"
            raise ArgumentError(f"scale {name!r} means nothing for this model's outputs; use {fitting}")
        return name  # type: ignore[return-value]  # mypy does not narrow a str by get_args

    def predicted(self, whole: Array) -> int:
        """The output with the largest logit."""
        return int(whole.argmax())

    def probabilities(self, outputs: Array) -> Array:
        """Each output as a probability."""
        return self.on_scale(outputs, "probability")

    def on_scale(self, outputs: Array, scale: Scale) -> Array:
        """All outputs on the scale, [..., outputs]."""
        if scale in ("logit", "value"):
            return outputs
        if scale == "log_odds":
            return outputs if self.activation == "sigmoid" else outputs - _log_sums_of_others(outputs)
        log_probabilities = self._log_probabilities(outputs)
        return log_probabilities if scale == "log_probability" else _library(outputs).exp(log_probabilities)

    def one_on_scale(self, outputs: Array, index: int, scale: Scale) -> Array:
        """One output on the scale, [...]."""
        return self.on_scale(outputs, scale)[..., index]

    def __str__(self) -> str:
        return ", ".join(self.labels)

    def _log_probabilities(self, outputs: Array) -> Array:
        if self.activation == "softmax":
            return outputs - _log_sum_exp(outputs)[..., None]
        library = _library(outputs)
        return library.clip(outputs, None, 0.0) - library.log1p(library.exp(-abs(outputs)))


@dataclass(frozen=True, slots=True)
class Target:
    """A resolved target: a function from outputs to the one number that is explained."""

    head: Head
    scale: Scale
    index: int | None  # None: the largest at each point
    against: int | None = None

    def __call__(self, outputs: Array) -> Array:
        """The value to explain, [...]."""
        if self.index is None:
            return _library(outputs).amax(self.head.on_scale(outputs, self.scale), -1)
        value = self.head.one_on_scale(outputs, self.index, self._contrast_scale)
        if self.against is None:
            return value
        return value - self.head.one_on_scale(outputs, self.against, self._contrast_scale)

    @property
    def name(self) -> str | Contrast:
        """The target in labels: what is printed, stored, and resolved again after loading."""
        labels = self.head.labels
        if self.index is None:
            return "max"
        return labels[self.index] if self.against is None else Contrast(labels[self.index], labels[self.against])

    @property
    def _contrast_scale(self) -> Scale:
        """A contrast of log-odds is log p_a / p_b: the difference of two log-probabilities."""
        return "log_probability" if self.against is not None and self.scale == "log_odds" else self.scale


def resolve_target(target: TargetName, *, scale: str, head: Head, whole: Array) -> Target:
    """The target for one text; `whole` are the outputs of the untouched text, [outputs]."""
    chosen = head.scale(scale)
    if isinstance(target, Contrast):
        if {target.label, target.against} & set(RESERVED):
            raise ArgumentError(f"a contrast names two outputs, not {' or '.join(map(repr, RESERVED))} ({head})")
        index, against = head.index(target.label), head.index(target.against)
        if index == against:
            raise ArgumentError(f"a contrast of {head.labels[index]!r} with itself is always 0; name two outputs")
        return Target(head, chosen, index, against)
    if target == "max":
        return Target(head, chosen, None)
    if target == "predicted":
        return Target(head, chosen, head.predicted(whole))
    if isinstance(target, str) and target not in head.labels and not target.isdecimal():
        raise unknown("target", target, [*head.labels, *RESERVED])
    return Target(head, chosen, head.index(target))


def distinct_names(labels: Sequence[str]) -> tuple[str, ...]:
    """Labels under which each output can be asked for: one that stands twice, or is a target's name, gets its index.

    >>> distinct_names(["good", "bad", "good", "max"])
    ('good (0)', 'bad', 'good (2)', 'max (3)')
    """
    taken = {label for label, count in Counter(labels).items() if count > 1 or label in RESERVED}
    made = [f"{label} ({index})" if label in taken else label for index, label in enumerate(labels)]
    return tuple(made) if len(set(made)) == len(made) else distinct_names(made)


def _library(array: Array) -> Any:
    """Numpy for its own arrays and numbers, else torch, which whoever made a tensor has imported."""
    return np if isinstance(array, np.ndarray | np.generic) else sys.modules["torch"]


def _log_sum_exp(outputs: Array) -> Array:
    library = _library(outputs)
    largest = library.amax(outputs, -1)
    return largest + library.log(library.exp(outputs - largest[..., None]).sum(-1))


def _log_sums_of_others(outputs: Array) -> Array:
    """What each logit stands against in log p/(1-p): log sum exp over all the others, [..., outputs].

    The largest is taken out of a sum once for all: 1 - p of an output near 1 would be lost to cancellation.
    """
    library = _library(outputs)
    largest = library.amax(outputs, -1)[..., None]
    places = library.ones_like(outputs).cumsum(-1) - 1  # on the outputs' own device
    is_top = places == outputs.argmax(-1)[..., None]
    weights = library.exp(outputs - largest)
    without_top = _log_sum_exp(library.where(is_top, -math.inf, outputs))[..., None]
    others = weights.sum(-1)[..., None] - weights  # 1 or more, but for the largest itself
    return library.where(is_top, without_top, largest + library.log(library.where(is_top, 1.0, others)))
