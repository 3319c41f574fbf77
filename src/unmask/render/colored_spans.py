"""The colored text in its neutral form: the whole of it in pieces, each with a strength between -1 and 1."""

import math
from dataclasses import dataclass
from typing import Literal

from ..results.explanation import Explanation

FAINT = 0.05  # below this share of the strongest a piece is drawn plain
LEVELS = 4
MARKED = 0.2  # of the units stand out in the paper's own style

Mark = Literal["most", "top"]


@dataclass(frozen=True, slots=True)
class ColoredSpan:
    """A piece of the text: a unit with its score, or what stands between two units (score None)."""

    text: str
    score: float | None = None
    strength: float = 0.0
    segment: int = 0  # the text that it stands in
    normalized: float = 0.0
    mark: Mark | None = None  # the most important unit, or one of the top fifth, by signed score

    @property
    def level(self) -> int:
        """The strength in steps, -LEVELS to LEVELS; 0 is plain."""
        if abs(self.strength) < FAINT:
            return 0
        step = min(LEVELS, 1 + int(abs(self.strength) * LEVELS))
        return step if self.strength > 0 else -step


def colored_spans(explanation: Explanation, segment: int = 0) -> tuple[ColoredSpan, ...]:
    """The pieces of a segment's text in order; put together they are the text.

    Strengths are relative to the larger of |together| and the largest |score|, so that a text in which no single
    unit matters is drawn pale; where scores know no baseline, to the largest |score|.
    """
    text, end, pieces = explanation.texts[segment], 0, list[ColoredSpan]()
    for unit, span in zip(explanation.units, colored_units(explanation), strict=True):
        if unit.segment == segment:
            pieces += [ColoredSpan(text[end : unit.start], segment=segment)] if end < unit.start else []
            pieces.append(span)
            end = unit.end
    return (*pieces, ColoredSpan(text[end:], segment=segment)) if end < len(text) else tuple(pieces)


def colored_units(explanation: Explanation) -> tuple[ColoredSpan, ...]:
    """The units' pieces alone, in order."""
    full, marks = strongest(explanation), _marks(explanation.scores)
    rows = zip(explanation.units, explanation.scores, explanation.normalized, marks, strict=True)
    return tuple(
        ColoredSpan(unit.text, score, score / full if full else 0.0, unit.segment, normalized, mark)
        for unit, score, normalized, mark in rows
    )


def strongest(explanation: Explanation) -> float:
    """The value that is drawn at full strength; what all carry together is no measure for scores without a baseline."""
    largest = max(map(abs, explanation.scores))
    return max(abs(explanation.together), largest) if explanation.method.uses_baseline else largest


def _marks(scores: tuple[float, ...]) -> list[Mark | None]:
    """The paper's marks: a fifth of the units, rounded half up and at least one, of those that speak for the target."""
    count = max(1, math.floor(MARKED * len(scores) + 0.5))
    order = sorted((at for at in range(len(scores)) if scores[at] > 0), key=lambda at: -scores[at])[:count]
    marks: list[Mark | None] = [None] * len(scores)
    for rank, at in enumerate(order):
        marks[at] = "top" if rank else "most"
    return marks
