"""Every visible character that the model reads is in exactly one unit, whatever the tokenizer and the language."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.shared import LANGUAGES, json_lines, needs_shared
from support.tokenizer_kinds import KINDS
from support.unit_cover import checked

from unmask.text.segmentation import UNITS


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", KINDS)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(max_examples=40, deadline=None)
def test_any_text(kind: str, unit: str, text: str) -> None:
    checked(kind, text, unit)


@needs_shared
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", KINDS)
def test_texts_made_to_break_spans(kind: str, unit: str) -> None:
    texts = [row["text"] for row in json_lines("unicode/tricky_unicode.jsonl.gz")]
    assert len(texts) == 51
    for text in texts:
        checked(kind, text, unit)
        checked(kind, text, unit, max_length=6)


@needs_shared
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_languages(kind: str, language: str, step: int) -> None:
    for row in json_lines(f"multilingual/{language}.jsonl.gz")[::step]:
        checked(kind, row["text"], "word")
