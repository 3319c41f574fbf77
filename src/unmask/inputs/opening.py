"""Opens files and reads their lines; every error is an `InputError` that names the file."""

import gzip
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO, cast

from ..errors import InputError

STANDARD_INPUT = "-"
MARK = b"\xef\xbb\xbf"

LONGEST = 64 * 2**20  # bytes in a line or row

# The first bytes of files that are not UTF-8 (longest first), what such a file is, and what to do.
OTHERS = {
    b"\xff\xfe\0\0": ("is UTF-32, not UTF-8", "convert it: iconv -f UTF-32 -t UTF-8 FILE > NEW_FILE"),
    b"\0\0\xfe\xff": ("is UTF-32, not UTF-8", "convert it: iconv -f UTF-32 -t UTF-8 FILE > NEW_FILE"),
    b"\xff\xfe": ("is UTF-16, not UTF-8", "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE"),
    b"\xfe\xff": ("is UTF-16, not UTF-8", "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE"),
    b"\x1f\x8b": ("is compressed with gzip", "rename it to end in .gz, or pipe it through zcat"),
}
# Encodings to recognize without a byte-order mark: bytes per character, and which bytes of a Latin letter are 0.
WIDE = {"UTF-32LE": (4, (1, 2, 3)), "UTF-32BE": (4, (0, 1, 2)), "UTF-16LE": (2, (1,)), "UTF-16BE": (2, (0,))}
SHORTEST, SAMPLE = 8, 256  # bytes: enough to tell these encodings apart


def name(path: str) -> str:
    """Format a file's name for messages."""
    return "standard input" if path == STANDARD_INPUT else repr(path)


def empty(path: str) -> InputError:
    """Build the error for a file without records."""
    return InputError(f"{name(path)} contains no texts")


def suffixes(path: str) -> tuple[str, bool]:
    """Return a file's suffix in lower case, without .gz, and whether the name ends in .gz.

    >>> suffixes("reviews.CSV.gz")
    ('.csv', True)
    """
    file = Path(path)
    compressed = file.suffix.lower() == ".gz"
    return (file.with_suffix("") if compressed else file).suffix.lower(), compressed


def is_read_once(path: str) -> bool:
    """Whether the file can be read only once: standard input, pipes, devices."""
    return path == STANDARD_INPUT or not stat.S_ISREG(_mode(path))


def check_openable(path: str) -> None:
    """Reject a missing file, a directory or a closed standard input, without opening the file."""
    if path == STANDARD_INPUT:
        _standard_input()
        return
    if stat.S_ISDIR(_mode(path)):
        raise InputError(f"{name(path)} is a directory, not a file", hint="name a file in it")


def _mode(path: str) -> int:
    """A file's type and permissions."""
    with named_errors(path):
        try:
            return Path(path).stat().st_mode
        except ValueError as error:  # a NUL in the path
            raise InputError(f"cannot read {name(path)}: {error}") from error


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, decompressed if its name ends in .gz; leaves standard input open."""
    check_openable(path)
    with named_errors(path):
        if path == STANDARD_INPUT:
            yield _standard_input()
            return
        compressed = suffixes(path)[1]
        with cast(BinaryIO, gzip.open(path)) if compressed else Path(path).open("rb") as file:
            yield file


def byte_lines(path: str) -> Iterator[bytes]:
    """Yield lines with their line endings, without a byte-order mark; only LF ends a line."""
    with opened(path) as file:
        for number in count():
            line = file.readline(LONGEST + 1)
            if not number and (other := _other_encoding(line[:SAMPLE])):
                raise InputError(f"{name(path)} {other[0]}", hint=other[1])
            if len(line) > LONGEST:
                raise too_long(path, f"line {number + 1}")
            if not line:
                return
            yield line if number else line.removeprefix(MARK)


def too_long(path: str, what: str) -> InputError:
    """Build the error for a line or row that is too long to explain."""
    size = f"{LONGEST / 2**20:,.0f} MB" if LONGEST >= 2**20 else f"{LONGEST} bytes"
    return InputError(f"{name(path)}: {what} is longer than {size}", hint="put each text on its own line")


def _other_encoding(beginning: bytes) -> tuple[str, str] | None:
    """Return what a file is if it does not begin like UTF-8, and what to do about it."""
    for mark, other in OTHERS.items():
        if beginning.startswith(mark):
            return other
    for encoding, (size, empty) in WIDE.items():
        columns = [beginning[at::size] for at in range(size)]
        written = b"".join(column for at, column in enumerate(columns) if at not in empty)
        is_empty = all(columns[at].count(0) > len(columns[at]) / 2 for at in empty)
        if len(beginning) >= SHORTEST and is_empty and 0 not in written:
            how = f"convert it: iconv -f {encoding} -t UTF-8 FILE > NEW_FILE"
            return f"looks like {encoding} without a byte-order mark, not UTF-8", how
    return None


def text_lines(path: str) -> Iterator[str]:
    """Yield lines without LF or CRLF."""
    for line in byte_lines(path):
        yield decoded(line.removesuffix(b"\n").removesuffix(b"\r"))


def decoded(content: bytes) -> str:
    """Decode UTF-8; invalid bytes become lone surrogates, so that only this text fails."""
    return content.decode("utf-8", errors="surrogateescape")


@contextmanager
def named_errors(path: str) -> Iterator[None]:
    """Turn system and gzip errors into errors that name the file."""
    try:
        yield
    except InputError:  # also an OSError, but it already names the file
        raise
    except EOFError as error:
        raise InputError(
            f"{name(path)} is truncated: its gzip data ends too early", hint="copy or download it again"
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{name(path)} is damaged or not a gzip file: {error}", hint="copy or download it again"
        ) from error
    except OSError as error:
        raise InputError(f"cannot read {name(path)}: {error.strerror or error}") from error


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer
