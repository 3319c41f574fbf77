"""Targets of question answering: the predicted span of the context, or any other span. Needs no torch."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import ArgumentError
from ..text.answer import tokens_in
from ..text.spans import Span
from .grouped import GroupedHead, Place
from .scales import SCALES
from .targets import ANSWER, Array, TargetName

CONTEXT = 1  # the index of the context among the segments
LONGEST = 15  # the most tokens in a predicted answer, as in the transformers pipeline


@dataclass(frozen=True)
class SpanHead(GroupedHead):
    """A head with one output per context token for where the answer may begin, then one for where it may end."""

    @property
    def tokens(self) -> list[Span]:
        """The tokens of the context."""
        return [Span(*span[:2]) for span in self.spans[: len(self.labels) // 2] if span is not None]

    def best(self, whole: Array) -> tuple[int, int]:
        """The first and last token of the most probable span."""
        starts, ends = SCALES["log_probability"].read(np.asarray(whole), "grouped").reshape(2, -1)
        total = starts[:, None] + ends[None, :]
        allowed = np.triu(np.ones_like(total, dtype=bool)) & ~np.triu(np.ones_like(total, dtype=bool), LONGEST)
        first, last = np.unravel_index(np.where(allowed, total, -np.inf).argmax(), total.shape)
        return int(first), int(last)

    def answer(self, outputs: tuple[int, ...]) -> Span:
        """The span of characters that these two outputs describe."""
        first, last = outputs[0], outputs[-1] - len(self.labels) // 2
        return Span(self.tokens[first].start, self.tokens[last].end)

    def moved(self, outputs: Sequence[int], place: Place, new: "SpanHead") -> tuple[int, ...] | None:
        """The tokens of the same characters of the context."""
        span = place(self.answer(tuple(outputs)), CONTEXT)
        inside = [at for at, token in enumerate(new.tokens) if token.overlaps(span)]
        return (inside[0], inside[-1] + len(new.labels) // 2) if inside else None

    def predicted_spans(self, whole: Array) -> list[tuple[int, ...]]:
        """The begin and the end of the answer."""
        return [self.choose("predicted", whole)[0]]

    def choose(self, target: TargetName, whole: Array) -> tuple[tuple[int, ...], str]:
        """Resolve `predicted`, a phrase from the context, or its character offsets (start, end)."""
        if target == "predicted" or (target == ANSWER and ANSWER not in self.texts[CONTEXT]):
            first, last = self.best(whole)
            return (first, last + len(self.labels) // 2), ANSWER
        span = self.span(target, segment=CONTEXT, what="context")
        try:
            inside = tokens_in(self.texts[CONTEXT], self.tokens, span)
        except ArgumentError as error:
            raise ArgumentError(f"the characters {tuple(span)} of the context were not read by the model") from error
        return (inside[0], inside[-1] + len(self.labels) // 2), self.texts[CONTEXT][slice(*span)]
