"""One text a line: UTF-8, with or without a byte-order mark, lines ended by LF or CRLF."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError

MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """A text and the number of its line, from 1."""

    number: int
    text: str


def lines(path: str) -> Iterator[Line]:
    """The lines of a file, or of standard input for `-`, as they come."""
    number = 0
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
            for number, content in enumerate(file, start=1):
                yield Line(number, _decoded(content.removeprefix(MARK) if number == 1 else content))
    except OSError as error:
        raise InputError(f"cannot read {_name(path)}: {error.strerror}") from error
    if not number:
        raise InputError(f"{_name(path)} is empty: there is no text to explain")


def check_readable(path: str) -> None:
    """Say before the work that a file cannot be read."""
    if path == "-":
        if sys.stdin is None:
            raise InputError("there is no standard input to read")
        return
    try:
        Path(path).open("rb").close()
    except OSError as error:
        raise InputError(f"cannot read {_name(path)}: {error.strerror}") from error


def _decoded(content: bytes) -> str:
    """The text; bytes that are not UTF-8 become lone surrogates, by which the text fails alone, in its place."""
    return content.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", errors="surrogateescape")


def _name(path: str) -> str:
    return "standard input" if path == "-" else repr(path)
