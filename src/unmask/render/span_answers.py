"""Predictions that are spans of a text, in numbers: entities with their kinds, or the answer to a question."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..results.answers import target_of
from ..results.explanation import Explanation
from ..results.metadata import PredictedSpan
from ..tasks.targets import Target
from . import captions
from .answers import Answers

NAMED = 4  # entities in a heading


class SpanAnswers(Answers):
    """Reads the outputs of a tagger or of a question-answering model."""

    @property
    def label(self) -> str | None:
        """The target, whose probability is the joint probability of its outputs."""
        return str(self.explanation.target)

    @property
    def decided(self) -> str | None:
        """None, because deciding sets refer to the target's value."""
        return None

    def probability(self, raw: Sequence[float], label: str) -> float:
        """The probability of the target."""
        return float(np.exp(self._log_probability(np.array(raw))))

    @property
    def predicted(self) -> str:
        """The entities with their kinds and probabilities, or the answer with its probability."""
        spans = self.prediction.spans
        named = ", ".join(map(self._named, spans[:NAMED]))
        return f"{named} and {len(spans) - NAMED} more" if len(spans) > NAMED else named or f"{self.prediction.label}"

    def _named(self, span: PredictedSpan) -> str:
        kind = "" if span.label == "answer" else f" {span.label}"
        return f"{captions.quoted(span.text)}{kind} {span.probability:.1%}"

    @property
    def at_baseline(self) -> str:
        """The probability of the target with all units masked."""
        name = captions.target_name(self.explanation).removeprefix("the ")
        return f"{name} {self.probability(self.explanation.at_baseline, ''):.1%}"

    @property
    def _log_probability(self) -> Target:
        return target_of(replace(self.explanation, scale="log_probability"))


def spans_of(explanation: Explanation) -> list[tuple[int, int, int]]:
    """The segment, start and end of each span to mark: the answer, or the entities of the target."""
    found = explanation.prediction.spans if explanation.activation == "grouped" else ()
    return [(span.segment, span.start, span.end) for span in found]
