"""Results to standard output or to files: documents whole or not at all, lines as they come."""

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

from rich.console import Console, RenderableType

from ..errors import ArgumentError, InputError, UnmaskError, unknown
from ..explanation import Explanation
from ..files import write_whole
from ..inputs import BadRecord, Record
from ..render import forms
from ..render.forms import Look
from .exits import above_the_bar

FILE_WIDTH = 100
LINE = "{line}"  # in an output's name: one file for each text


class Format(StrEnum):
    """How results are written."""

    TERMINAL = "terminal"
    JSON = "json"
    JSONL = "jsonl"
    HTML = "html"
    SVG = "svg"
    PNG = "png"
    MARKDOWN = "markdown"
    LATEX = "latex"


SUFFIXES = {
    "": Format.TERMINAL,
    ".txt": Format.TERMINAL,
    ".json": Format.JSON,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    **{suffix: Format(form) for suffix, form in forms.SUFFIXES.items()},
}
ONE_EACH = (Format.SVG, Format.PNG)  # a file of these holds one text


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


def form_named(name: str | None, output: Path | None) -> Format:
    """The format of that name, else the one that a file's name asks for."""
    if name is not None:
        if name not in list(Format):
            raise unknown("format", name, [form.value for form in Format])
        return Format(name)
    suffix = "" if output is None else output.suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    raise ArgumentError(f"no format is known for a file that ends in {suffix!r}; give --format")


def check_destination(path: Path | None, form: Format, *, source: str | None) -> None:
    """Say before the work that its results could not be written, or would overwrite what they are made from."""
    if form in ONE_EACH and source is not None and (path is None or LINE not in path.name):
        raise ArgumentError(
            f"one {form.value} file holds one text; several need {LINE} in the output's name",
            hint=f"for example: -o picture-{LINE}.{form.value}",
        )
    if form is Format.PNG and path is None and sys.stdout is not None and sys.stdout.isatty():
        raise ArgumentError("a png is no text for a terminal; give -o PATH")
    if path is not None and LINE in str(path.parent):
        raise ArgumentError(f"{LINE} stands for a text in a file's name, not in a folder's: {str(path.parent)!r}")
    if path is not None:
        check_writable(Path(str(path).replace(LINE, "1")), source=source)


def check_writable(path: Path, *, source: str | None) -> None:
    """Say that a file could not be written, or is the one that is read."""
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


def write(results: Iterator[Numbered], form: Format, path: Path | None, look: Look) -> None:
    """Write all results in the form, to the path or to standard output."""
    if path is None and sys.stdout is None:
        raise InputError("there is no standard output to write to; use -o PATH")
    if path is None or LINE not in path.name:
        WRITERS[form](results, path, look)
        return
    for numbered in results:
        if isinstance(numbered.result, Explanation):
            place = path.with_name(path.name.replace(LINE, str(numbered.line or 1)))
            WRITERS[form](iter([Numbered(None, numbered.result, numbered.kept)]), place, look)


def write_document(content: str | bytes, path: Path | None) -> None:
    """A whole document, to a file or to standard output."""
    if path is not None:
        write_whole(path, content)
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        sys.stdout.write(content)


def printed(drawing: RenderableType) -> str:
    """What the terminal would show, for a file."""
    text = StringIO()
    Console(file=text, width=FILE_WIDTH, highlight=False, color_system=None, force_terminal=False).print(drawing)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON in ASCII: every terminal and pipe can take it, lone surrogates of a failed text included."""
    return json.dumps(value, allow_nan=False, indent=indent) + "\n"


def _write_lines(results: Iterator[Numbered], path: Path | None, _look: Look) -> None:
    first = next(results, None)  # before the file is opened: what it held is lost only for something
    if first is None:
        return
    with _opened(path) as file:
        for result in chain([first], results):
            with above_the_bar():
                file.write(as_json(result.to_dict()))
                file.flush()


def _write_json(results: Iterator[Numbered], path: Path | None, _look: Look) -> None:
    found = list(results)
    single = len(found) == 1 and found[0].line is None
    if single and isinstance(found[0].result, Failed):
        return
    write_document(as_json(found[0].to_dict() if single else [one.to_dict() for one in found], indent=2), path)


def _write_terminal(results: Iterator[Numbered], path: Path | None, look: Look) -> None:
    """Drawings as they come; into a file all at once."""
    parts, console = list[str](), OurConsole(highlight=False)
    for count, (line, explanation) in enumerate(_explained(results)):
        drawing = forms.printable(explanation, look)
        head = "" if line is None else f"line {line}"
        if path is not None:
            parts.append(f"{head}\n" * bool(head) + printed(drawing))
            continue
        with above_the_bar():
            if count:
                console.rule(style="dim")
            if head:
                console.print(head, style="dim")
            console.print(drawing)
    if parts:
        write_document(f"{'─' * FILE_WIDTH}\n".join(parts), path)


def _write_html(results: Iterator[Numbered], path: Path | None, look: Look) -> None:
    from ..render import html

    found = list(results)
    if len(found) == 1 and found[0].line is None:
        _write_drawings("html")(iter(found), path, look)
    elif any(isinstance(one.result, Explanation) for one in found):
        items = [
            (one.line, one.result if isinstance(one.result, Explanation) else str(one.result.error)) for one in found
        ]
        write_document(html.collection(items, **look.options), path)


def _write_drawings(form: str) -> "Writer":
    """The writer of drawings of that form, one below the other where a document can hold several."""

    def write(results: Iterator[Numbered], path: Path | None, look: Look) -> None:
        found = [forms.drawn(explanation, form, look) for _, explanation in _explained(results)]
        if found and isinstance(found[0], bytes):
            write_document(found[0], path)
        elif found:
            write_document("\n".join(map(str, found)), path)

    return write


def _explained(results: Iterable[Numbered]) -> Iterator[tuple[int | None, Explanation]]:
    for numbered in results:
        if isinstance(numbered.result, Explanation):
            yield numbered.line, numbered.result


Writer = Callable[[Iterator[Numbered], Path | None, Look], None]
WRITERS: dict[Format, Writer] = {
    Format.TERMINAL: _write_terminal,
    Format.JSON: _write_json,
    Format.JSONL: _write_lines,
    Format.HTML: _write_html,
    **{form: _write_drawings(form.value) for form in (Format.SVG, Format.PNG, Format.MARKDOWN, Format.LATEX)},
}


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
