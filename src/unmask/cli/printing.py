"""Prints to standard output, escaped so that no name or text can control the terminal."""

import codecs
import errno
import json
import sys
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from ..errors import InputError
from ..render.escape import escaped, one_line


class OurConsole(Console):
    """Rich's console without markup; a closed pipe raises an exception instead of exiting."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Raise an exception."""
        raise BrokenPipeError(errno.EPIPE, "closed pipe")


def print_drawing(drawing: RenderableType) -> None:
    """Print a drawing whose texts are already escaped."""
    check_output()
    OurConsole().print(drawing)


def print_line(line: str) -> None:
    """Print one line, escaped and not wrapped."""
    check_output()
    OurConsole().print(Text(one_line(line)), soft_wrap=True)


def print_document(content: str | bytes) -> None:
    """Print a document unchanged, or escaped on a terminal."""
    check_output()
    if isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        sys.stdout.write(escaped(content) if sys.stdout.isatty() else content)


def check_output() -> None:
    """Raise an error if there is no standard output."""
    if sys.stdout is None:
        raise InputError("there is no standard output to write to; use -o PATH")


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON with terminal control characters escaped, and non-ASCII ones too if standard output is not UTF-8."""
    encoding = codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name
    text = json.dumps(value, ensure_ascii=encoding != "utf-8", allow_nan=False, indent=indent) + "\n"
    return escaped(text).encode(errors="backslashreplace").decode()  # a lone surrogate
