"""Splits a text that exceeds a model's limit into overlapping windows of about equal length, cut between sentences."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import count, pairwise
from math import ceil

from .segmentation import sentences, words
from .spans import Span

OVERLAP = 0.25  # the share of a window that overlaps the next one


def split_windows(text: str, tokens: Sequence[Span], room: int) -> list[Span]:
    """The fewest windows of at most `room` tokens that cover the whole text, in order.

    Windows are about equally long and overlap by a quarter. If there is room, the overlap is extended to the start of
    the sentence in which that quarter begins. A sentence longer than a window is cut between words, and a word longer
    than a window between tokens.

    Args:
        tokens: The spans of the text's tokens, without special tokens.

    >>> text = "One two. Three four. Five six. Seven."
    >>> tokens = words(text, Span(0, len(text)))
    >>> [text[start:end] for start, end in split_windows(text, tokens, 8)]
    ['One two. Three four. ', 'Three four. Five six. Seven.']
    """
    starts = sorted(token.start for token in tokens)
    borders = _borders(text, starts, room)
    places = [bisect_left(starts, border) for border in borders]  # the number of tokens before each border
    for windows in count(max(2, ceil((len(starts) / room - OVERLAP) / (1 - OVERLAP)))):
        size = len(starts) / (windows - (windows - 1) * OVERLAP)
        begins = [at * (1 - OVERLAP) * size for at in range(windows)]
        for snap in (_last_before, _nearest):
            ends = _without_repeats([(snap(places, begin), _nearest(places, begin + size)) for begin in begins])
            if all(places[end] - places[start] <= room for start, end in ends):
                return [Span(borders[start], borders[end]) for start, end in ends]
    raise AssertionError("a window of one piece always has room")


def _borders(text: str, starts: Sequence[int], room: int) -> list[int]:
    """The positions where a window may begin or end, with at least one token between any two."""
    pieces = [Span(0, len(text))]
    rules = (sentences, words, lambda _, part: [Span(start, start) for start in starts if start in range(*part)])
    for split in rules:
        pieces = [
            smaller
            for piece in pieces
            for smaller in ([piece] if _size(piece, starts) <= room else _from_starts(piece, split(text, piece)))
        ]
    borders = list[int]()
    for piece in pieces:
        if _size(piece, starts):
            borders.append(piece.start)
    return [0, *borders[1:], len(text)]


def _from_starts(piece: Span, spans: Sequence[Span]) -> list[Span]:
    """Cut the piece wherever one of the spans begins."""
    edges = [piece.start, *(span.start for span in spans[1:]), piece.end]
    return [Span(*edge) for edge in pairwise(edges)]


def _size(piece: Span, starts: Sequence[int]) -> int:
    """The number of tokens that begin in a piece."""
    return bisect_left(starts, piece.end) - bisect_left(starts, piece.start)


def _last_before(places: Sequence[int], at: float) -> int:
    """The index of the last position that is not after `at`."""
    return bisect_right(places, at) - 1


def _nearest(places: Sequence[int], at: float) -> int:
    """The index of the nearest position, the first in ties. Never decreases as `at` grows, so windows leave no gap."""
    behind = min(bisect_left(places, at), len(places) - 1)
    return behind - 1 if behind and at - places[behind - 1] <= places[behind] - at else behind


def _without_repeats(windows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The windows that are neither empty nor inside another window, given windows in ascending order."""
    kept = list[tuple[int, int]]()
    for start, end in windows:
        if start == end or (kept and kept[-1][1] == end):
            continue
        if kept and kept[-1][0] == start:
            kept.pop()
        kept.append((start, end))
    return kept
