"""The model's answers in numbers: the probability of a label or a generated answer, or the value of a regression."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..results.answers import head_of, is_answer, target_of
from ..results.explanation import Explanation
from ..tasks.targets import Target
from ..tasks.task import task_facts
from . import captions
from .captions import SetKind
from .likelihood import times_less_likely
from .numbers import different_percents


class Answers:
    """Reads raw outputs for the drawing of one explanation."""

    def __init__(self, explanation: Explanation) -> None:
        self.explanation, self.prediction = explanation, explanation.prediction
        self._head, self._target = head_of(explanation), target_of(explanation)

    @property
    def title(self) -> str:
        """A word for what the model returned."""
        return task_facts(self.explanation.task).display.prediction

    @property
    def label(self) -> str | None:
        """The label whose probability is shown: the target, or the predicted label if the target is not a label."""
        target = self.explanation.target
        return target if self.prediction.label and target in self.explanation.outputs else self.prediction.label

    @property
    def decided(self) -> str | None:
        """The label that deciding sets refer to: the predicted label, or the target in a multi-label model."""
        return self.label if self.explanation.activation == "sigmoid" else self.prediction.label

    def probability(self, raw: Sequence[float], label: str) -> float:
        """The probability of the label."""
        return float(self._head.probabilities(np.array(raw))[self.explanation.outputs.index(label)])

    def value(self, raw: Sequence[float]) -> float:
        """The target's value, on the explanation's scale."""
        return float(self._target(np.array(raw)))

    def name(self, label: str | None) -> str:
        """A label, worded for use inside a sentence."""
        is_quoted = task_facts(self.explanation.task).display.is_quoted
        return captions.quoted(label) if label and is_quoted else str(label)

    def prediction_of(self, kind: SetKind, label: str | None, probability: float) -> str:
        """The prediction with a necessary set masked, or with only a sufficient set shown."""
        return f"{self.name(label)} {probability:.1%}"

    def effect(self, raw: Sequence[float]) -> str:
        """The answer before and after a change to the text: the probability of `label`, or a regression's value."""
        ends, label = (self.explanation.whole, raw), self.label
        if label is None:
            before, after = (f"{end[0]:.4g}" for end in ends)
        else:
            before, after = different_percents(*(self.probability(end, label) for end in ends))
        return f"{before if label in (None, self.explanation.target) else f'{self.name(label)} {before}'} → {after}"

    def number(self, raw: Sequence[float]) -> str:
        """The probability of `label`, or the value of a regression; empty if the answer is not a single number."""
        return f"{raw[0]:.4g}" if self.label is None else f"{self.probability(raw, self.label):.1%}"

    @property
    def continuations(self) -> list[tuple[str, str]]:
        """The texts that a language model wrote, each with a number for how likely it is; empty for other models."""
        return []

    @property
    def predicted(self) -> str:
        """The predicted labels with their probabilities, or the value of a regression."""
        if self.prediction.value is not None:
            return f"{self.prediction.value:.4g}"
        named = (f"{self.name(label)} {self.prediction.probabilities[label]:.1%}" for label in self.prediction.labels)
        return ", ".join(named) or "no label"

    @property
    def at_baseline(self) -> str:
        """The probabilities of the predicted labels (if none, of the most probable label) with all units masked."""
        raw, labels = self.explanation.at_baseline, self.prediction.labels or (self.prediction.label,)
        if self.prediction.value is not None:
            return f"{raw[0]:.4g}"
        numbers = {label: f"{self.probability(raw, label):.1%}" for label in labels if label is not None}
        is_clear = len(self.prediction.labels) == 1
        return ", ".join(number if is_clear else f"{self.name(label)} {number}" for label, number in numbers.items())


