"""Scales: how the explained value is computed from raw outputs, and what it is called.

Works on both numpy arrays and torch tensors, so that you can change the scale of a stored explanation without torch.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

Array: TypeAlias = Any  # a numpy array or a torch tensor, [..., outputs] unless noted
Activation = Literal["softmax", "sigmoid", "none", "token", "grouped", "sequence", "sequence_mean"]


@dataclass(frozen=True, slots=True)
class Contrast:
    """A target that asks "why `label` rather than `against`". Both are labels, indices, or continuations of a prompt.

    Args:
        normalize: How the log-probabilities of a continuation's tokens are combined; `mean` corrects for length.
    """

    label: str | int
    against: str | int
    normalize: Literal["sum", "mean"] = "sum"

    def __str__(self) -> str:
        return f"{self.label} rather than {self.against}"


@dataclass(frozen=True, slots=True)
class Scale:
    """How the explained value is computed from raw outputs, and what it is called.

    Args:
        quantity: The explained quantity in words; `{label}` is filled in.
        contrast: The explained quantity for a contrast, in words, with `{label}` and `{against}`.
        read: A function that converts raw outputs and their activation to this scale, [..., outputs].
        activations: The activations that the scale applies to; `auto` takes the first scale that applies.
        contrast_on: The scale on which the two outputs of a contrast are subtracted, if it is not this one.
        negligible: Effects smaller than this are ignored.
    """

    name: str
    quantity: str
    contrast: str
    read: Callable[[Array, Activation], Array]
    activations: tuple[Activation, ...] = ("softmax", "sigmoid", "token", "grouped")
    contrast_on: str | None = None
    negligible: float = 0.05

    def describe(self, target: "str | Contrast") -> str:
        """The explained quantity in words."""
        if isinstance(target, Contrast):
            return self.contrast.format(label=f'"{target.label}"', against=f'"{target.against}"')
        return self.quantity.format(label="the largest output" if target == "max" else f'"{target}"')


def array_library(array: Array) -> Any:
    """The array's library: numpy for numpy arrays and plain numbers, else torch, which is then already imported."""
    return np if isinstance(array, np.ndarray | np.generic) else sys.modules["torch"]


def _log_odds(outputs: Array, activation: Activation) -> Array:
    return outputs if activation in ("sigmoid", "token", "grouped") else outputs - _log_sums_of_others(outputs)


def _log_probabilities(outputs: Array, activation: Activation) -> Array:
    if activation in ("sequence", "sequence_mean"):
        return outputs
    if activation == "softmax":
        return outputs - _log_sum_exp(outputs)[..., None]
    library = array_library(outputs)
    return library.clip(outputs, None, 0.0) - library.log1p(library.exp(-abs(outputs)))


def _probabilities(outputs: Array, activation: Activation) -> Array:
    return array_library(outputs).exp(_log_probabilities(outputs, activation))


def _log_sum_exp(outputs: Array) -> Array:
    library = array_library(outputs)
    largest = library.amax(outputs, -1)
    return largest + library.log(library.exp(outputs - largest[..., None]).sum(-1))


def _log_sums_of_others(outputs: Array) -> Array:
    """The log-sum-exp over all other outputs, to subtract from each logit to get log p/(1-p), [..., outputs].

    For the largest output, the others are summed directly, because subtracting it from the total would cancel.
    """
    library = array_library(outputs)
    largest = library.amax(outputs, -1)[..., None]
    places = library.ones_like(outputs).cumsum(-1) - 1  # computed this way to stay on the outputs' device
    is_top = places == outputs.argmax(-1)[..., None]
    weights = library.exp(outputs - largest)
    without_top = _log_sum_exp(library.where(is_top, -math.inf, outputs))[..., None]
    others = weights.sum(-1)[..., None] - weights  # at least 1, except for the largest output
    return library.where(is_top, without_top, largest + library.log(library.where(is_top, 1.0, others)))


def _raw(outputs: Array, _: Activation) -> Array:
    return outputs


SHARES: tuple[Activation, ...] = ("softmax", "sigmoid", "token", "grouped", "sequence")
LOGARITHMIC: tuple[Activation, ...] = (*SHARES, "sequence_mean")
_RATIO, _DIFFERENCE = "log p({label})/p({against})", "{0} of {{label}} minus that of {{against}}".format
SCALES = {
    scale.name: scale
    for scale in (
        Scale("log_odds", "log-odds of {label}", _RATIO, _log_odds, contrast_on="log_probability"),
        Scale("log_probability", "log-probability of {label}", _RATIO, _log_probabilities, LOGARITHMIC),
        Scale(
            "probability",
            "probability of {label}",
            _DIFFERENCE("probability"),
            _probabilities,
            SHARES,
            negligible=0.005,
        ),
        Scale("logit", "logit of {label}", _DIFFERENCE("logit"), _raw, ("softmax", "sigmoid")),
        Scale("value", "model's value", "model's value", _raw, ("none",), negligible=0.0),
    )
}
