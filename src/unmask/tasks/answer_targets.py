"""Targets of a language model: the whole answer, or a phrase, character range or token of it. Needs no torch."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import index

from ..errors import ArgumentError
from ..text.answer import find_phrase, tokens_in
from ..text.spans import Span
from .targets import ANSWER, Array, Contrast, Head, Target, TargetName

NEXT = "next"  # the first token of the answer
CHARACTERS = re.compile(r"(\d+):(\d+)")  # a range of characters of the answer, written as text


@dataclass(frozen=True, slots=True)
class AnswerHead(Head):
    """The head of an answer: one output per token. Labels are the tokens' texts, which may repeat."""

    answer: str = field(default="", kw_only=True)
    spell: Callable[[int], str] | None = field(default=None, kw_only=True, compare=False, repr=False)  # from id to text

    def predicted(self, whole: Array) -> int:
        """Always the first token, because the outputs of an answer do not compete."""
        return 0

    def most_probable(self, outputs: Array, token: int) -> tuple[Array, Array]:
        """The id and the log-probability of the most probable token at the position of an answer token, [...] each.

        `outputs` must be what `AnswerReadout` returns; stored explanations keep only a part of it.
        """
        count = len(self.labels)
        if outputs.shape[-1] != self.width:
            raise ArgumentError(f"got {outputs.shape[-1]} columns; expected the {self.width} columns of a readout")
        return outputs[..., count + token], outputs[..., 2 * count + token]

    def greedy(self, outputs: Array, token: int) -> tuple[str, float]:
        """The most probable token at the position of an answer token, and its probability, for a single input."""
        found, log_probability = self.most_probable(outputs, token)
        name = f"token {int(found)}" if self.spell is None else self.spell(int(found))
        return name, math.exp(log_probability)

    def resolve(self, target: TargetName, *, scale: str, whole: Array) -> Target:
        """The summed log-probability of the tokens selected by `target`, or the value of one token on any scale."""
        return self.of_tokens(*self._tokens(target), scale=scale)

    def of_tokens(self, tokens: tuple[int, ...], label: str, *, scale: str) -> Target:
        """The target that consists of these tokens, with a label."""
        chosen = self.scale(scale)
        if len(tokens) > 1 and chosen != "log_probability":
            raise ArgumentError(
                f"scale {chosen!r} applies to one token, but the target has {len(tokens)}; several tokens can be "
                "explained only on the scale log_probability",
                hint="choose a single token as the target, such as 0, or use the scale log_probability",
            )
        return Target(self, chosen, None, None, tokens, label)

    def _tokens(self, target: TargetName) -> tuple[tuple[int, ...], str]:
        """The tokens of a target, and their label."""
        if isinstance(target, Contrast):
            raise ArgumentError(f"the contrast {target} needs new passes; call explain(prompt, target=Contrast(...))")
        if isinstance(target, tuple | list):
            span = self._span(tuple(target))
            return tokens_in(self.answer, self._spans, span), self.answer[slice(*span)]
        if isinstance(target, str) and target != "predicted":
            return self._phrase(target)
        if target == "predicted":
            return tuple(range(len(self.labels))), ANSWER
        return self._token(target)

    def _phrase(self, phrase: str) -> tuple[tuple[int, ...], str]:
        try:
            span = find_phrase(self.answer, phrase)
        except ArgumentError:
            if phrase == ANSWER and ANSWER not in self.answer:
                return tuple(range(len(self.labels))), ANSWER
            if phrase == NEXT and NEXT not in self.answer:
                return self._token(0)
            if phrase.isdecimal() and phrase not in self.answer:
                return self._token(int(phrase))
            if match := CHARACTERS.fullmatch(phrase):
                return self._tokens((int(match[1]), int(match[2])))
            raise
        return tokens_in(self.answer, self._spans, span), phrase

    def _token(self, at: object) -> tuple[tuple[int, ...], str]:
        try:
            place = -1 if isinstance(at, bool) else index(at)  # type: ignore[arg-type]  # anything may be given
        except TypeError as error:
            raise ArgumentError(f"target {at!r} is not a phrase, a character range or a token of the answer") from error
        if not 0 <= place < len(self.labels):
            raise ArgumentError(f"target {at!r} is out of range: the answer's tokens are 0 to {len(self.labels) - 1}")
        return (place,), self.labels[place]

    def _span(self, given: tuple[object, ...]) -> Span:
        try:
            start, end = map(index, given)  # type: ignore[arg-type]  # anything may be given
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"target {given!r} is not (start, end) in characters of the answer") from error
        return Span(start, end)

    @property
    def _spans(self) -> list[Span]:
        return [Span(0, 0) if span is None else Span(*span[:2]) for span in self.spans]
