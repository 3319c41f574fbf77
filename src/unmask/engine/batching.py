"""Packs model inputs (rows) into batches: by length within a token budget, and by the positions that are read."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Protocol, TypeVar


class Sized(Protocol):
    """An object with a length in tokens."""

    @property
    def length(self) -> int:
        """The number of tokens."""


class Read(Protocol):
    """An object whose outputs are needed at all of its tokens, or only at some."""

    @property
    def read_at(self) -> list[int] | None:
        """The tokens whose outputs are needed; None if all are."""


ReadItem = TypeVar("ReadItem", bound=Read)
Item = TypeVar("Item", bound=Sized)


def pack_rows(rows: Iterable[Item], budget: int, *, padded: bool = True) -> Iterator[list[Item]]:
    """Yield batches of rows of similar length, longest first. A batch has at most `budget` tokens, padding included.

    A row that exceeds the budget gets its own batch. If rows of equal length fill at least half a batch, they get
    batches without padding, which run faster. Other rows share batches with shorter rows, but a batch that is a quarter
    full takes no rows that are much shorter.

    Args:
        padded: Whether rows of different lengths may share a batch.
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
    """Yield batches in which the number of rows times the number of positions read is at most `most`.

    A single row may exceed that limit. The outputs of all rows in a batch are read at the same positions, so rows whose
    outputs are needed at similar positions stay together.
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
    """Split the rows into as few parts as possible, of about equal size and none larger than `most`."""
    count = -(-len(rows) // most)
    for part in range(count):
        yield rows[part * len(rows) // count : (part + 1) * len(rows) // count]
