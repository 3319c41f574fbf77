"""Scores one text on two levels: sentences first, then words in the sentences that matter most.

Every score is exact. A budget of passes or seconds limits how many words are scored; the other words get no score.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import torch
from torch import Tensor

from ..engine import Job
from ..engine.windows import TextParts
from ..errors import ArgumentError
from ..questions import Perturbation, Question, Scores, ask_outputs
from ..results.deciding_sets import NOT_ASKED
from ..text.segmentation import GIVEN
from ..text.units import align_units
from .attribute import ENDS, AttributionConfig, PreparedText, attribute
from .windows import ask_window_scores

LEVELS = "sentence+word"
DEFAULT_SHARE = 4  # passes for words, per sentence
TIMED = 16  # number of words scored between two checks of the clock


def with_words(prepared: PreparedText, config: AttributionConfig) -> PreparedText:
    """Split a text into sentences, and add its words as a second level."""
    if config.method.name not in ("sig", "leave_one_out"):
        raise ArgumentError(f"detail={LEVELS!r} needs the method sig or leave_one_out, not {config.method.name!r}")
    if prepared.selection.unit == GIVEN:
        raise ArgumentError(f"detail={LEVELS!r} splits a text into sentences and words; remove spans")
    encoded, selection = prepared.encoded, replace(prepared.selection, unit="word")
    segments = encoded.segments if encoded.answer is None else encoded.segments[:-1]
    groups = align_units(segments, encoded.tokens, selection)
    words = replace(prepared, groups=groups, selection=selection, warnings=(), documents=(), blocks=())
    return replace(prepared, detail=words)


def detail_job(prepared: PreparedText, config: AttributionConfig) -> Job[Scores]:
    """Create the job that scores the sentences of a text, and the words in some of them."""
    assert prepared.detail is not None
    rows = _Rows(prepared, config)
    words = min(rows.budget, rows.count(prepared.detail.units))
    expected = rows.ends + rows.count(prepared.units) + words
    return Job(prepared.with_baseline(config.baseline), _attribute(prepared, config), expected)


class _Rows:
    """Counts forward passes; masking a unit of a long text takes one pass for every window that contains it."""

    def __init__(self, prepared: PreparedText, config: AttributionConfig) -> None:
        self._parts, self._removes = TextParts(prepared), not config.method.uses_baseline
        self.ends = ENDS * len(self._parts.texts) + len(prepared.blocks) + bool(prepared.documents)
        answers, sentences = config.answers, self.count(prepared.units)
        self.budget = DEFAULT_SHARE * sentences if answers.detail_rows is None else answers.detail_rows
        if answers.rows is not None:
            self.budget = max(0, answers.rows - self.ends - sentences)
        if answers.seconds is not None:
            assert prepared.detail is not None
            self.budget = self.count(prepared.detail.units)

    def perturbation(self, unit: tuple[int, ...]) -> Perturbation:
        """Remove or mask a unit, as the method does."""
        return Perturbation(dropped=unit) if self._removes else Perturbation(unit)

    def count(self, units: Sequence[tuple[int, ...]]) -> int:
        """Return the number of passes needed to mask each of the units in turn."""
        parts = (part for unit in units for part in self._parts.split(self.perturbation(unit)))
        return sum(bool(part.moved or part.dropped) for part in parts)


def _attribute(prepared: PreparedText, config: AttributionConfig) -> Generator[Question, Tensor, Scores]:
    """Score sentences with the method, then words in the sentences with the largest scores, within the budget."""
    started = time.monotonic()
    scores = yield from attribute(prepared, config)
    assert prepared.detail is not None
    assert scores.target is not None
    assert scores.whole is not None
    rows, units, seconds = _Rows(prepared, config), prepared.detail.units, config.answers.seconds
    without = torch.full((len(units), len(scores.whole)), torch.nan, dtype=scores.whole.dtype)
    words, done = _affordable(_by_sentence(prepared, scores), rows, units), rows.ends + len(prepared.units)
    while chosen := list(islice(words, None if seconds is None else _in_time(seconds, started, done))):
        without[chosen] = yield from ask_outputs(rows.perturbation(units[at]) for at in chosen)
        done += len(chosen)
    values = scores.target(scores.whole) - scores.target(without)
    inner = replace(scores, values=values, without=without, by_output=None, without_documents=None, without_blocks=None)
    inner = replace(inner, sets=None, sets_note=NOT_ASKED)
    windows = yield from ask_window_scores(prepared.detail, inner, removes=not config.method.uses_baseline)
    return replace(scores, detail=replace(inner, windows=windows))


def _affordable(words: Iterator[int], rows: _Rows, units: Sequence[tuple[int, ...]]) -> Iterator[int]:
    """Yield words until the budget is spent."""
    left = rows.budget
    for word in words:
        left -= rows.count([units[word]])
        if left < 0:
            return
        yield word


def _in_time(seconds: float, started: float, done: int) -> int:
    """Return how many words to score before the next check of the clock; 0 if there is no time for another word."""
    elapsed = time.monotonic() - started
    return max(0, min(TIMED, int((seconds - elapsed) * done / max(elapsed, 1e-9))))


def _by_sentence(prepared: PreparedText, scores: Scores) -> Iterator[int]:
    """Yield the words of the sentence with the largest absolute score, then those of the next, and so on."""
    assert prepared.detail is not None
    words = prepared.detail.units
    for sentence in scores.values.abs().argsort(descending=True, stable=True).tolist():
        tokens = set(prepared.units[sentence])
        yield from (at for at, word in enumerate(words) if tokens.issuperset(word))
