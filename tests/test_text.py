"""Units: spans into the original text, each visible character in exactly one."""

from itertools import pairwise

import pytest
import tiny
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import json_lines, needs_shared

from unmask.errors import ArgumentError, TextError
from unmask.text import Span, Token, check_unit, grouped, is_visible


def split(text: str, tokens: list[Token], unit: str = "word") -> list[str]:
    groups = grouped(text, tokens, unit=unit, read=Span(0, len(text)))
    return [text[group.span.start : group.span.end] for group in groups]


def characters(text: str) -> list[Token]:
    """A tokenizer of single characters."""
    return [Token(Span(at, at + 1)) for at in range(len(text))]


def pieces(text: str, *cuts: int) -> list[Token]:
    """Tokens between the cuts."""
    edges = [0, *cuts, len(text)]
    return [Token(Span(*edge)) for edge in pairwise(edges)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A well-made film.", ["A", "well-made", "film", "."]),
        ("don't isn’t rock'n'roll", ["don't", "isn’t", "rock'n'roll"]),
        ("'quoted' -dash- a--b", ["'", "quoted", "'", "-", "dash", "-", "a", "--", "b"]),
        ("3.5 stars, 1,000 times... no?!", ["3.5", "stars", ",", "1,000", "times", "...", "no", "?", "!"]),
        ("good.The end", ["good", ".", "The", "end"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        (
            "👩\u200d👩\u200d👧 👍🏽👍🏽 🇩🇪🇫🇷 1\ufe0f\u20e3",
            ["👩\u200d👩\u200d👧", "👍🏽👍🏽", "🇩🇪", "🇫🇷", "1\ufe0f\u20e3"],
        ),
        ("e\u0301tude nai\u0308ve", ["e\u0301tude", "nai\u0308ve"]),
        ("<br /><br />", ["<", "br", "/", ">", "<", "br", "/", ">"]),
    ],
)
def test_words_are_what_people_see(text: str, words: list[str]) -> None:
    assert split(text, characters(text)) == words


def test_a_word_owns_all_its_tokens() -> None:
    text = "well-made film"
    groups = grouped(text, pieces(text, 4, 5, 9, 10), unit="word", read=Span(0, len(text)))
    assert [group.tokens for group in groups] == [(0, 1, 2), (4,)]  # token 3 is the blank


def test_a_token_that_joins_two_words_makes_them_one() -> None:
    text = "it's fine."
    assert split(text, pieces(text, 4, 5)) == ["it's", "fine."]


def test_tokens_of_one_span_are_one_unit() -> None:
    text = "ok 😀"
    tokens = [Token(Span(0, 2)), *[Token(Span(2, 4))] * 4]
    groups = grouped(text, tokens, unit="token", read=Span(0, len(text)))
    assert [group.tokens for group in groups] == [(0,), (1, 2, 3, 4)]


def test_distinct_tokens_stay_apart() -> None:
    assert split("films", pieces("films", 4), unit="token") == ["film", "s"]


def test_blanks_inside_a_span_are_not_part_of_the_unit() -> None:
    text = "a  film"
    assert split(text, pieces(text, 1), unit="token") == ["a", "film"]


def test_special_tokens_never_move_and_typed_ones_do() -> None:
    text = "[MASK]"
    tokens = [Token(Span(0, 0), special=True), Token(Span(0, 6)), Token(Span(0, 0), special=True)]
    (group,) = grouped(text, tokens, unit="token", read=Span(0, 6))
    assert group.tokens == (1,)


def test_characters_that_the_tokenizer_drops_join_their_neighbor() -> None:
    text = "\ufffda b\ufffd"
    tokens = [Token(Span(1, 2)), Token(Span(3, 4))]
    assert split(text, tokens, unit="token") == ["\ufffda", "b\ufffd"]
    assert split(text, tokens, unit="word") == ["\ufffda", "b\ufffd"]


def test_what_was_cut_off_belongs_to_no_unit() -> None:
    text = "good beautifully bad"
    tokens = [Token(Span(0, 4)), Token(Span(5, 11))]
    groups = grouped(text, tokens, unit="word", read=Span(0, 11))
    assert [text[group.span.start : group.span.end] for group in groups] == ["good", "beauti"]


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "\x07"])
def test_a_text_without_visible_characters_has_no_unit(text: str) -> None:
    with pytest.raises(TextError, match="no unit"):
        grouped(text, characters(text), unit="word", read=Span(0, len(text)))


def test_an_unknown_unit_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match="unknown unit 'words'; did you mean 'word'"):
        check_unit("words")


def test_invisible_characters_are_no_part_of_a_word() -> None:
    text = "or\u00addinary\u200d film\ufeff"
    assert split(text, characters(text)) == ["or\u00addinary", "film"]
    assert split("a\u200bb", characters("a\u200bb")) == ["a", "b"]


def check_cover(text: str, architecture: str, unit: str) -> None:
    """Every visible character between the first and the last unit's end is in exactly one unit, and every token too."""
    found = tiny.tokenizer(architecture)(text, return_offsets_mapping=True, return_special_tokens_mask=True)
    marked = zip(found["offset_mapping"], found["special_tokens_mask"], strict=True)
    tokens = [Token(Span(*span), bool(special)) for span, special in marked]
    try:
        groups = grouped(text, tokens, unit=unit, read=Span(0, len(text)))
    except TextError:
        read = [text[slice(*token.span)] for token in tokens if not token.special]
        assert not any(is_visible(character) for piece in read for character in piece)
        return
    covered = [at for group in groups for at in range(*group.span)]
    assert len(covered) == len(set(covered))
    assert {at for at in range(len(text)) if is_visible(text[at])} <= set(covered)
    moved = [token for group in groups for token in group.tokens]
    assert len(moved) == len(set(moved))
    visible = {
        position
        for position, token in enumerate(tokens)
        if not token.special and any(map(is_visible, text[slice(*token.span)]))
    }
    assert set(moved) == visible
    for group in groups:
        for position in group.tokens:
            start, end = tokens[position].span
            inside = [at for at in range(start, end) if is_visible(text[at])]
            assert all(group.span.start <= at < group.span.end for at in inside)


@pytest.mark.parametrize("unit", ["word", "token"])
@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2"])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(max_examples=60, deadline=None)
def test_every_visible_character_is_in_exactly_one_unit(text: str, architecture: str, unit: str) -> None:
    check_cover(text, architecture, unit)


@needs_shared
@pytest.mark.parametrize("unit", ["word", "token"])
@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2"])
def test_tricky_texts_are_covered(architecture: str, unit: str) -> None:
    for row in json_lines("unicode/tricky_unicode.jsonl.gz"):
        check_cover(row["text"], architecture, unit)
