"""Every visible character that the model reads is in exactly one unit, whatever the tokenizer and the language."""

import pytest
import tiny
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import json_lines, needs_shared

from unmask.errors import TextError
from unmask.grouping import Choice, grouped
from unmask.text import Passage, Span, Token, is_visible


def check_cover(text: str, architecture: str, unit: str) -> None:
    """Every visible character between the first and the last unit's end is in exactly one unit, and every token too."""
    found = tiny.tokenizer(architecture)(text, return_offsets_mapping=True, return_special_tokens_mask=True)
    marked = zip(found["offset_mapping"], found["special_tokens_mask"], strict=True)
    tokens = [Token(Span(*span), bool(special)) for span, special in marked]
    try:
        groups = grouped([Passage(text, Span(0, len(text)))], tokens, Choice(unit))
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
