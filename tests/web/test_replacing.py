"""Where characters of a text are after some of its units were replaced."""

import pytest

from unmask import Request
from unmask.text.spans import Span
from unmask.text.units import AlignedUnit
from unmask.web.replacing import Replaced

UNITS = [AlignedUnit(Span(start, end), (at,)) for at, (start, end) in enumerate([(0, 4), (5, 9), (10, 15)])]


def place(now: list[Span | None], span: tuple[int, int], segment: int = 0) -> Span:
    return Replaced(Request("some text"), tuple(now)).place(Span(*span), segment, UNITS)


@pytest.mark.parametrize(
    ("now", "span", "expected"),
    [
        ([Span(0, 4), Span(5, 9), Span(10, 15)], (5, 9), (5, 9)),
        ([Span(0, 6), Span(7, 11), Span(12, 17)], (5, 9), (7, 11)),  # a longer unit before
        ([Span(0, 4), Span(5, 9), Span(10, 12)], (5, 9), (5, 9)),  # a shorter one after
        ([Span(0, 4), Span(5, 8), Span(9, 14)], (5, 9), (5, 8)),  # the unit itself
        ([Span(0, 4), None, Span(6, 11)], (5, 9), (5, 5)),
        ([None, Span(1, 5), Span(6, 11)], (10, 12), (6, 8)),
        ([Span(0, 4), Span(5, 10), Span(11, 19)], (5, 12), (5, 19)),  # one that is only partly inside, in full
        ([Span(0, 7), Span(8, 12), Span(13, 18)], (2, 9), (0, 12)),
    ],
)
def test_characters_follow_the_units(now: list[Span | None], span: tuple[int, int], expected: tuple[int, int]) -> None:
    assert place(now, span) == Span(*expected)


def test_units_of_another_segment_move_nothing() -> None:
    assert place([None, None, None], (5, 9), segment=1) == Span(5, 9)