class GeneratedAnswers(Answers):
    """Reads a language model's outputs: how likely the answer is, or one continuation rather than another."""

    @property
    def title(self) -> str:
        """A word for what the model wrote."""
        return "Answer" if self.explanation.output_tokens else "Continuations"

    @property
    def decided(self) -> str | None:
        """The token that deciding sets refer to: the target's first token."""
        return self.explanation.outputs[(self.explanation.target_outputs or (0,))[0]]

    def name(self, label: str | None) -> str:
        """A token in quotation marks."""
        return captions.quoted(label or "")

    def prediction_of(self, kind: SetKind, label: str | None, probability: float) -> str:
        """The token that the model now predicts, the one it replaces, and the answer's token there if that differs."""
        sets, own = self.explanation.sets, self.name(self.decided)
        token = own if sets is None or sets.token is None else self.name(sets.token)
        place = "" if token == own else f", where the answer has {own}"
        if kind == "sufficient":
            return f"the model still writes {self.name(label)}, {probability:.1%}{place}"
        return f"the model writes {self.name(label)}, {probability:.1%}, instead of {token}{place}"

    def probability(self, raw: Sequence[float], label: str) -> float:
        """The probability of the token that deciding sets refer to."""
        return float(self._head.probabilities(np.array(raw))[(self.explanation.target_outputs or (0,))[0]])

    def lost(self, raw: Sequence[float]) -> float:
        """How much log-probability the target loses; for a contrast, how much of the difference is lost."""
        goal = self._target if self.explanation.scale == "log_probability" else self._log_probability
        return float(goal(np.array(self.explanation.whole)) - goal(np.array(raw)))

    def number(self, raw: Sequence[float]) -> str:
        """Empty: an answer has many tokens."""
        return ""

    def effect(self, raw: Sequence[float]) -> str:
        """How many times less likely the target is; empty if log-probabilities are means over tokens."""
        return "" if self.explanation.activation == "sequence_mean" else times_less_likely(self.lost(raw))

    @property
    def continuations(self) -> list[tuple[str, str]]:
        """The answer with its probability or perplexity, or two continuations with their log-probabilities."""
        found = self.explanation
        if not found.output_tokens:
            return [(captions.quoted(one), f"{raw:.2f}") for one, raw in zip(found.outputs, found.whole, strict=True)]
        return [(" ".join((found.continuation or "").split()), self.summary)]

    @property
    def summary(self) -> str:
        """How likely the tokens of the answer are; for two continuations, how long they are."""
        if not self.explanation.output_tokens:
            first, second = self.explanation.output_lengths or (0, 0)
            mean = " per token" * (self.explanation.activation == "sequence_mean")
            shares = " and ".join(f"{raw:.2f}" for raw in self.explanation.whole)
            return f"{first} and {second} tokens, log-probability{mean} {shares}"
        probabilities = [token.probability for token in self.explanation.output_tokens]
        if len(probabilities) == 1:
            return f"{probabilities[0]:.1%}"
        return f"{len(probabilities)} tokens, perplexity {1 / self.confidence:.3g}"

    @property
    def confidence(self) -> float:
        """The geometric mean of the tokens' probabilities; for two continuations, the first's share of their total."""
        if self.explanation.output_tokens:
            return float(np.exp(np.mean([np.log(token.probability) for token in self.explanation.output_tokens])))
        first, second = self.explanation.whole
        return float(np.exp(-np.logaddexp(0.0, second - first)))

    @property
    def predicted(self) -> str:
        """The answer, or the more likely of two continuations."""
        return captions.quoted(self.prediction.label or "")

    @property
    def at_baseline(self) -> str:
        """The effect of masking all units."""
        raw = self.explanation.at_baseline
        return self.effect(raw) or f"{self.value(raw):.4g}"

    @property
    def _log_probability(self) -> Target:
        return target_of(replace(self.explanation, scale="log_probability"))


def answers_of(explanation: Explanation) -> Answers:
    """The reader for the outputs of this kind of model: a classifier, a model that finds spans, or a language model."""
    if explanation.prediction.spans or task_facts(explanation.task).spans:
        from .span_answers import SpanAnswers

        return SpanAnswers(explanation)
    return GeneratedAnswers(explanation) if is_answer(explanation) else Answers(explanation)
