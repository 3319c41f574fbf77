"""Windows hold the whole text, fit into the model, end at sentence borders and overlap."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.text.segmentation import sentences, words
from unmask.text.spans import Span
from unmask.text.windows import split_windows

SENTENCE = "The film is good and long. "


def tokens(text: str) -> list[Span]:
    return words(text, Span(0, len(text)))


def sizes(text: str, windows: list[Span]) -> list[int]:
    return [sum(start <= token.start < end for token in tokens(text)) for start, end in windows]


@given(
    st.lists(st.sampled_from(["one", "two. ", "three! ", " four", ", ", "\n"]), min_size=1, max_size=60).map("".join),
    st.integers(1, 20),
)
def test_windows_hold_every_token_and_never_too_many(text: str, room: int) -> None:
    if len(tokens(text)) <= room:
        return
    windows = split_windows(text, tokens(text), room)
    assert max(sizes(text, windows)) <= room
    assert min(sizes(text, windows)) > 0
    for token in tokens(text):
        assert any(start <= token.start and token.end <= end for start, end in windows)
    for before, after in pairwise(windows):
        assert before.start < after.start <= before.end < after.end


def test_windows_end_at_sentence_borders_and_overlap_by_a_quarter() -> None:
    text = SENTENCE * 40
    borders = {start for start, _ in sentences(text, Span(0, len(text)))} | {len(text)}
    windows = split_windows(text, tokens(text), 100)
    assert {edge for window in windows for edge in window} <= borders
    for before, after in pairwise(windows):
        shared = sizes(text, [Span(after.start, before.end)])[0]
        assert shared / sizes(text, [before])[0] == pytest.approx(0.25, abs=7 / 50)  # one sentence has seven tokens
        assert shared >= 7
    assert max(sizes(text, windows)) - min(sizes(text, windows)) <= 2 * 7


def test_a_text_just_too_long_is_halved_not_given_a_rest() -> None:
    text = SENTENCE * 15  # 105 tokens
    assert min(sizes(text, split_windows(text, tokens(text), 100))) > 45


def test_a_sentence_longer_than_a_window_is_cut_between_words() -> None:
    text = "word " * 50 + "end. Short one."
    windows = split_windows(text, tokens(text), 20)
    assert max(sizes(text, windows)) <= 20
    assert all(text[start : start + 4] in ("word", "Shor", "end.") for start, _ in windows)


def test_a_word_longer_than_a_window_is_cut_between_tokens() -> None:
    text = "a" * 30
    windows = split_windows(text, [Span(at, at + 1) for at in range(30)], 8)
    assert windows[0].start == 0
    assert windows[-1].end == 30
    assert all(end - start <= 8 for start, end in windows)
