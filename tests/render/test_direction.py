"""Lines run as the Unicode bidirectional algorithm says; checked by hand-made orders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.render.advance import clusters
from unmask.render.direction import is_rtl, levels, visual


@pytest.mark.parametrize(
    ("text", "rtl"),
    [("abc", False), ("אבג", True), ("123 אב abc", True), ("(a אב", False), ("123", False), ("", False)],
)
def test_the_first_letter_decides(text: str, rtl: bool) -> None:
    assert is_rtl(text) is rtl


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("abc אבג def", "abc גבא def"),
        ("אבג def", "def גבא"),
        ("אב 10,5% גד", "דג 10,5% בא"),
        ("abc 10,5% def", "abc 10,5% def"),
        ("ab אב 12 גד cd", "ab דג 12 בא cd"),
        ("אב ab 12.", ".ab 12 בא"),
    ],
)
def test_the_order_from_left_to_right(text: str, seen: str) -> None:
    parts = clusters(text)
    order = visual(levels(parts, rtl=is_rtl(text)))
    assert "".join(parts[at] for at in order) == seen


@given(st.text(alphabet="ab אב12.,%(-"))
def test_every_character_has_one_place(text: str) -> None:
    parts = clusters(text)
    assert sorted(visual(levels(parts, rtl=is_rtl(text)))) == list(range(len(parts)))
