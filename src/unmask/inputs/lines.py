"""One text a line: UTF-8, with or without a byte-order mark, lines ended by LF or CRLF."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError

MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """A text and the number of its line, from 1."""

    number: int
    text: str


def lines(path: str) -> Iterator[Line]:
    """The lines of a file, or of standard input for `-`, as they come; a file that cannot be opened is said at once."""
    try:
        return _lines(sys.stdin.buffer if path == "-" else Path(path).open("rb"), path)
    except OSError as error:
        raise InputError(f"cannot read {_name(path)}: {error.strerror}") from error


def _lines(opened: BinaryIO, path: str) -> Iterator[Line]:
    with opened as file:
        number = 0
        for number, content in enumerate(file, start=1):
            yield Line(number, _decoded(content.removeprefix(MARK) if number == 1 else content, number, path))
    if not number:
        raise InputError(f"{_name(path)} is empty: there is no text to explain")


def _decoded(content: bytes, number: int, path: str) -> str:
    try:
        return content.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{_name(path)}, line {number}: byte {error.start + 1} is not UTF-8",
            hint="convert the file first, for example: iconv -f latin1 -t utf-8 FILE",
        ) from error


def _name(path: str) -> str:
    return "standard input" if path == "-" else repr(path)
