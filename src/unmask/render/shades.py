"""The neutral form of a drawing: the whole text in pieces, each with a strength between -1 and 1."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..explanation import Explanation
from ..parts import Unit

FAINT = 0.05  # below this share of the strongest a piece is drawn plain
LEVELS = 4


@dataclass(frozen=True, slots=True)
class Shade:
    """A piece of the text: a unit with its score, or what stands between two units (score None)."""

    text: str
    score: float | None = None
    strength: float = 0.0
    segment: int = 0  # the text that it stands in: 1 for the second of a pair

    @property
    def level(self) -> int:
        """The strength in steps, -LEVELS to LEVELS; 0 is plain."""
        if abs(self.strength) < FAINT:
            return 0
        step = min(LEVELS, 1 + int(abs(self.strength) * LEVELS))
        return step if self.strength > 0 else -step


def shades(explanation: Explanation, segment: int = 0) -> tuple[Shade, ...]:
    """The pieces of the text (of a pair's second: segment 1), in order; put together they are the text.

    Strengths are relative to the larger of |together| and the largest |score|, so that a text in which no single
    unit matters is drawn pale.
    """
    return tuple(_shades(explanation, segment, strongest(explanation)))


def shade(unit: Unit, score: float, full: float) -> Shade:
    """A unit's piece; `full` is the score that is drawn at full strength."""
    return Shade(unit.text, score, score / full if full else 0.0, unit.segment)


def strongest(explanation: Explanation) -> float:
    """The value that is drawn at full strength."""
    return max(abs(explanation.together), *map(abs, explanation.scores))


def _shades(explanation: Explanation, segment: int, full: float) -> Iterator[Shade]:
    text, end = explanation.texts[segment], 0
    for unit, score in zip(explanation.units, explanation.scores, strict=True):
        if unit.segment != segment:
            continue
        if end < unit.start:
            yield Shade(text[end : unit.start], segment=segment)
        yield shade(unit, score, full)
        end = unit.end
    if end < len(text):
        yield Shade(text[end:], segment=segment)
