"""Two levels of one text: sentences first, then words inside the sentences that matter most."""

from collections.abc import Generator, Iterator
from dataclasses import replace

import torch
from torch import Tensor

from ..engine import Job
from ..errors import ArgumentError
from ..questions import Perturbation, Question, Scores, ask_outputs
from ..text.units import align_units
from .attribute import ENDS, AttributionConfig, PreparedText, attribute

LEVELS = "sentence+word"
DEFAULT_SHARE = 4  # rows for words, times the number of sentences


def with_words(prepared: PreparedText, config: AttributionConfig) -> PreparedText:
    """A text in sentences, with its words as a second level."""
    if config.method.name not in ("sig", "leave_one_out"):
        raise ArgumentError(f"detail={LEVELS!r} needs the method sig or leave_one_out, not {config.method.name!r}")
    encoded, selection = prepared.encoded, replace(prepared.selection, unit="word")
    groups = align_units(encoded.segments[:-1], encoded.tokens, selection)
    words = replace(prepared, groups=groups, selection=selection, warnings=(), documents=())
    return replace(prepared, detail=words)


def detail_job(prepared: PreparedText, config: AttributionConfig) -> Job[Scores]:
    """The job that scores the sentences of a text and words in some of them."""
    rows = ENDS + len(prepared.groups) + _budget(prepared, config)
    return Job(prepared.with_baseline(config.baseline), _attribute(prepared, config), rows)


def _budget(prepared: PreparedText, config: AttributionConfig) -> int:
    given = config.answers.detail_rows
    return DEFAULT_SHARE * len(prepared.groups) if given is None else given


def _attribute(prepared: PreparedText, config: AttributionConfig) -> Generator[Question, Tensor, Scores]:
    """Sentences by the method; then the words of the largest ones, until the budget of rows is spent."""
    scores = yield from attribute(prepared, config)
    assert prepared.detail is not None
    assert scores.target is not None
    assert scores.whole is not None
    units = prepared.detail.units
    chosen = [unit for _, unit in zip(range(_budget(prepared, config)), _by_sentence(prepared, scores), strict=False)]
    removes = not config.method.uses_baseline
    rows = [Perturbation(dropped=units[at]) if removes else Perturbation(units[at]) for at in chosen]
    without = torch.full((len(units), len(scores.whole)), torch.nan, dtype=scores.whole.dtype)
    if rows:
        without[chosen] = yield from ask_outputs(rows)
    values = scores.target(scores.whole) - scores.target(without)
    words = replace(scores, values=values, without=without, by_output=None, without_documents=None)
    return replace(scores, detail=words)


def _by_sentence(prepared: PreparedText, scores: Scores) -> Iterator[int]:
    """The words of the sentence with the largest score, then those of the next, and so on."""
    assert prepared.detail is not None
    words = prepared.detail.units
    for sentence in scores.values.abs().argsort(descending=True, stable=True).tolist():
        tokens = set(prepared.units[sentence])
        yield from (at for at, word in enumerate(words) if tokens.issuperset(word))
