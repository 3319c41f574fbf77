"""Texts that exceed the model's limit: splits a perturbation of the text into perturbations of its windows."""

from dataclasses import replace
from itertools import accumulate, pairwise

from ..errors import ArgumentError, TextError
from ..questions import Outputs, Perturbation, Point, Question, WindowOutputs
from .forward import EngineText


class TextParts:
    """The parts of a text that the model reads: the text itself, or its windows."""

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
        """Return the perturbation of each part; a part without perturbed tokens stays unchanged."""
        if not self._ranges:
            return [perturbation]
        if isinstance(perturbation.to, Point):
            raise ArgumentError("in a text that is read in windows, tokens cannot be replaced by given vectors")
        dropped = [_inside(perturbation.dropped, *ends) for ends in self._ranges]
        if any(len(gone) == end - start for gone, (start, end) in zip(dropped, self._ranges, strict=True)):
            raise TextError("removing this unit would leave a window empty", hint="mask units with the method sig")
        return [
            replace(perturbation, moved=_inside(perturbation.moved, *ends), dropped=gone)
            for ends, gone in zip(self._ranges, dropped, strict=True)
        ]

    def check(self, question: Question) -> None:
        """Reject a question that is not supported for windows."""
        if self._ranges and not isinstance(question, Outputs | WindowOutputs):
            raise ArgumentError(
                "gradients and embeddings are not supported for a text that is read in windows",
                hint="use a method without gradients, such as sig or shapley, or long='cut'",
            )


def _inside(tokens: tuple[int, ...], start: int, end: int) -> tuple[int, ...]:
    """Return the tokens inside a range, counted from its start."""
    return tuple(token - start for token in tokens if start <= token < end)
