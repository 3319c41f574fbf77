"""Lines of a text: nothing is lost, nothing is too wide, and directions mix as Unicode says."""

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st
from support.shared import json_lines, needs_shared

from unmask.render.colored_spans import ColoredSpan
from unmask.render.escape import shown
from unmask.render.lines import has_direction, is_rtl, joined, wrap

WIDTH = 30.0


def measure(text: str, span: ColoredSpan, ends: bool) -> float:
    return len(regex.findall(r"\X", text)) + ends * (span.level != 0)


def lines(spans: list[ColoredSpan], width: float = WIDTH) -> list[list[str]]:
    return [[run.text for run in runs] for runs, _ in wrap(spans, width, measure)]


def colored(text: str, *, size: int = 3) -> list[ColoredSpan]:
    """Pieces of a few characters; every other one is a unit with a color."""
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return [ColoredSpan(piece, 1.0, 0.9) if at % 2 else ColoredSpan(piece) for at, piece in enumerate(pieces)]


def check(text: str) -> None:
    spans = colored(text)
    written = "".join(run.text for runs, _ in wrap(spans, WIDTH, measure) for run in runs)
    assert sorted("".join(written.split())) == sorted("".join("".join(shown(span.text) for span in spans).split()))
    for runs, _ in wrap(spans, WIDTH, measure):
        assert len(runs) <= 1 or sum(measure(run.text, run.span, run.ends) for run in runs) <= WIDTH


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


def test_words_go_to_the_next_line_whole() -> None:
    assert lines([ColoredSpan("one gripping beautifully shot film and never")], 20) == [
        ["one gripping"],
        ["beautifully shot"],
        ["film and never"],
    ]


def test_line_breaks_stay() -> None:
    assert lines([ColoredSpan("a\n\n b")]) == [["a"], [], [" b"]]


def test_a_long_word_is_folded() -> None:
    assert len(lines([ColoredSpan("m" * 500)])) == 17


def test_punctuation_does_not_begin_a_line() -> None:
    assert lines([ColoredSpan("中文" * 10 + "。")], 20)[-1] == ["文。"]


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
    """Of separately colored letters; checked against orders made by hand."""
    ((runs, rtl),) = wrap([ColoredSpan(letter, 1.0) for letter in text], 99, measure)
    assert "".join(run.text for run in runs) == seen
    assert rtl == is_rtl(text)


def test_units_stand_in_their_order_and_read_in_theirs() -> None:
    spans = [ColoredSpan("שלום", 1.0), ColoredSpan(" "), ColoredSpan("world", 1.0), ColoredSpan("!", 1.0)]
    assert lines(spans) == [["!", "world", " ", "שלום"]]
    ((runs, _),) = wrap(spans, WIDTH, measure, order="logical")
    assert [run.text for run in runs] == ["שלום", " ", "world", "!"]


@pytest.mark.parametrize(
    ("text", "rtl"),
    [("abc", False), ("אבג", True), ("123 אב abc", True), ("(a אב", False), ("123", False), ("", False)],
)
def test_the_first_letter_decides(text: str, rtl: bool) -> None:
    assert is_rtl(text) is rtl
    assert has_direction(text) is any(letter.isalpha() for letter in text)


def test_letters_stay_joined_where_a_unit_ends_inside_a_word() -> None:
    def shaped(*parts: str) -> set[str]:
        ((runs, _),) = wrap([ColoredSpan(part, 1.0) for part in parts], WIDTH, measure)
        return set(joined(runs))

    assert shaped("مست", "شفى") == {"مست\u200d", "\u200dشفى"}
    assert shaped("دا", "ر") == {"دا", "ر"}
