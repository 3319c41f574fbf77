"""Paths from words to the baseline through other words (Sanyal and Ren 2021), for all words of a text at once.

A path starts at the word and visits `steps` anchors. The next anchor is the cheapest of the current anchor's nearest
words that is not on the path yet, or the baseline if none is left. A dimension is monotone if its value lies between
those of the baseline and the previous point; every other dimension moves one step toward the baseline instead.

`reference` follows the published code. It compares candidates with the previous anchor, although the path continues
from that anchor's monotone copy, and it treats special and unused tokens as words. `corrected` compares candidates with
the point from which the path continues, and excludes special and unused tokens.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from ..models.vocabulary import Vocabulary

WORDS = 16  # per block of candidates: 25 MB for 500 candidates of width 768


@dataclass(frozen=True, slots=True)
class Search:
    """The settings of a search; `end` is the baseline's row in the embedding table, or None for the zero vector."""

    end: int | None
    steps: int
    neighbors: int
    strategy: str
    rule: str


class DigPaths:
    """The paths from words to one baseline, cached."""

    def __init__(self, vocabulary: "Vocabulary", search: Search) -> None:
        self._vocabulary, self._search = vocabulary, search
        vectors = vocabulary.vectors
        self._vector = vectors.new_zeros(vectors.shape[1]) if search.end is None else vectors[search.end]
        self._ranks: dict[int, list[int]] = {}  # candidates of `reference`, which depend only on the anchor
        self._known: dict[int, Tensor] = {}

    def points(self, words: Sequence[int]) -> Tensor:
        """The path from the baseline to each word, [steps + 2, words, width]."""
        missing = [word for word in dict.fromkeys(words) if word not in self._known]
        if missing:
            self._known |= dict(zip(missing, self._search_paths(missing).unbind(1), strict=True))
        return torch.stack([self._known[word] for word in words], 1)

    def _search_paths(self, words: Sequence[int]) -> Tensor:
        """The paths of distinct words."""
        paths = [[word] for word in words]
        points = [self._vocabulary.vectors[list(words)]]
        for _ in range(self._search.steps):
            ranked = self._ranked([path[-1] for path in paths], points[-1])
            for path, candidates in zip(paths, ranked, strict=True):
                path.append(self._next(path, candidates))
            points.append(self._moved(points[-1], [path[-1] for path in paths]))
        points.append(self._vector.expand_as(points[-1]))
        return torch.stack(points[::-1])

    def _next(self, path: list[int], candidates: Iterable[int]) -> int:
        """The first candidate that is not on the path yet, or -1 for the baseline, where the path ends."""
        if path[-1] in (self._search.end, -1):
            return -1
        return next((one for one in candidates if one != self._search.end and one not in path), -1)

    def _moved(self, points: Tensor, anchors: Sequence[int]) -> Tensor:
        """The paths' next points, [words, width]."""
        at_end = torch.tensor([anchor == -1 for anchor in anchors], device=points.device)
        vectors = torch.where(at_end[:, None], self._vector, self._vocabulary.vectors[list(anchors)])
        return vectors if self._search.strategy == "non_monotonic" else self._monotone(points, vectors)

    def _monotone(self, current: Tensor, candidates: Tensor) -> Tensor:
        """The monotone copies of the candidates.

        A coordinate between those of the current point and the baseline is kept. Every other coordinate is replaced by
        the current point's, moved one step toward the baseline.
        """
        is_valid = self._is_between(current, candidates)
        return torch.where(is_valid, candidates, current - (current - self._vector) / self._search.steps)

    def _is_between(self, current: Tensor, candidates: Tensor) -> Tensor:
        low, high = torch.minimum(current, self._vector), torch.maximum(current, self._vector)
        return (candidates >= low) & (candidates <= high)

    def _ranked(self, anchors: Sequence[int], points: Tensor) -> list[Sequence[int]]:
        """Each path's candidates, cheapest first; empty for paths that have reached the baseline."""
        if self._search.rule == "reference":
            new = [word for word in dict.fromkeys(anchors) if word not in self._ranks and word != -1]
            if new:
                self._ranks |= zip(new, self._by_cost(new, self._vocabulary.vectors[new]), strict=True)
            return [self._ranks.get(anchor, ()) for anchor in anchors]
        moving = [place for place, anchor in enumerate(anchors) if anchor != -1]
        orders = self._by_cost([anchors[place] for place in moving], points[moving]) if moving else []
        ranked = dict(zip(moving, orders, strict=True))
        return [ranked.get(place, ()) for place in range(len(anchors))]

    def _by_cost(self, anchors: Sequence[int], points: Tensor) -> list[list[int]]:
        """The neighbors of each anchor, ordered by their cost relative to the path's current point."""
        only_words = self._search.rule == "corrected"
        near = self._vocabulary.neighbors(anchors, self._search.neighbors, only_words=only_words)
        ordered: list[list[int]] = []
        width = max(map(len, near)) or 1
        filled = [[*words, *[anchor] * (width - len(words))] for words, anchor in zip(near, anchors, strict=True)]
        for start in range(0, len(anchors), WORDS):
            block = torch.tensor(filled[start : start + WORDS], device=points.device)
            costs = self._costs(points[start : start + WORDS, None], self._vocabulary.vectors[block])
            order = costs.argsort(dim=-1, stable=True)  # in ties, the nearer word comes first
            ordered += block.gather(1, order).tolist()
        return ordered

    def _costs(self, points: Tensor, candidates: Tensor) -> Tensor:
        """The cost of each candidate, [words, neighbors]; points are [words, 1, width]."""
        if self._search.strategy == "non_monotonic":
            return _lengths(candidates - self._vector)
        if self._search.strategy == "max_count":
            return -self._is_between(points, candidates).sum(-1)
        return _lengths(candidates - self._monotone(points, candidates))


def _lengths(vectors: Tensor) -> Tensor:
    return vectors.square().sum(-1).sqrt()


def doubled(points: Tensor, factor: int) -> Tensor:
    """Insert the midpoint of every two neighboring points along the first dimension, `factor` times."""
    for _ in range(factor):
        middles = (points[:-1] + points[1:]) / 2
        pairs = torch.stack([points[:-1], middles], 1).flatten(0, 1)
        points = torch.cat([pairs, points[-1:]])
    return points
