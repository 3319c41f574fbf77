"""Writes results to standard output or files: documents atomically, lines as they arrive."""

import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from glob import escape
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..errors import ArgumentError, InputError, UnmaskWarning
from ..render import formats
from ..render.escape import escaped, one_line
from ..render.formats import OutputFormat
from ..render.terminal import FileLegend, render_listed
from ..render.theme import Theme
from ..results.atomic_io import temporary_beside, write_whole
from ..results.comparison import Comparison
from ..results.explanation import Explanation
from ..results.records import result_record
from ..text.request import Failure, Request
from .exit_codes import above_the_bar, say
from .line_file import LineFile, named_errors
from .printing import OurConsole, as_json, check_output, print_document, print_drawing

if TYPE_CHECKING:
    from ..results.evaluation import Evaluation
    from ..results.report import Report

Asked: TypeAlias = Request | InputError  # an error stands for a text that could not be read
# A text from a file or the command line, its result, and the other columns of its row if they are to be kept.
Result: TypeAlias = tuple[Asked, Explanation | Failure, Mapping[str, Any] | None]
Drawn = TypeVar("Drawn", Explanation, Comparison, Explanation | Failure)
FILE_WIDTH = 100
KEPT = ("jsonl", "csv", "parquet")  # formats whose files are replaced only with --overwrite
LINE = "{line}"  # in an output file's name: write one file per text


def check_destination(path: Path | None, form: OutputFormat, *, source: str | None) -> None:
    """Before any work is done, reject an output that cannot be written or would overwrite the input."""
    form.check()
    holds_many = form.name in ("terminal", "json") or form.draws("collection")
    if not holds_many and source is not None and (path is None or LINE not in path.name):
        raise ArgumentError(
            f"{form.name} files hold one text each; for several texts, put {LINE} in the output name",
            hint=f"for example: -o picture-{LINE}.{form.name}",
        )
    if form.is_binary and path is None and sys.stdout is not None and sys.stdout.isatty():
        raise ArgumentError(f"{form.name} is binary and cannot be printed to a terminal; give -o PATH")
    if path is not None and LINE in str(path.parent):
        raise ArgumentError(f"{LINE} must be in the file name, not in the folder: {str(path.parent)!r}")
    check_writable(None if path is None else Path(str(path).replace(LINE, "1")), source=source)


def check_overwriting(path: Path | None, form: OutputFormat, *, is_allowed: bool) -> None:
    """Refuse to replace existing results without --overwrite."""
    if path is None and is_allowed:
        raise ArgumentError("--overwrite needs -o PATH")
    if path is None or is_allowed or form.name not in KEPT:
        return
    files = path.parent.glob(escape(path.name).replace(LINE, "[0-9]*")) if LINE in path.name else [path]
    for file in sorted(files):
        if file.is_file() and file.stat().st_size:
            raise InputError(
                f"{str(file)!r} exists and is not empty; it was not modified",
                hint="choose another name, or add --overwrite to replace it",
            )


def check_writable(path: Path | None, *, source: str | None) -> None:
    """Reject a file that cannot be written or is the input."""
    if path is None:
        return
    with named_errors(path):
        if source not in (None, "-") and path.exists() and path.samefile(str(source)):
            raise InputError(f"cannot write {str(path)!r}: it is the input file")
        if path.is_dir():
            raise InputError(f"cannot write {str(path)!r}: it is a folder")
        if not path.parent.is_dir():
            raise InputError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
        if path.exists() and not path.is_file():  # a pipe or a device
            return
        if path.exists() and not os.access(path, os.W_OK):
            raise InputError(f"cannot write {str(path)!r}: permission denied")
        with temporary_beside(path.resolve()):
            pass


def write(results: Iterator[Result], form: OutputFormat, path: Path | None, look: Theme) -> None:
    """Write all results in a format, to a path or standard output."""
    if path is None:
        check_output()
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
            say(f"hint: {str(place)!r} is from an earlier run, not the result for this text")


@contextmanager
def noting(*, quiet: bool) -> Iterator[None]:
    """Print unmask's warnings as notes on standard error, each only once."""
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
    """Write a document to a file or standard output."""
    if path is None:
        print_document(content)
    else:
        write_whole(path, content)


def show(drawing: RenderableType, path: Path | None) -> None:
    """Print a drawing, or write it to a file as plain text."""
    if path is None:
        print_drawing(drawing)
    else:
        write_document(_printed(drawing), path)


