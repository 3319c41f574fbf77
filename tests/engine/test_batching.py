"""Packing under a budget."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from unmask.engine.batching import pack_rows


@dataclass(frozen=True)
class Row:
    length: int


@given(st.lists(st.integers(1, 60), max_size=80), st.integers(1, 200))
def test_every_row_once_within_the_budget(lengths: list[int], budget: int) -> None:
    found = list(pack_rows(map(Row, lengths), budget))
    assert sorted(row.length for batch in found for row in batch) == sorted(lengths)
    assert all(len(batch) == 1 or len(batch) * max(row.length for row in batch) <= budget for batch in found)


def test_rows_of_like_length_go_together() -> None:
    found = [[row.length for row in batch] for batch in pack_rows(map(Row, [3, 9, 3, 9, 3]), 18)]
    assert found == [[9, 9], [3, 3, 3]]
