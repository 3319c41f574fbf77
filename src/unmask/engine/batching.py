"""Packs rows into batches: by length under a token budget, and by the tokens that are read."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Protocol, TypeVar


class Sized(Protocol):
    """An object with a length in tokens."""

    @property
    def length(self) -> int:
        """The number of tokens."""


class Read(Protocol):
    """An object whose outputs are read as a whole or only at some of its tokens."""

    @property
    def read_at(self) -> list[int] | None:
        """The tokens whose outputs are read; None if the object is read as a whole."""


ReadItem = TypeVar("ReadItem", bound=Read)
Item = TypeVar("Item", bound=Sized)


def pack_rows(rows: Iterable[Item], budget: int, *, padded: bool = True) -> Iterator[list[Item]]:
    """Batches of rows of similar length, longest first; each has one row or at most `budget` tokens with padding.

    Rows of one length that fill at least half a batch get batches without padding, which run faster. Other rows share
    batches with shorter rows, but a batch that is a quarter full takes no rows that are much shorter.

    Args:
        padded: Whether rows of different length may share a batch.
    """
    mixed: list[Item] = []
    for length, group in groupby(sorted(rows, key=lambda row: -row.length), key=lambda row: row.length):
        alike = list(group)
        if not padded or 2 * len(alike) * length >= budget:
            yield from _parts(alike, max(1, budget // length))
            continue
        for row in alike:
            if mixed:
                longest = mixed[0].length
                is_full = (len(mixed) + 1) * longest > budget
                # Much shorter: less than three quarters of the longest row.
                if is_full or (4 * length < 3 * longest and 4 * len(mixed) * longest >= budget):
                    yield mixed
                    mixed = []
            mixed.append(row)
    if mixed:
        yield mixed


def split_by_positions(rows: list[ReadItem], most: int | None) -> Iterator[list[ReadItem]]:
    """Batches in which the rows, times the tokens read in any of them, are at most `most`; one row may exceed that.

    All rows of a batch are read at the same tokens, so rows that are read at similar positions stay together.
    """
    if most is None or rows[0].read_at is None:
        yield rows
        return
    batch, union = list[ReadItem](), set[int]()
    for row in sorted(rows, key=lambda row: row.read_at or []):
        wider = union | set(row.read_at or ())
        if batch and (len(batch) + 1) * len(wider) > most:
            yield batch
            batch, wider = [], set(row.read_at or ())
        batch, union = [*batch, row], wider
    yield batch


def _parts(rows: list[Item], most: int) -> Iterator[list[Item]]:
    """The rows in as few parts as possible, none larger than `most`, of about equal size."""
    count = -(-len(rows) // most)
    for part in range(count):
        yield rows[part * len(rows) // count : (part + 1) * len(rows) // count]
