"""Every piece of a text has its place: nothing is lost, nothing overlaps, nothing is too wide."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.shared import json_lines, needs_shared

from unmask.render.colored_spans import ColoredSpan
from unmask.render.layout import Box, Setting, line_count, placed, spelled

SETTING = Setting(width=300.0)


def shaded(text: str, *, size: int = 3) -> list[ColoredSpan]:
    """Pieces of a few characters; every other one is a unit with a color."""
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return [ColoredSpan(piece, 1.0, 0.9) if at % 2 else ColoredSpan(piece) for at, piece in enumerate(pieces)]


def by_line(boxes: tuple[Box, ...]) -> list[list[Box]]:
    return [[box for box in boxes if box.line == line] for line in range(line_count(boxes))]


def check(text: str, setting: Setting = SETTING) -> tuple[Box, ...]:
    pieces = shaded(text)
    boxes = placed(pieces, setting)
    for line in by_line(boxes):
        assert all(-1e-6 <= box.x <= box.left <= box.right + 1e-6 for box in line)
        assert all(one.x + one.width <= other.x + 1e-6 for one, other in pairwise(line))
        assert not line or line[-1].x + line[-1].width <= setting.width + 1e-6
    drawn = "".join(spelled(piece.text) for piece in pieces)
    assert sorted("".join("".join(box.text for box in boxes).split())) == sorted("".join(drawn.split()))
    return boxes


@given(st.text())
@example("0" * 18 + " \u0300")  # an accent on the space at which a line ends
def test_any_text(text: str) -> None:
    check(text)


@given(st.text(alphabet="ab cאב ג12.,-中文。ส\n", max_size=200))
def test_texts_of_many_scripts(text: str) -> None:
    check(text)


@needs_shared
def test_tricky_texts() -> None:
    for row in json_lines("unicode/tricky_unicode.jsonl.gz") + json_lines("unicode/lone_surrogates.jsonl.gz"):
        check(row["text"])


@given(st.text(alphabet="abc de-,.\n", max_size=200))
def test_the_lines_put_together_are_the_text(text: str) -> None:
    lines = ["".join(box.text for box in line) for line in by_line(check(text))]
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert len(lines) >= text.rstrip().count("\n") + 1 or not text.strip()


def test_words_go_to_the_next_line_whole() -> None:
    boxes = placed(
        [ColoredSpan("one gripping beautifully shot film and never once dull or slow")], Setting(width=200.0)
    )
    assert [box.text for box in boxes] == ["one gripping beautifully", "shot film and never once", "dull or slow"]


def test_line_breaks_stay() -> None:
    assert [(box.line, box.text) for box in placed([ColoredSpan("a\n\n b")], SETTING)] == [(0, "a"), (2, " b")]


def test_a_word_of_500_letters_is_folded() -> None:
    boxes = check("m" * 500)
    assert line_count(boxes) > 10


def test_punctuation_does_not_begin_a_line() -> None:
    boxes = placed([ColoredSpan("中文" * 40 + "。")], Setting(width=17.0 * 80))
    assert boxes[-1].text == "文。"


def test_right_to_left_lines_begin_at_the_right() -> None:
    first, space, second = sorted(
        placed([ColoredSpan("שלום", 1.0), ColoredSpan(" "), ColoredSpan("עולם", 1.0)], SETTING), key=lambda b: -b.x
    )
    assert (first.text, space.text, second.text) == ("שלום", " ", "עולם")
    assert first.rtl
    assert first.x + first.width == pytest.approx(300.0)


def test_letters_stay_joined_where_a_unit_ends_inside_a_word() -> None:
    boxes = placed([ColoredSpan("مست", 1.0, 0.9), ColoredSpan("شفى", 1.0, -0.9)], SETTING)
    assert {box.shaped for box in boxes} == {"مست\u200d", "\u200dشفى"}
    apart = placed([ColoredSpan("دا", 1.0, 0.9), ColoredSpan("ر", 1.0, -0.9)], SETTING)
    assert {box.shaped for box in apart} == {"دا", "ر"}


def test_even_room_does_not_depend_on_scores() -> None:
    even = Setting(width=300.0, room="even")
    strong, plain = (
        placed([ColoredSpan("a", 1.0, size), ColoredSpan(" "), ColoredSpan("b", 1.0, 0.0)], even) for size in (0.9, 0.0)
    )
    assert [(box.x, box.width) for box in strong] == [(box.x, box.width) for box in plain]
