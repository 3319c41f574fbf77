"""Every chunk is handed on once and in order, whatever happens to the workers."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from unmask.executors.base import ChunkWork
from unmask.executors.ledger import ChunkLedger, ChunkPart


class Doubling:
    """Doubles the numbers of a chunk."""

    threads, device, batch_tokens = 1, "cpu", None

    def __call__(self, chunk: list[int], progress: Any) -> list[Any]:
        return [2 * one for one in chunk]

    def halves(self, chunk: list[int]) -> tuple[list[int], list[int]] | None:
        middle = len(chunk) // 2
        return (chunk[:middle], chunk[middle:]) if middle else None

    def join(self, results: Sequence[list[Any]]) -> list[Any]:
        return [one for result in results for one in result]

    def failure(self, chunk: list[int], reason: str) -> list[Any]:
        return [f"{chunk[0]} failed"]


CHUNKS = [list(range(at, at + 8)) for at in range(0, 80, 8)]


def test_it_is_work() -> None:
    assert isinstance(Doubling(), ChunkWork)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_only_what_kills_fails_and_nothing_is_lost_or_twice(seed: int) -> None:
    rng, work = random.Random(seed), Doubling()
    poisons = set(rng.sample(range(80), 5))
    ledger, running, found, deaths = ChunkLedger(work, CHUNKS, window=4), list[ChunkPart](), [], 0
    while not ledger.is_finished:
        while len(running) < 3 and (piece := ledger.next_piece()):
            running.append(piece)
        piece = running.pop(rng.randrange(len(running)))
        if poisons & set(piece.chunk):
            deaths += 1
            ledger.blame(piece)
        elif rng.random() < 0.2:
            ledger.return_piece(piece)
        else:
            ledger.put(piece, work(piece.chunk, None))
        found += list(ledger.take_finished())
    expected = [[f"{one} failed" if one in poisons else 2 * one for one in chunk] for chunk in CHUNKS]
    assert found == list(zip(CHUNKS, expected, strict=True))
    assert not running
    assert deaths <= len(poisons) * 6  # two of the chunk, one of each half, two of the text


def test_one_accident_halves_nothing() -> None:
    ledger = ChunkLedger(Doubling(), CHUNKS[:1], window=4)
    piece = ledger.next_piece()
    assert piece is not None
    ledger.blame(piece)
    assert ledger.next_piece() is piece
    assert piece.chunk == CHUNKS[0]


def test_results_that_wait_are_bounded() -> None:
    ledger = ChunkLedger(Doubling(), CHUNKS, window=4)
    pieces = [ledger.next_piece() for _ in range(5)]
    assert pieces[-1] is None
    for piece in pieces[1:4]:
        assert piece is not None
        ledger.put(piece, [])
    assert list(ledger.take_finished()) == []
    assert ledger.next_piece() is None
