"""A text as a sequence of spans, each with a strength between -1 and 1."""

import math
from dataclasses import dataclass
from typing import Literal

import regex

from ..results.answers import is_answer
from ..results.explanation import Explanation
from ..results.metadata import PredictedSpan
from ..tasks.task import task_facts
from .numbers import decimals, number

FAINT, FAINT_PUNCTUATION = 0.05, 0.1  # units with a strength below these are not colored
LEVELS = 4
MARKED = 0.2  # share of the units that the style `paper` marks
PUNCTUATION = regex.compile(r"[\p{P}\s]*")

Mark = Literal["most", "top"]


@dataclass(frozen=True, slots=True)
class ColoredSpan:
    """A unit with its score, or the text between two units (score None)."""

    text: str
    score: float | None = None
    strength: float = 0.0
    segment: int = 0  # index of the text it belongs to
    normalized: float = 0.0
    mark: Mark | None = None  # `most`: the unit with the largest score; `top`: another of the top fifth
    decimals: int = 2  # decimals of its number
    is_unknown: bool = False  # whether it is unknown to the tokenizer
    place: int = -1  # index of the unit
    is_outlined: bool = False  # whether it is in the necessary set, or in a span that the model found

    @property
    def number(self) -> str:
        """The score as text."""
        return number(self.score or 0.0, self.decimals)

    @property
    def is_computed(self) -> bool:
        """Whether this is a unit with a computed score; a unit whose score was not computed has the score NaN."""
        return self.score is not None and not math.isnan(self.score)

    @property
    def is_punctuation(self) -> bool:
        """Whether it has neither a letter nor a digit."""
        return not any(map(str.isalnum, self.text))

    @property
    def level(self) -> int:
        """The color level, from -LEVELS to LEVELS; 0 means not colored."""
        if not abs(self.strength) >= (FAINT_PUNCTUATION if self.is_punctuation else FAINT):  # also true for NaN
            return 0
        step = min(LEVELS, 1 + int(abs(self.strength) * LEVELS))
        return step if self.strength > 0 else -step


def colored_spans(explanation: Explanation, segment: int = 0) -> tuple[ColoredSpan, ...]:
    """The spans of a segment in order; concatenated, they are its text.

    Strengths are relative to the larger of |together| and the largest |score|, so a text without a decisive unit
    stays pale. For scores that do not use the baseline, and for answers, they are relative to the largest |score|.
    """
    text, end, pieces = explanation.texts[segment], 0, list[ColoredSpan]()
    for unit, span in zip(explanation.units, colored_units(explanation), strict=True):
        if unit.segment == segment:
            pieces += [ColoredSpan(text[end : unit.start], segment=segment)] if end < unit.start else []
            pieces.append(span)
            end = unit.end
    return (*pieces, ColoredSpan(text[end:], segment=segment)) if end < len(text) else tuple(pieces)


def colored_units(explanation: Explanation) -> tuple[ColoredSpan, ...]:
    """The units as spans, in order."""
    full, marks = strongest(explanation), _marks(explanation)
    digits = decimals(largest_score(explanation))
    rows = zip(explanation.units, explanation.scores, explanation.normalized, marks, strict=True)
    necessary = explanation.sets.necessary if explanation.sets else None
    outlined = frozenset(necessary.units if necessary else predicted_units(explanation))
    return tuple(
        ColoredSpan(
            unit.text,
            score,
            0.0 if not full or math.isnan(score) else score / full,
            unit.segment,
            normalized,
            mark,
            digits,
            is_unknown=unit.unknown,
            place=place,
            is_outlined=place in outlined,
        )
        for place, (unit, score, normalized, mark) in enumerate(rows)
    )


def predicted_units(explanation: Explanation) -> list[int]:
    """The units inside the predicted answer to a question or inside a predicted entity."""
    if explanation.activation != "grouped":
        return []
    return sorted({at for span in explanation.prediction.spans for at in _units_in(explanation, span)})


def entity_units(explanation: Explanation) -> tuple[tuple[int, ...], ...]:
    """The units of each entity that a tagger found."""
    found = explanation.prediction.spans if task_facts(explanation.task).spans == "entities" else ()
    return tuple(_units_in(explanation, span) for span in found)


def _units_in(explanation: Explanation, span: PredictedSpan) -> tuple[int, ...]:
    units = enumerate(explanation.units)
    return tuple(
        at for at, unit in units if unit.segment == span.segment and unit.start < span.end and span.start < unit.end
    )


def strongest(explanation: Explanation) -> float:
    """The score that gets the strongest color.

    `together` counts only for scores that use the baseline, and never for an answer. The more tokens an answer has, the
    larger the change without the whole prompt, so all units would be pale.
    """
    largest, is_relative = largest_score(explanation), explanation.method.uses_baseline and not is_answer(explanation)
    return max(abs(explanation.together), largest) if is_relative else largest


def largest_score(explanation: Explanation) -> float:
    """The largest |score|; 0 if none was computed."""
    return max((abs(score) for score in explanation.scores if not math.isnan(score)), default=0.0)


def markable(explanation: Explanation) -> list[int]:
    """The units that the style `paper` may mark: those with a positive score that are not just punctuation."""
    rows = enumerate(zip(explanation.units, explanation.scores, strict=True))
    return [at for at, (unit, score) in rows if score > 0 and not PUNCTUATION.fullmatch(unit.text)]


def _marks(explanation: Explanation) -> list[Mark | None]:
    """Each unit's mark, as in the paper: a fifth of the units are marked, rounded half up and at least one."""
    scores = explanation.scores
    count = max(1, math.floor(MARKED * len(scores) + 0.5))
    marks: list[Mark | None] = [None] * len(scores)
    for rank, at in enumerate(sorted(markable(explanation), key=lambda at: -scores[at])[:count]):
        marks[at] = "top" if rank else "most"
    return marks
