"""Texts from files, one a line."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unmask.errors import InputError, TextError
from unmask.inputs import check_readable, lines
from unmask.text import check_text


def texts(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    return [line.text for line in lines(str(path))]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"\xef\xbb\xbfone\ntwo", ["one", "two"]),
        (b"one\n\ntwo\n", ["one", "", "two"]),
        (b"\n", [""]),
        ("a\u2028b\x0bc\n".encode(), ["a\u2028b\x0bc"]),
        (b"a\rb\n", ["a\rb"]),
    ],
)
def test_lines(content: bytes, expected: list[str], tmp_path: Path) -> None:
    assert texts(tmp_path / "x.txt", content) == expected


def test_numbers_count_from_one(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("a\n\nb")
    assert [line.number for line in lines(str(tmp_path / "x.txt"))] == [1, 2, 3]


def test_what_is_not_utf8_fails_in_its_place(tmp_path: Path) -> None:
    fine, broken, last = texts(tmp_path / "x.txt", b"fine\ncaf\xe9\nlast\n")
    assert (fine, last) == ("fine", "last")
    with pytest.raises(TextError, match="the byte 0xE9 at character 4 is not UTF-8"):
        check_text(broken)


@pytest.mark.parametrize("read", [lambda path: list(lines(path)), check_readable])
def test_files_that_cannot_be_read(tmp_path: Path, read: Callable[[str], object]) -> None:
    with pytest.raises(InputError, match="No such file"):
        read(str(tmp_path / "absent"))
    with pytest.raises(InputError, match="directory"):
        read(str(tmp_path))


def test_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is empty"):
        texts(tmp_path / "x.txt", b"")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo")))
    assert [line.text for line in lines("-")] == ["one", "two"]
