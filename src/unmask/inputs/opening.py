"""Opens files and reads their lines; every error is an `InputError` that names the file."""

import gzip
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ..errors import InputError

STANDARD_INPUT = "-"
MARK = b"\xef\xbb\xbf"

# The first bytes of files that are not UTF-8: what they are, and what to do.
OTHERS = {
    b"\xff\xfe": ("is UTF-16, not UTF-8", "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE"),
    b"\xfe\xff": ("is UTF-16, not UTF-8", "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE"),
    b"\x1f\x8b": ("is compressed with gzip", "rename it to end in .gz, or pipe it through zcat"),
}


def name(path: str) -> str:
    """A file's name in messages."""
    return "standard input" if path == STANDARD_INPUT else repr(path)


def empty(path: str) -> InputError:
    """The error for a file without records."""
    return InputError(f"{name(path)} is empty: no text to explain")


def suffixes(path: str) -> tuple[str, bool]:
    """A file's suffix in lower case, without .gz, and whether it had .gz.

    >>> suffixes("reviews.CSV.gz")
    ('.csv', True)
    """
    file = Path(path)
    compressed = file.suffix.lower() == ".gz"
    return (file.with_suffix("") if compressed else file).suffix.lower(), compressed


def is_read_once(path: str) -> bool:
    """Whether it can be read only once: standard input, pipes, devices."""
    with named_errors(path):
        return path == STANDARD_INPUT or not stat.S_ISREG(Path(path).stat().st_mode)


def check_openable(path: str) -> None:
    """Refuse a missing file, a directory or a closed standard input; opens nothing."""
    if path == STANDARD_INPUT:
        _standard_input()
        return
    with named_errors(path):
        Path(path).stat()
    if Path(path).is_dir():
        raise InputError(f"{name(path)} is a directory, not a file", hint="name one of the files in it")


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, decompressed if it ends in .gz; leaves standard input open."""
    check_openable(path)
    with named_errors(path):
        if path == STANDARD_INPUT:
            yield _standard_input()
            return
        compressed = suffixes(path)[1]
        with cast(BinaryIO, gzip.open(path)) if compressed else Path(path).open("rb") as file:
            yield file


def byte_lines(path: str) -> Iterator[bytes]:
    """Lines with their line ends, without a byte-order mark; only LF ends a line."""
    with opened(path) as file:
        for number, line in enumerate(file):
            if not number and (other := OTHERS.get(line[:2])):
                raise InputError(f"{name(path)} {other[0]}", hint=other[1])
            yield line if number else line.removeprefix(MARK)


def text_lines(path: str) -> Iterator[str]:
    """Lines without LF or CRLF."""
    for line in byte_lines(path):
        yield decoded(line.removesuffix(b"\n").removesuffix(b"\r"))


def decoded(content: bytes) -> str:
    """Decode UTF-8; invalid bytes become lone surrogates, so that only this text fails."""
    return content.decode("utf-8", errors="surrogateescape")


@contextmanager
def named_errors(path: str) -> Iterator[None]:
    """Turn errors of the system and gzip into an error that names the file."""
    try:
        yield
    except InputError:  # an OSError too, and already ours
        raise
    except EOFError as error:
        raise InputError(
            f"{name(path)} is truncated: its gzip data ends too early", hint="copy or download it again"
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{name(path)} is not gzip, or damaged: {error}", hint="copy or download it again") from error
    except OSError as error:
        raise InputError(f"cannot read {name(path)}: {error.strerror or error}") from error


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer
