"""The blocks of an answer's context (messages, documents or the prompt), each with the effect of masking it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..results.explanation import Explanation
from .answer_matrix import Matrix, block_effects, target_weights
from .answers import GeneratedAnswers
from .colored_spans import ColoredSpan, colored_spans
from .numbers import decimals
from .view import SO_FAR

NEVER = "never masked"


class ContextSpan(NamedTuple):
    """A unit of the context or the text between two units."""

    span: ColoredSpan
    sentence: ColoredSpan | None = None  # the larger unit that begins here, if units of two sizes are drawn


@dataclass(frozen=True, slots=True)
class Block:
    """A message, a document or the prompt, and how much the target drops if all its units are masked together.

    This is not the sum of its units' scores, because words that say the same thing cover for each other. `score` is
    None for a block that is never masked, or if the effect is not known.
    """

    name: str
    pieces: tuple[ContextSpan, ...]
    score: float | None = None
    strength: float = 0.0  # the score as a bar, -1 to 1
    number: str = ""
    effect: str = ""  # how much less likely the target is without the block, or "never masked"
    outputs: tuple[float, ...] = ()  # how much each output drops, on the explanation's scale
    losses: tuple[float, ...] = ()  # the same in log-probability; empty if not known

    @property
    def level(self) -> int:
        """The color level of the bar."""
        return 0 if self.score is None else ColoredSpan("x", self.score, self.strength).level


def answer_blocks(explanation: Explanation, units: Sequence[ColoredSpan]) -> tuple[Block, ...]:
    """The blocks of a prompt; the answer so far is also a block if its tokens are units."""
    last, having = len(explanation.segments) - 1, {unit.segment for unit in explanation.units}
    shown = [at for at in range(last + 1) if at < last or at in having]
    outputs = block_effects(explanation, explanation.scale) if len(shown) > 1 else None
    weights = np.array(target_weights(explanation))
    scores = {} if outputs is None else {at: float(outputs[at] @ weights) for at in shown if at in having}
    full = max(map(abs, scores.values()), default=0.0)
    return tuple(_block(explanation, at, units, scores.get(at), full, outputs) for at in shown)


def _block(
    explanation: Explanation,
    at: int,
    units: Sequence[ColoredSpan],
    score: float | None,
    full: float,
    outputs: Matrix | None,
) -> Block:
    name = SO_FAR if at == len(explanation.segments) - 1 else explanation.segments[at].name
    pieces, raw = tuple(_pieces(explanation, at, units)), (explanation.without_segments or {at: None})[at]
    if score is None or raw is None or outputs is None:
        return Block(name, pieces, effect="" if outputs is None else NEVER)
    is_mean = explanation.activation == "sequence_mean"
    losses = None if is_mean else block_effects(explanation, "log_probability")
    return Block(
        name,
        pieces,
        score,
        score / full if full else 0.0,
        ColoredSpan("", score, decimals=decimals(full)).number,
        GeneratedAnswers(explanation).effect(raw),
        tuple(outputs[at].tolist()),
        () if losses is None else tuple(losses[at].tolist()),
    )


def _pieces(explanation: Explanation, segment: int, units: Sequence[ColoredSpan]) -> Iterator[ContextSpan]:
    """A segment's text, split into its smallest units; the first one in a larger unit also refers to that unit."""
    inner, first = explanation.detail, len(explanation.units) if explanation.detail else 0
    starts = {unit.start: at for at, unit in enumerate(explanation.units) if unit.segment == segment} if inner else {}
    position = 0
    for span in colored_spans(inner or explanation, segment):
        position += len(span.text)
        inside = [start for start in starts if start < position] if span.score is not None else []
        sentence = units[starts.pop(inside[0])] if inside else None
        yield ContextSpan(units[first + span.place] if span.score is not None else span, sentence)
