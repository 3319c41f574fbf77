"""Rows packed by length under a token budget."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar


class Sized(Protocol):
    """Something with a length in tokens."""

    @property
    def length(self) -> int:
        """Its tokens."""
        ...


Item = TypeVar("Item", bound=Sized)


def batches(rows: Iterable[Item], budget: int, *, padded: bool = True) -> Iterator[list[Item]]:
    """Rows of like length together, longest first; rows times the longest stay within the budget, one row at least.

    Args:
        padded: Whether rows of unlike length may share a batch.
    """
    batch: list[Item] = []
    for row in sorted(rows, key=lambda row: -row.length):
        is_full = batch and (len(batch) + 1) * batch[0].length > budget
        if is_full or (batch and not padded and row.length < batch[0].length):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
