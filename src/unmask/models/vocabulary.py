"""The word embeddings of a model, and the nearest neighbors among them."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

UNUSED = re.compile(r"[\[<]unused_?\d+[\]>]|madeupword\d+|<\|?reserved.*\|?>|<extra_id_\d+>", re.IGNORECASE)
BLOCK = 2**26  # values in one matrix of distances: 256 MB in single precision
SPARE = 16  # extra neighbors to fetch, because rounding may swap two of them


class Vocabulary:
    """A model's table of word embeddings.

    Args:
        vectors: [words, width].
        names: The token of each row; "" if there is none.
        special: The rows of special tokens.
        spell: Joins tokens into readable text.
    """

    def __init__(
        self,
        vectors: Tensor,
        names: Sequence[str],
        *,
        special: Iterable[int] = (),
        spell: Callable[[list[str]], str] = " ".join,
    ) -> None:
        self._spell = spell
        self.vectors = vectors
        self.names = names
        self.special = frozenset(special)
        self.memory: dict[Hashable, Any] = {}  # caches that methods keep
        self._near: dict[tuple[int, int, bool], list[int]] = {}

    @cached_property
    def apart(self) -> Tensor:
        """The rows whose tokens do not occur in texts: special, unused and unnamed tokens."""
        unused = {row for row, name in enumerate(self.names) if not name or UNUSED.fullmatch(name)}
        unnamed = range(len(self.names), len(self.vectors))
        return torch.tensor(sorted({*self.special, *unused, *unnamed}), dtype=torch.long, device=self.vectors.device)

    def neighbors(self, words: Sequence[int], count: int, *, only_words: bool = False) -> list[list[int]]:
        """The rows nearest to each word, without the word itself; `only_words` excludes the rows in `apart`."""
        missing = [word for word in dict.fromkeys(words) if (word, count, only_words) not in self._near]
        for start in range(0, len(missing), self._rows):
            block = missing[start : start + self._rows]
            squares = self._squares(self.vectors[block], only_words=only_words)
            squares[range(len(block)), block] = torch.inf
            nearest = squares.topk(min(count + SPARE, squares.shape[1] - 1), largest=False)
            for word, near, is_apart in zip(block, nearest.indices, nearest.values.isinf(), strict=True):
                self._near[word, count, only_words] = self._sorted(near[~is_apart], word)[:count]
        return [self._near[word, count, only_words] for word in words]

    def nearest(self, points: Tensor) -> tuple[Tensor, Tensor]:
        """The row nearest to each point and its distance, [points] each; `points` are [points, width]."""
        rows, distances = [], []
        for block in points.to(self.vectors).split(self._rows):
            rows.append(self._squares(block).argmin(-1))
            distances.append((block - self.vectors[rows[-1]]).norm(dim=-1))  # expanded squares lose small distances
        return torch.cat(rows), torch.cat(distances)

    def spelled(self, rows: Sequence[int]) -> str:
        """The tokens of some rows as readable text; a row without a token is shown by its number."""
        return self._spell([self.names[row] if row < len(self.names) else f"[{row}]" for row in rows]).strip()

    def _sorted(self, rows: Tensor, word: int) -> list[int]:
        """Sort rows by their distance from a word, independently of the other words in the query."""
        rows = rows.sort().values  # in ties, the lower row comes first
        distances = (self.vectors[rows] - self.vectors[word]).square().sum(-1)
        return rows[distances.argsort(stable=True)].tolist()

    @property
    def _rows(self) -> int:
        return max(1, BLOCK // len(self.vectors))

    @cached_property
    def _norms(self) -> Tensor:
        return self.vectors.square().sum(-1)

    def _squares(self, points: Tensor, *, only_words: bool = False) -> Tensor:
        """Squared distances from points to all words, up to a constant per point, [points, words]."""
        squares = self._norms - 2 * points @ self.vectors.T
        if only_words:
            squares[:, self.apart] = torch.inf
        return squares
