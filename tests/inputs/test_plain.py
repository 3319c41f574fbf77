"""One text a line."""

from collections.abc import Callable

import pytest

from unmask.errors import InputError, TextError
from unmask.inputs import Source
from unmask.text.request import Request
from unmask.text.spans import check_text

Make = Callable[..., Source]


def texts(source: Source) -> list[str]:
    return [record.text for record in source.records() if isinstance(record, Request)]


@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz", "x", "x.gz", "x.log"])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"\xef\xbb\xbfone\ntwo", ["one", "two"]),
        (b"one\n\ntwo\n", ["one", "", "two"]),
        (b"\n", [""]),
        ("a\u2028b\x0bc\x85d\x00e\n".encode(), ["a\u2028b\x0bc\x85d\x00e"]),
        (b"a\rb\n", ["a\rb"]),
        (b'"a, b"\tc\n', ['"a, b"\tc']),
    ],
)
def test_lines_end_by_lf_or_crlf_and_nothing_else(name: str, content: bytes, expected: list[str], make: Make) -> None:
    assert texts(make(name, content)) == expected


def test_numbers_count_from_one(make: Make) -> None:
    assert list(make("x.txt", b"a\n\nb").records()) == [Request("a", line=1), Request("", line=2), Request("b", line=3)]


def test_what_is_not_utf8_fails_in_its_place(make: Make) -> None:
    fine, broken, last = texts(make("x.txt", b"fine\ncaf\xe9\nlast\n"))
    assert (fine, last) == ("fine", "last")
    with pytest.raises(TextError, match="the byte 0xE9 at character 4 is not UTF-8"):
        check_text(broken)


def test_a_line_of_a_megabyte_is_one_text(make: Make) -> None:
    line = "word " * 200_000
    source = make("x.txt", f"before\n{line}\nafter\n".encode())
    assert not any(isinstance(record, InputError) for record in source.records())
    assert texts(source) == ["before", line, "after"]