def without_notes(outcome: Drawn) -> Drawn:
    """Return the result without its warnings, which are printed to standard error instead."""
    if isinstance(outcome, Comparison):
        return replace(outcome, explanations=tuple(map(without_notes, outcome.explanations)))
    return replace(outcome, warnings=()) if isinstance(outcome, Explanation) else outcome


def write_tables(found: "Report | Evaluation", form: str, path: Path | None, *, layout: str | None = None) -> None:
    """Write the tables of a report or an evaluation."""
    from ..render.reports import printable, render

    if form == "terminal":
        show(printable(found, layout), path)
    else:
        written = render(found, form, layout)
        write_document(escaped(written) if form == "json" else written, path)


def _printed(drawing: RenderableType) -> str:
    text = StringIO()
    Console(file=text, width=FILE_WIDTH, highlight=False, color_system=None, force_terminal=False).print(drawing)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _write_lines(results: Iterator[Result], path: Path | None, _look: Theme) -> None:
    first = next(results, None)  # before opening the file, which truncates it
    if first is None:
        return
    with nullcontext() if path is None else closing(LineFile(path)) as file:
        for result in chain([first], results):
            with above_the_bar():
                line = as_json(result_record(*result))
                if file is not None:
                    file.write(line)
                else:
                    print_document(line)
                    sys.stdout.flush()


def _write_json(results: Iterator[Result], path: Path | None, _look: Theme) -> None:
    listed = list(results)
    if not _is_single(listed):
        write_document(as_json([result_record(*result) for result in listed], indent=2), path)
    elif isinstance(listed[0][1], Explanation):
        write_document(as_json(result_record(*listed[0]), indent=2), path)


def _write_terminal(results: Iterator[Result], path: Path | None, look: Theme) -> None:
    legend = FileLegend(look)
    if path is not None:
        listed = list(results)
        if _is_any_explained(listed):
            drawings: list[RenderableType] = [_headed(result, look, legend) for result in listed]
            drawings += [legend] if legend.facts else []
            write_document(f"{'─' * FILE_WIDTH}\n".join(map(_printed, drawings)), path)
        return
    console = OurConsole()
    first = list[Result]()  # results up to the first explanation: if all texts failed, nothing is printed
    for result in results:
        first.append(result)
        if isinstance(result[1], Explanation):
            break
    for count, result in enumerate(chain(first, results) if _is_any_explained(first) else ()):
        if isinstance(result[1], Failure) and console.is_terminal:
            continue  # the same terminal already shows it, printed to standard error
        with above_the_bar():
            if count:
                console.rule(style="dim")
            console.print(_headed((result[0], without_notes(result[1]), None), look, legend))
    if legend.facts:
        console.rule(style="dim")
        console.print(legend)


def _headed(result: Result, look: Theme, legend: FileLegend) -> RenderableType:
    """Draw a result, or the reason it failed, under its line number and target; the file's legend comes last."""
    text, outcome, _ = result
    head = [] if text.line is None else [f"line {text.line}"]
    if isinstance(outcome, Failure):
        return Group(*(Text(line, "dim") for line in head), Text(one_line(f"Failed: {outcome.error}")))
    if not head:
        return formats.printable(outcome, look)
    legend.add(outcome)
    return Group(Text(one_line(f"{head[0]} · target {outcome.target}"), "dim"), render_listed(outcome, look))


def _write_drawings(form: OutputFormat, results: Iterator[Result], path: Path | None, look: Theme) -> None:
    """Write one document for all texts if the format can hold them, else one per text."""
    listed = list(results) if form.draws("collection") else results
    if isinstance(listed, list) and not _is_single(listed):
        if _is_any_explained(listed):
            items = [
                (text.line, _with_all_texts(text, outcome) if isinstance(outcome, Failure) else outcome)
                for text, outcome, _ in listed
            ]
            kept = [columns for _, _, columns in listed if columns is not None]
            write_document(form.write("collection", items, look, *([kept] if kept else [])), path)
        return
    for _, outcome, _ in listed:
        if isinstance(outcome, Explanation):
            write_document(form.write("explanation", outcome, look), path)


def _with_all_texts(text: Asked, failure: Failure) -> Failure:
    """Give the failure all texts of its request, or an empty text if the request could not be read."""
    return replace(failure, text=" / ".join(filter(None, text.texts)) if isinstance(text, Request) else "")


def _is_single(results: list[Result]) -> bool:
    """Whether this is a single text that is not from a file."""
    return len(results) == 1 and results[0][0].line is None


def _is_any_explained(results: Iterable[Result]) -> bool:
    return any(isinstance(outcome, Explanation) for _, outcome, _ in results)
