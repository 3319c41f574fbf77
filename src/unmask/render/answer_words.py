"""An answer as selectable words, each with its tokens."""

import math
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from ..results.explanation import Explanation
from ..text.segmentation import words
from ..text.spans import Span


class Word(NamedTuple):
    """A word of the answer, or the text between two words (without tokens)."""

    text: str
    tokens: tuple[int, ...] = ()  # indices of the word's outputs
    probability: float = math.nan  # the joint probability of the word's tokens
    is_target: bool = False  # whether it is part of the target, if the target is a part of the answer


def answer_words(explanation: Explanation) -> Iterator[Word]:
    """The answer as words, each with its tokens; each of two contrasted continuations is one word."""
    if not explanation.output_tokens:
        pairs = zip(explanation.outputs, output_probabilities(explanation), strict=True)
        yield from (Word(text.strip() or text, (at,), share) for at, (text, share) in enumerate(pairs))
        return
    text, tokens, position = explanation.continuation or "", explanation.output_tokens, 0
    chosen = explanation.target_outputs or ()
    is_part = len(chosen) < len(tokens)
    for group in _word_tokens(explanation):
        end = max(tokens[at].end for at in group)
        piece = text[position:end]
        blank = len(piece) - len(piece.lstrip()) if piece.strip() else 0
        if blank and (position or "\n" in piece[:blank]):  # ignore the space before an answer
            yield Word(piece[:blank])
        share = math.prod(tokens[at].probability for at in group)
        name = piece[blank:] or tokens[group[0]].text  # for a special token or a part of a character
        yield Word(name, tuple(group), share, is_part and any(at in chosen for at in group))
        position = max(position, end)
    if position < len(text):
        yield Word(text[position:])


def _word_tokens(explanation: Explanation) -> list[list[int]]:
    """The tokens of each word; a token without a visible character is a separate word."""
    text, count = explanation.continuation or "", len(explanation.output_tokens)
    if explanation.scale != "log_probability":  # the only scale on which tokens add up to words
        return [[at] for at in range(count)]
    spans, groups, last, first = words(text, Span(0, len(text))), list[list[int]](), None, 0
    for at, token in enumerate(explanation.output_tokens):
        while first < len(spans) and spans[first].end <= token.start:
            first += 1
        part = Span(token.start, token.end)
        inside = list(takewhile(part.overlaps, spans[first:]))
        if inside and inside[0] == last:
            groups[-1].append(at)
        else:
            groups.append([at])
        last = inside[-1] if inside else None
    return groups


def output_probabilities(explanation: Explanation) -> tuple[float, ...]:
    """The probability of each output: a token of the answer, or a continuation."""
    if explanation.output_tokens:
        return tuple(token.probability for token in explanation.output_tokens)
    return tuple(np.exp(explanation.whole).tolist())
