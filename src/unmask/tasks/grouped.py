"""Outputs in groups that compete: the labels of a word, the tokens where an answer may begin. A target sums some."""

from collections.abc import Collection
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArgumentError, TextError
from ..text.answer import find_phrase
from ..text.spans import Span
from .answer_targets import CHARACTERS
from .scales import SCALES
from .targets import Array, Contrast, Head, Target, TargetName

if TYPE_CHECKING:
    from torch import Tensor


def log_odds(logits: "Tensor") -> "Tensor":
    """The log-odds of each output among those of its group, the last dimension; in double precision."""
    return SCALES["log_odds"].read(logits.double(), "softmax")  # type: ignore[no-any-return]  # torch, by another name


def present(positions: tuple[int, ...], absent: Collection[int]) -> tuple[int, ...]:
    """The positions, if the tokens there can be read when others are absent; refused if they cannot."""
    if any(position in absent for position in positions):
        raise TextError(
            "a removed or ignored token has no output of its own to read",
            hint="use a baseline that keeps its place, such as mask or pad, and an operator that replaces words",
        )
    return positions


@dataclass(frozen=True, slots=True)
class GroupedHead(Head):
    """Outputs that stand for places of a text; a target is a sum of log-probabilities of some of them."""

    texts: tuple[str, ...] = field(default=(), kw_only=True, repr=False)  # of all segments

    def resolve(self, target: TargetName, *, scale: str, whole: Array) -> Target:
        """The outputs that a target names; those of the prediction stay as they are for the unchanged text."""
        return self.of_tokens(*self.choose(target, np.asarray(whole)), scale=scale)

    def choose(self, target: TargetName, whole: Array) -> tuple[tuple[int, ...], str]:
        """The outputs of a target, and what they are called."""
        raise NotImplementedError

    def of_tokens(self, tokens: tuple[int, ...], label: str, *, scale: str) -> Target:
        """The target of some outputs under a name."""
        chosen = self.scale(scale)
        if len(tokens) > 1 and chosen != "log_probability":
            raise ArgumentError(
                f"scale {chosen!r} applies to one output, and the target {label!r} has {len(tokens)}: their sum is "
                "explained on log_probability only",
                hint="use the scale log_probability",
            )
        return Target(self, chosen, None, None, tokens, label)

    def span(self, target: Any, *, segment: int, what: str) -> Span:
        """The characters that a target names: a phrase, (start, end) or their spelling `start:end`."""
        text = self.texts[segment]
        if isinstance(target, Contrast):
            raise ArgumentError(f"a contrast such as {target} does not apply here; name one target")
        if isinstance(target, str):
            if not (match := CHARACTERS.fullmatch(target)) or target in text:
                return find_phrase(text, target, what)
            target = (int(match[1]), int(match[2]))
        try:
            start, end = map(index, target)
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"target {target!r} is no phrase of the {what} and no (start, end) in it") from error
        if not 0 <= start < end <= len(text):
            raise ArgumentError(f"the characters {(start, end)} are not inside the {what}, which has {len(text)}")
        return Span(start, end)
