"""Outputs that compete within groups, such as the labels of a word. A target is a sum over some of the outputs."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from ..errors import ArgumentError, TextError
from ..text.answer import find_phrase
from ..text.spans import Span
from .answer_targets import CHARACTERS
from .scales import SCALES
from .targets import Array, Contrast, Head, Target, TargetName

if TYPE_CHECKING:
    from torch import Tensor

Place: TypeAlias = Callable[[Span, int], Span]  # where characters of a segment are in an edited text


def log_odds(logits: "Tensor") -> "Tensor":
    """The log-odds of each output within its group (the last dimension), in double precision."""
    return SCALES["log_odds"].read(logits.double(), "softmax")  # type: ignore[no-any-return]  # torch, by another name


def present(positions: tuple[int, ...], absent: Collection[int]) -> tuple[int, ...]:
    """Return the positions; raise an error if any of their tokens is absent."""
    if any(position in absent for position in positions):
        raise TextError(
            "a removed or ignored token has no output to read",
            hint="use a baseline that keeps its place, such as mask or pad, and an operator that replaces words",
        )
    return positions


@dataclass(frozen=True, slots=True)
class GroupedHead(Head):
    """A head whose outputs belong to positions in the text; a target sums the log-probabilities of some outputs."""

    texts: tuple[str, ...] = field(default=(), kw_only=True, repr=False)  # the texts of all segments

    def resolve(self, target: TargetName, *, scale: str, whole: Array) -> Target:
        """The target for the outputs that `target` names; `predicted` is resolved on the unaltered text."""
        return self.of_tokens(*self.choose(target, np.asarray(whole)), scale=scale)

    def choose(self, target: TargetName, whole: Array) -> tuple[tuple[int, ...], str]:
        """The outputs that `target` names, and a label for them."""
        raise NotImplementedError

    def of_tokens(self, tokens: tuple[int, ...], label: str, *, scale: str) -> Target:
        """The target that sums these outputs, with a label."""
        chosen = self.scale(scale)
        if len(tokens) > 1 and chosen != "log_probability":
            raise ArgumentError(
                f"scale {chosen!r} applies to one output, but the target {label!r} has {len(tokens)}; several outputs "
                "can be explained only on the scale log_probability",
                hint="use the scale log_probability",
            )
        return Target(self, chosen, None, None, tokens, label)

    def predicted_spans(self, whole: Array) -> list[tuple[int, ...]]:
        """The outputs of each predicted span."""
        raise NotImplementedError

    def probability(self, whole: Array, outputs: Sequence[int]) -> float:
        """The product of the probabilities of some outputs."""
        return float(np.exp(SCALES["log_probability"].read(np.asarray(whole)[list(outputs)], "grouped").sum()))

    def moved(self, outputs: Sequence[int], place: Place, new: Self) -> tuple[int, ...] | None:
        """The same outputs for an edited text; None if it does not contain their words."""
        raise NotImplementedError

    def span(self, target: Any, *, segment: int, what: str) -> Span:
        """The span that a target names: a phrase, (start, end), or the string `start:end`."""
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
            raise ArgumentError(f"target {target!r} is neither a phrase of the {what} nor (start, end)") from error
        if not 0 <= start < end <= len(text):
            raise ArgumentError(f"the characters {(start, end)} are not inside the {what} (0 to {len(text)})")
        return Span(start, end)
