"""Nothing in a text can steer a terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.shared import json_lines, needs_shared

from unmask.render.escape import shown


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb", "a\\rb"),
        ("a\r\nb\tc", "a\nb    c"),
        ("\u202eabc", "\\u202eabc"),
        ("\u2028", "\\u2028"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
        ("👩\u200d👧 naïve 中文", "👩\u200d👧 naïve 中文"),
    ],
)
def test_what_would_steer_is_spelled_out(text: str, safe: str) -> None:
    assert shown(text) == safe


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    left = {unicodedata.category(character) for character in shown(text) if character not in "\n\u200c\u200d"}
    assert not left & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@needs_shared
def test_hostile_texts() -> None:
    for row in json_lines("unicode/tricky_unicode.jsonl.gz"):
        assert "\x1b" not in shown(row["text"])
