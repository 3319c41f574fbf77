"""The model's answers as numbers: the probability of a label, or the value of a regression or of the target."""

from collections.abc import Sequence

import numpy as np

from ..results.answers import head_of, target_of
from ..results.explanation import Explanation


class Answers:
    """Reads raw outputs for the drawing of one explanation."""

    def __init__(self, explanation: Explanation) -> None:
        self.explanation, self.prediction = explanation, explanation.prediction
        self._head, self._target = head_of(explanation), target_of(explanation)

    @property
    def label(self) -> str | None:
        """The label whose probability is shown: the target, or the predicted label if the target is not a label."""
        target = self.explanation.target
        if self.explanation.activation == "token":
            return self.prediction.label
        return target if self.prediction.label and target in self.explanation.outputs else self.prediction.label

    @property
    def decided(self) -> str | None:
        """The label that deciding sets are about: the predicted label, or the target of a multi-label model."""
        return self.label if self.explanation.activation == "sigmoid" else self.prediction.label

    def probability(self, raw: Sequence[float], label: str) -> float:
        """The probability of the label; of an answer that of all its tokens."""
        if self.explanation.activation == "token":
            return float(np.exp(self._head.on_scale(np.array(raw), "log_probability").sum()))
        return float(self._head.probabilities(np.array(raw))[self.explanation.outputs.index(label)])

    def value(self, raw: Sequence[float]) -> float:
        """The target's value, on the explanation's scale."""
        return float(self._target(np.array(raw)))

    def change(self, raw: Sequence[float]) -> tuple[str, str]:
        """The answer to the whole text and to another: the probability of `label`, or the value of a regression."""
        ends, label = (self.explanation.whole, raw), self.label
        if label is None:
            before, after = (f"{end[0]:.4g}" for end in ends)
        else:
            before, after = (f"{self.probability(end, label):.1%}" for end in ends)
        return before if label in (None, self.explanation.target) else f"{label} {before}", after

    @property
    def predicted(self) -> str:
        """The predicted labels with their probabilities, or the value of a regression."""
        if self.prediction.value is not None:
            return f"{self.prediction.value:.4g}"
        named = (f"{label} {self.prediction.probabilities[label]:.1%}" for label in self.prediction.labels)
        return ", ".join(named) or "no label"

    @property
    def at_baseline(self) -> str:
        """The same with all units masked; of the most probable label if none is predicted."""
        raw, labels = self.explanation.at_baseline, self.prediction.labels or (self.prediction.label,)
        if self.prediction.value is not None:
            return f"{raw[0]:.4g}"
        numbers = {label: f"{self.probability(raw, label):.1%}" for label in labels if label is not None}
        is_clear = len(self.prediction.labels) == 1
        return ", ".join(number if is_clear else f"{label} {number}" for label, number in numbers.items())
