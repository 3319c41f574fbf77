"""What results are and where they go: their forms, and whether their place can be written. Writes nothing."""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import ArgumentError, InputError
from ..render.formats import FORMATS, OutputFormat, format_named, suffixes

LINE = "{line}"  # in an output's name: one file for each text


def form_named(name: str | None, output: Path | None) -> OutputFormat:
    """The format of that name, else the one that a file's name asks for."""
    known = suffixes("explanation", "collection")
    if name is not None:
        return format_named(name, "explanation", "collection")
    suffix = "" if output is None else output.suffix.lower()
    if suffix in known:
        return FORMATS[known[suffix]]
    raise ArgumentError(f"no format is known for a file that ends in {suffix!r}; give --format")


def check_destination(path: Path | None, form: OutputFormat, *, source: str | None) -> None:
    """Say before the work that its results could not be written, or would overwrite what they are made from."""
    holds_many = form.name in ("terminal", "json") or form.draws("collection")  # texts in one file
    if not holds_many and source is not None and (path is None or LINE not in path.name):
        raise ArgumentError(
            f"one {form.name} file holds one text; several need {LINE} in the output's name",
            hint=f"for example: -o picture-{LINE}.{form.name}",
        )
    if form.is_binary and path is None and sys.stdout is not None and sys.stdout.isatty():
        raise ArgumentError(f"a {form.name} is no text for a terminal; give -o PATH")
    if path is not None and LINE in str(path.parent):
        raise ArgumentError(f"{LINE} stands for a text in a file's name, not in a folder's: {str(path.parent)!r}")
    if path is not None:
        check_writable(Path(str(path).replace(LINE, "1")), source=source)


def check_writable(path: Path, *, source: str | None) -> None:
    """Say that a file could not be written, or is the one that is read."""
    with named_errors(path):
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


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """An error of the system names the file that could not be written."""
    try:
        yield
    except InputError:  # an OSError too, and already ours
        raise
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error
