"""One JSON object a line."""

import json
from collections.abc import Callable

import pytest

from unmask.errors import InputError
from unmask.inputs import Source
from unmask.text.request import Request

Make = Callable[..., Source]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_each_line_is_an_object(name: str, make: Make) -> None:
    content = b'\xef\xbb\xbf{"text": "a\\nb"}\r\n\n  \n{"id": 7, "text": "\xc3\xa9\\u00e9 \xe2\x80\xa8"}'
    assert list(make(name, content).records()) == [Request("a\nb", line=1), Request("éé \u2028", line=4)]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b'{"text": "cut', "broken JSON at character 10: Unterminated string starting"),
        (b"{'text': 'a'}", "broken JSON at character 2: Expecting property name enclosed in double quotes"),
        (b'{"text": "a"} {"text": "b"}', "broken JSON at character 15: Extra data"),
        (b"\x00", "broken JSON at character 1: Expecting value"),
        (b'["a"]', "expected a JSON object, not a list"),
        (b'"a"', "expected a JSON object, not a string"),
        (b"null", "expected a JSON object, not null"),
        (b'{"text": null}', "the column 'text' is null, not a string"),
        (b'{"text": 5}', "the column 'text' is a number, not a string"),
        (b'{"text": NaN}', "the column 'text' is a number, not a string"),
        (b'{"text": true}', "the column 'text' is a boolean, not a string"),
        (b'{"text": ["a"]}', "the column 'text' is a list, not a string"),
        (b'{"text": {}}', "the column 'text' is an object, not a string"),
        (
            b'{"review": "a", "label": 1}',
            "no column 'text', 'sentence', 'prompt' or 'messages'; columns: review, label",
        ),
        (b"{}", "no column 'text', 'sentence', 'prompt' or 'messages'; the file has no columns"),
    ],
)
def test_a_bad_line_fails_alone(line: bytes, wrong: str, make: Make) -> None:
    first, bad, last = make("x.jsonl", b'{"text": "a"}\n' + line + b'\n{"text": "b"}\n').records()
    assert (first, last) == (Request("a", line=1), Request("b", line=3))
    assert isinstance(bad, InputError)
    assert (bad.line, str(bad)) == (2, wrong)


@pytest.mark.parametrize(
    ("value", "why"), [("9" * 5_000, "a number has more than 4,300 digits"), ("[" * 100_000, "it is nested too deeply")]
)
def test_json_too_large_for_python_fails_alone(value: str, why: str, make: Make) -> None:
    bad, last = make("x.jsonl", b'{"id": %s\n{"text": "b"}' % value.encode()).records()
    assert isinstance(bad, InputError)
    assert str(bad) == f"unreadable JSON: {why}"
    assert last == Request("b", line=2)


def test_what_is_not_utf8_fails_in_its_place(make: Make) -> None:
    assert list(make("x.jsonl", b'{"text": "caf\xe9"}\n{"text": "b"}').records()) == [
        Request("caf\udce9", line=1),
        Request("b", line=2),
    ]


def test_other_columns_are_kept_as_they_are(make: Make) -> None:
    kept = {"id": 7, "tags": ["a", None, {"deep": 0.5}], "gold": True}
    (record,) = make("x.jsonl", json.dumps({"text": "a", **kept}).encode(), keep=True).records()
    assert record == Request("a", line=1, columns=kept)


def test_numbers_that_json_does_not_have_are_kept_as_text(make: Make) -> None:
    (record,) = make("x.jsonl", b'{"text": "a", "x": NaN, "y": [1e999]}', keep=True).records()
    assert record == Request("a", line=1, columns={"x": "nan", "y": ["inf"]})


def test_a_long_text_is_whole(make: Make) -> None:
    text = "word " * 200_000
    assert list(make("x.jsonl", json.dumps({"text": text}).encode()).records()) == [Request(text, line=1)]
