"""Rows packed by length under a token budget."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Protocol, TypeVar


class Sized(Protocol):
    """Something with a length in tokens."""

    @property
    def length(self) -> int:
        """Its tokens."""


Item = TypeVar("Item", bound=Sized)


def pack_rows(rows: Iterable[Item], budget: int, *, padded: bool = True) -> Iterator[list[Item]]:
    """Rows of like length together, longest first; rows times the longest stay within the budget, one row at least.

    Rows of one length that fill half a batch or more have batches of their own, of about equal size: without padding
    a model runs faster. Fewer share batches with shorter ones; not with much shorter ones once there are some.

    Args:
        padded: Whether rows of unlike length may share a batch.
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
                # A batch that is a quarter full is not filled up with rows of less than three quarters of its length.
                if is_full or (4 * length < 3 * longest and 4 * len(mixed) * longest >= budget):
                    yield mixed
                    mixed = []
            mixed.append(row)
    if mixed:
        yield mixed


def _parts(rows: list[Item], most: int) -> Iterator[list[Item]]:
    """The rows in as few parts as possible, none larger than `most`, of about equal size."""
    count = -(-len(rows) // most)
    for part in range(count):
        yield rows[part * len(rows) // count : (part + 1) * len(rows) // count]
