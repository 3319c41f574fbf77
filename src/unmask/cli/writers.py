"""Results to standard output or to files: documents whole or not at all, lines as they come."""

import errno
import json
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..errors import InputError, UnmaskWarning
from ..render import formats
from ..render.escape import shown
from ..render.formats import OutputFormat, Unexplained
from ..render.theme import Theme
from ..results.atomic_io import write_whole
from ..results.explanation import Explanation
from ..text.request import Failure, Request
from .destinations import LINE, named_errors
from .exit_codes import above_the_bar, say
from .result_stream import Result, record, written

FILE_WIDTH = 100


class OurConsole(Console):
    """Rich's console, but a closed pipe is an exception like any other and not the program's end."""

    def on_broken_pipe(self) -> None:
        """Let the command decide."""
        raise BrokenPipeError(errno.EPIPE, "closed pipe")


def write(results: Iterator[Result], form: OutputFormat, path: Path | None, look: Theme) -> None:
    """Write all results in the form, to the path or to standard output."""
    if path is None and sys.stdout is None:
        raise InputError("there is no standard output to write to; use -o PATH")
    streams = {"terminal": _write_terminal, "json": _write_json, "jsonl": _write_lines}
    writer = streams.get(form.name) or partial(_write_drawings, form)
    if path is None or LINE not in path.name:
        writer(results, path, look)
        return
    for text, outcome, columns in results:
        place = path.with_name(path.name.replace(LINE, str(text.line or 1)))
        if isinstance(outcome, Explanation):
            writer(iter([(Request(outcome.text), outcome, columns)]), place, look)
        elif place.exists():
            say(f"hint: {str(place)!r} was there before and is not of this text")


@contextmanager
def noting(*, quiet: bool) -> Iterator[None]:
    """What a drawing warns of is a note on standard error, each once."""
    with warnings.catch_warnings():
        others, reported = warnings.showwarning, set[str]()

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, UnmaskWarning):
                others(message, category, *where, **more)
            elif not quiet and str(message) not in reported:
                reported.add(str(message))
                say(f"note: {message}")

        warnings.showwarning = show
        warnings.simplefilter("always", UnmaskWarning)
        yield


def write_document(content: str | bytes, path: Path | None) -> None:
    """A whole document, to a file or to standard output."""
    if path is not None:
        write_whole(path, content)
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        sys.stdout.write(content)


def show(drawing: RenderableType, path: Path | None) -> None:
    """A drawing on the terminal, or what the terminal would show in a file."""
    if path is None:
        OurConsole(highlight=False).print(drawing)
    else:
        write_document(_printed(drawing), path)


def _printed(drawing: RenderableType) -> str:
    text = StringIO()
    Console(file=text, width=FILE_WIDTH, highlight=False, color_system=None, force_terminal=False).print(drawing)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON in ASCII: every terminal and pipe can take it, lone surrogates of a failed text included."""
    return json.dumps(value, allow_nan=False, indent=indent) + "\n"


def _write_lines(results: Iterator[Result], path: Path | None, _look: Theme) -> None:
    first = next(results, None)  # before the file is opened: what it held is lost only for something
    if first is None:
        return
    if path is None:
        stream: AbstractContextManager[TextIO] = nullcontext(sys.stdout)
    else:
        with named_errors(path):
            stream = path.open("w", encoding="utf-8", newline="\n")
    with stream as file:
        for result in chain([first], results):
            with above_the_bar():
                file.write(as_json(record(result)))
                file.flush()


def _write_json(results: Iterator[Result], path: Path | None, _look: Theme) -> None:
    listed = list(results)
    if not _is_single(listed):
        write_document(as_json([record(result) for result in listed], indent=2), path)
    elif isinstance(listed[0][1], Explanation):
        write_document(as_json(record(listed[0]), indent=2), path)


def _write_terminal(results: Iterator[Result], path: Path | None, look: Theme) -> None:
    if path is not None:
        listed = list(results)
        if _is_any_explained(listed):
            write_document(f"{'─' * FILE_WIDTH}\n".join(_printed(_headed(result, look)) for result in listed), path)
        return
    console = OurConsole(highlight=False)
    first = list[Result]()  # up to the first that is explained: nothing is written where all failed
    for result in results:
        first.append(result)
        if isinstance(result[1], Explanation):
            break
    for count, result in enumerate(chain(first, results) if _is_any_explained(first) else ()):
        if isinstance(result[1], Failure) and console.is_terminal:
            continue  # standard error says it, on the same screen
        with above_the_bar():
            if count:
                console.rule(style="dim")
            console.print(_headed(result, look))


def _headed(result: Result, look: Theme) -> Group:
    """A result below its line; what failed leaves its reason."""
    text, outcome, _ = result
    head = [] if text.line is None else [Text(f"line {text.line}", style="dim")]
    if isinstance(outcome, Failure):
        return Group(*head, Text(shown(f"Failed: {outcome.error}")))
    return Group(*head, formats.printable(outcome, look))


def _write_drawings(form: OutputFormat, results: Iterator[Result], path: Path | None, look: Theme) -> None:
    """Documents of one text each, or of many where the format can hold them."""
    listed = list(results) if form.draws("collection") else results
    if isinstance(listed, list) and not _is_single(listed):
        if _is_any_explained(listed):
            items = [
                (text.line, Unexplained(str(outcome.error), written(text)) if isinstance(outcome, Failure) else outcome)
                for text, outcome, _ in listed
            ]
            write_document(form.write("collection", items, look), path)
        return
    for _, outcome, _ in listed:
        if isinstance(outcome, Explanation):
            write_document(form.write("explanation", outcome, look), path)


def _is_single(results: list[Result]) -> bool:
    """Whether this is one text that is not from a file."""
    return len(results) == 1 and results[0][0].line is None


def _is_any_explained(results: Iterable[Result]) -> bool:
    return any(isinstance(outcome, Explanation) for _, outcome, _ in results)
