"""Results to standard output or to files: documents whole or not at all, lines as they come."""

import errno
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from ..render.formats import Item, OutputFormat, Unexplained
from ..render.theme import Theme
from ..results.atomic_io import write_whole
from ..results.explanation import Explanation
from .destinations import LINE, Failed, Numbered, named_errors
from .exit_codes import above_the_bar, say

FILE_WIDTH = 100


class OurConsole(Console):
    """Rich's console, but a closed pipe is an exception like any other and not the program's end."""

    def on_broken_pipe(self) -> None:
        """Let the command decide."""
        raise BrokenPipeError(errno.EPIPE, "closed pipe")


def write(results: Iterator[Numbered], form: OutputFormat, path: Path | None, look: Theme) -> None:
    """Write all results in the form, to the path or to standard output."""
    if path is None and sys.stdout is None:
        raise InputError("there is no standard output to write to; use -o PATH")
    if path is None or LINE not in path.name:
        _writer(form)(results, path, look)
        return
    for numbered in results:
        place = path.with_name(path.name.replace(LINE, str(numbered.line or 1)))
        if isinstance(numbered.result, Explanation):
            _writer(form)(iter([Numbered(None, numbered.result, numbered.kept)]), place, look)
        elif place.exists():
            say(f"hint: {str(place)!r} was there before and is not of this text")


@contextmanager
def noting(*, quiet: bool) -> Iterator[None]:
    """What a drawing warns of is a note on standard error, each once."""
    with warnings.catch_warnings():
        others, said = warnings.showwarning, set[str]()

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, UnmaskWarning):
                others(message, category, *where, **more)
            elif not quiet and str(message) not in said:
                said.add(str(message))
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


def printed(drawing: RenderableType) -> str:
    """What the terminal would show, for a file."""
    text = StringIO()
    Console(file=text, width=FILE_WIDTH, highlight=False, color_system=None, force_terminal=False).print(drawing)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON in ASCII: every terminal and pipe can take it, lone surrogates of a failed text included."""
    return json.dumps(value, allow_nan=False, indent=indent) + "\n"


def _write_lines(results: Iterator[Numbered], path: Path | None, _look: Theme) -> None:
    first = next(results, None)  # before the file is opened: what it held is lost only for something
    if first is None:
        return
    with _opened(path) as file:
        for result in chain([first], results):
            with above_the_bar():
                file.write(as_json(result.to_dict()))
                file.flush()


def _write_json(results: Iterator[Numbered], path: Path | None, _look: Theme) -> None:
    found = list(results)
    single = len(found) == 1 and found[0].line is None
    if single and isinstance(found[0].result, Failed):
        return
    write_document(as_json(found[0].to_dict() if single else [one.to_dict() for one in found], indent=2), path)


def _write_terminal(results: Iterator[Numbered], path: Path | None, look: Theme) -> None:
    """Drawings as they come; into a file all at once."""
    if path is not None:
        _write_printed(list(results), path, look)
        return
    console = OurConsole(highlight=False)
    for count, one in enumerate(_once_one_is_explained(results)):
        if isinstance(one.result, Failed) and console.is_terminal:
            continue  # standard error says it, on the same screen
        with above_the_bar():
            if count:
                console.rule(style="dim")
            console.print(_headed(one, look))


def _once_one_is_explained(results: Iterator[Numbered]) -> Iterator[Numbered]:
    """The results as they come, but none where all failed: nothing is written then."""
    held = list[Numbered]()
    for one in results:
        held.append(one)
        if isinstance(one.result, Explanation):
            break
    else:
        return
    yield from chain(held, results)


def _write_printed(found: list[Numbered], path: Path, look: Theme) -> None:
    if any(isinstance(one.result, Explanation) for one in found):
        write_document(f"{'─' * FILE_WIDTH}\n".join(printed(_headed(one, look)) for one in found), path)


def _headed(one: Numbered, look: Theme) -> Group:
    """A result below its line; what failed leaves its reason."""
    head = [] if one.line is None else [Text(f"line {one.line}", style="dim")]
    if isinstance(one.result, Failed):
        return Group(*head, Text(shown(f"Failed: {one.result.error}")))
    return Group(*head, formats.printable(one.result, look))


def _writer(form: OutputFormat) -> "Writer":
    """What writes results in that format."""
    streams = {"terminal": _write_terminal, "json": _write_json, "jsonl": _write_lines}
    return streams.get(form.name) or partial(_write_drawings, form)


def _write_drawings(form: OutputFormat, results: Iterator[Numbered], path: Path | None, look: Theme) -> None:
    """Documents of one text each, or of many where the format can hold them."""
    found = list(results) if form.draws("collection") else results
    if isinstance(found, list) and not (len(found) == 1 and found[0].line is None):
        if any(isinstance(one.result, Explanation) for one in found):
            write_document(form.write("collection", [_item(one) for one in found], look), path)
        return
    for one in found:
        if isinstance(one.result, Explanation):
            write_document(form.write("explanation", one.result, look), path)


def _item(one: Numbered) -> Item:
    result = one.result
    return one.line, Unexplained(str(result.error), result.text) if isinstance(result, Failed) else result


Writer = Callable[[Iterator[Numbered], Path | None, Theme], None]


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    with named_errors(path):
        file = path.open("w", encoding="utf-8", newline="\n")
    with file:
        yield file
