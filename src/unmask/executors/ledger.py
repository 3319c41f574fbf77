"""Tracks which chunks are waiting, being computed or done, and returns each chunk exactly once, in order.

If a worker dies, its chunk is retried once, since the chunk may not be the cause. Then the chunk is halved repeatedly
until only the text that kills workers is left, and only that text fails. Independent of Ray.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .base import ChunkWork

TRIES = 2  # for a whole chunk, and for a single text
KILLED = "the worker process died twice while explaining this text, perhaps because it ran out of memory"


@dataclass(slots=True, eq=False)
class ChunkPart:
    """A chunk, or a part of one that was halved."""

    chunk: Any
    tries: int = TRIES  # attempts left
    result: tuple[Any] | None = None  # set once it is computed


@dataclass(slots=True, eq=False)
class _Entry:
    chunk: Any
    pieces: list[ChunkPart]  # in order

    @property
    def is_done(self) -> bool:
        return all(piece.result is not None for piece in self.pieces)


class ChunkLedger:
    """The state of a sequence of chunks.

    Args:
        window: How many chunks may be in progress after the first unfinished one; limits the results held in memory.
    """

    def __init__(self, work: ChunkWork, chunks: Iterable[Any], *, window: int) -> None:
        self._work, self._chunks, self.window = work, iter(chunks), window
        self._entries, self._waiting = deque[_Entry](), deque[ChunkPart]()
        self._is_read = False

    def next_piece(self) -> ChunkPart | None:
        """Return a piece to compute; None if there is none at the moment."""
        if not self._waiting:
            self._read()
        return self._waiting.popleft() if self._waiting else None

    @property
    def is_finished(self) -> bool:
        """Whether every chunk has been returned."""
        if not self._entries:
            self._read()
        return not self._entries

    def put(self, piece: ChunkPart, result: Any) -> None:
        """Store the result of a piece."""
        piece.result = (result,)

    def return_piece(self, piece: ChunkPart) -> None:
        """Give back a piece that did not cause its worker's death, so that another worker can compute it."""
        self._waiting.appendleft(piece)

    def blame(self, piece: ChunkPart) -> None:
        """Record that a worker died while computing a piece; retry it, halve it, or give up on it."""
        piece.tries -= 1
        halves = self._work.halves(piece.chunk)
        if piece.tries > 0:
            self._waiting.appendleft(piece)
        elif halves is None:
            self.put(piece, self._work.failure(piece.chunk, KILLED))
        else:
            # The piece failed twice, so each half gets one try before it is halved again. A single text gets all tries.
            pieces = [ChunkPart(half, 1 if self._work.halves(half) else TRIES) for half in halves]
            entry = next(one for one in self._entries if piece in one.pieces)
            at = entry.pieces.index(piece)
            entry.pieces[at : at + 1] = pieces
            self._waiting.extendleft(reversed(pieces))

    def take_finished(self) -> Iterator[tuple[Any, Any]]:
        """Yield chunks with their results, in order, up to the first unfinished chunk."""
        while self._entries and self._entries[0].is_done:
            entry = self._entries.popleft()
            results = [piece.result[0] for piece in entry.pieces if piece.result is not None]
            yield entry.chunk, results[0] if len(results) == 1 else self._work.join(results)

    def _read(self) -> None:
        if self._is_read or len(self._entries) >= self.window:
            return
        for chunk in self._chunks:
            piece = ChunkPart(chunk)
            self._entries.append(_Entry(chunk, [piece]))
            self._waiting.append(piece)
            return
        self._is_read = True
