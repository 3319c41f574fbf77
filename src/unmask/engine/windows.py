"""Texts that exceed the model's limit: a perturbation of the text perturbs each of its windows."""

from dataclasses import replace
from itertools import accumulate, pairwise

from ..errors import ArgumentError, TextError
from ..questions import Outputs, Perturbation, Point, Question, WindowOutputs
from .forward import EngineText


class TextParts:
    """What is run in place of a text: the text itself, or its windows."""

    def __init__(self, text: EngineText) -> None:
        lengths = [len(window.ids) for window in text.windows]
        self._ranges = list(pairwise(accumulate(lengths, initial=0)))  # each window's range of the text's tokens
        self.texts = [text]
        if text.windows:
            own = [_inside(tuple(sorted(text.own_baseline)), *ends) for ends in self._ranges]
            self.texts = [
                EngineText(encoded=window, baseline=text.baseline, readout=text.readout, own_baseline=frozenset(mine))
                for window, mine in zip(text.windows, own, strict=True)
            ]

    @property
    def longest(self) -> int:
        """The number of tokens in the longest part."""
        return max(len(text.encoded.ids) for text in self.texts)

    def split(self, perturbation: Perturbation) -> list[Perturbation]:
        """The perturbation of each part; a part with none of the perturbed tokens is unchanged."""
        if not self._ranges:
            return [perturbation]
        if isinstance(perturbation.to, Point):
            raise ArgumentError("a text in windows does not support vectors as replacements")
        dropped = [_inside(perturbation.dropped, *ends) for ends in self._ranges]
        if any(len(gone) == end - start for gone, (start, end) in zip(dropped, self._ranges, strict=True)):
            raise TextError("removing this unit would leave nothing of a window", hint="mask units with the method sig")
        return [
            replace(perturbation, moved=_inside(perturbation.moved, *ends), dropped=gone)
            for ends, gone in zip(self._ranges, dropped, strict=True)
        ]

    def check(self, question: Question) -> None:
        """Reject a question that windows cannot answer."""
        if self._ranges and not isinstance(question, Outputs | WindowOutputs):
            raise ArgumentError(
                "gradients and embeddings of a text in windows are not supported",
                hint="use a method without gradients, such as sig or shapley, or long='cut'",
            )


def _inside(tokens: tuple[int, ...], start: int, end: int) -> tuple[int, ...]:
    """The tokens inside a range, counted from its start."""
    return tuple(token - start for token in tokens if start <= token < end)
