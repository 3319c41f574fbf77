"""Results to standard output or to a file: documents whole or not at all, lines as they come."""

import errno
import json
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console

from ..errors import InputError, UnmaskError
from ..explanation import Explanation
from ..files import write_whole
from ..inputs import BadRecord, Record
from ..render.terminal import drawing
from .exits import above_the_bar

FILE_WIDTH = 100


class Format(StrEnum):
    """How results are written."""

    TERMINAL = "terminal"
    JSON = "json"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class Failed:
    """A text that could not be explained, in the place of its result."""

    record: Record | BadRecord
    error: UnmaskError

    def to_dict(self) -> dict[str, Any]:
        """What stands in JSON in the result's place; the text is null where none could be read."""
        texts: dict[str, Any] = {"text": None}
        if isinstance(self.record, Record):
            texts = {"text": self.record.text}
            if self.record.text_pair is not None:
                texts["text_pair"] = self.record.text_pair
        kind = next(one.__name__ for one in type(self.error).__mro__ if one.__module__ == UnmaskError.__module__)
        return {**texts, "error": {"kind": kind, "message": str(self.error)}}


@dataclass(frozen=True, slots=True)
class Numbered:
    """A result and its line in the input, from 1; None for a text from the command line."""

    line: int | None
    result: Explanation | Failed
    kept: Mapping[str, Any] | None = None  # the other columns of its record, where they are wanted

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON values, its line first and what is kept of its record last."""
        line = {} if self.line is None else {"line": self.line}
        return line | self.result.to_dict() | ({} if self.kept is None else {"kept": dict(self.kept)})


class OurConsole(Console):
    """Rich's console, but a closed pipe is an exception like any other and not the program's end."""

    def on_broken_pipe(self) -> None:
        """Let the command decide."""
        raise BrokenPipeError(errno.EPIPE, "closed pipe")


def check_writable(path: Path, *, source: str | None) -> None:
    """Say before the work that a result could not be written after it, or would overwrite what it is made from."""
    with _named_errors(path):
        if source not in (None, "-") and path.exists() and path.samefile(str(source)):
            raise InputError(f"cannot write {str(path)!r}: it is the file that is read")
        if path.is_dir():
            raise InputError(f"cannot write {str(path)!r}: it is a folder")
        if not path.parent.is_dir():
            raise InputError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
        if path.exists() and not path.is_file():  # a pipe or a device
            return
        if path.exists() and not os.access(path, os.W_OK):
            raise InputError(f"cannot write {str(path)!r}: permission denied")
        beside = path.resolve().with_name(f".{os.getpid()}-{secrets.token_hex(4)}")  # as `write_whole` will
        beside.touch()
        beside.unlink()


def write(results: Iterator[Numbered], form: Format, path: Path | None) -> None:
    """Write all results in the form, to the path or to standard output."""
    if path is None and sys.stdout is None:
        raise InputError("there is no standard output to write to; use -o PATH")
    WRITERS[form](results, path)


def _write_lines(results: Iterator[Numbered], path: Path | None) -> None:
    first = next(results, None)  # before the file is opened: what it held is lost only for something
    if first is None:
        return
    with _opened(path) as file:
        for result in chain([first], results):
            with above_the_bar():
                file.write(_json(result.to_dict()) + "\n")
                file.flush()


def _write_json(results: Iterator[Numbered], path: Path | None) -> None:
    found = list(results)
    single = len(found) == 1 and found[0].line is None
    if single and isinstance(found[0].result, Failed):
        return
    _write_document(_json(found[0].to_dict() if single else [result.to_dict() for result in found], indent=2), path)


def _write_drawings(results: Iterator[Numbered], path: Path | None) -> None:
    text = StringIO()
    console = (
        OurConsole(highlight=False)
        if path is None
        else OurConsole(file=text, width=FILE_WIDTH, highlight=False, color_system=None, force_terminal=False)
    )
    count = 0
    for count, (line, explanation) in enumerate(_explained(results), start=1):
        with above_the_bar():
            if count > 1:
                console.rule(style="dim")
            if line is not None:
                console.print(f"line {line}", style="dim")
            console.print(drawing(explanation))
    if path is not None and count:
        _write_document(text.getvalue().removesuffix("\n"), path)


def _explained(results: Iterable[Numbered]) -> Iterator[tuple[int | None, Explanation]]:
    for numbered in results:
        if isinstance(numbered.result, Explanation):
            yield numbered.line, numbered.result


WRITERS: dict[Format, Callable[[Iterator[Numbered], Path | None], None]] = {
    Format.TERMINAL: _write_drawings,
    Format.JSON: _write_json,
    Format.JSONL: _write_lines,
}


def _write_document(content: str, path: Path | None) -> None:
    if path is None:
        sys.stdout.write(content + "\n")
    else:
        write_whole(path, content + "\n")


def _json(value: Any, indent: int | None = None) -> str:
    # ASCII only: every terminal and pipe can take it, lone surrogates of a failed text included.
    return json.dumps(value, allow_nan=False, indent=indent)


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    with _named_errors(path):
        file = path.open("w", encoding="utf-8", newline="\n")
    with file:
        yield file


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError:  # an OSError too, and already ours
        raise
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error
