"""Reads files, writes them atomically, and distinguishes paths from model names."""

import os
import re
import secrets
import socket
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from ..errors import InputError

HERE = Path()
HUB_NAME = re.compile(r"\w([\w.-]*\w)?(/\w([\w.-]*\w)?)?", re.ASCII)  # names that the hub allows for a repository


def is_path(name: str) -> bool:
    """Whether a model's name can only be a path, because the hub does not allow such names.

    >>> [is_path(name) for name in ("bert", "somebody/bert", "./bert", "models/of/bert", "~/bert", "bert/", "my bert")]
    [False, False, True, True, True, True, True]
    """
    return HUB_NAME.fullmatch(name) is None or ".." in name or "--" in name


def is_local(name: str, *, folder: Path = HERE) -> bool:
    """Whether a model's name is a path: it can only be one, or the folder before its last slash exists.

    >>> [is_local(name) for name in ("bert", "no-such-folder/bert", "./bert")]
    [False, False, True]
    """
    parent, slash, _ = name.rpartition("/")
    return is_path(name) or (bool(slash) and (folder / parent).is_dir())


def expand_user(path: str | os.PathLike[str]) -> Path:
    """The path with `~` replaced by the home folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise InputError(f"{os.fspath(path)!r}: there is no such user", hint="write ./~name for a file") from error


def path_kind(path: str | os.PathLike[str]) -> Literal["file", "folder", "missing"]:
    """Whether a path is a file, a folder or missing; an impossible name counts as missing."""
    try:
        place = Path(path)
        return "folder" if place.is_dir() else "file" if place.exists() else "missing"
    except (OSError, ValueError):  # the name is too long or contains a NUL
        return "missing"


def read_whole(path: str | os.PathLike[str]) -> bytes:
    """The content of a file."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: the name contains a NUL
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot read {os.fspath(path)!r}: {reason}") from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file atomically: write a temporary file, then move it to `path`."""
    # A label may contain a lone surrogate, which is escaped in the same way as in JSON.
    written = content if isinstance(content, bytes) else content.encode(errors="backslashreplace")
    try:
        if path.exists() and not path.is_file():  # never replace /dev/null or a pipe with a file
            path.write_bytes(written)
            return
        path = path.resolve()  # a link stays a link
        with temporary_beside(path) as beside:
            beside.write_bytes(written)
            beside.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error


@contextmanager
def temporary_beside(path: Path) -> Iterator[Path]:
    """Create an empty temporary file next to `path`, with the same permissions, and delete it when the block ends.

    Also deletes files that killed processes left behind.
    """
    for leftover in filter(_is_abandoned, path.parent.glob(f"{_prefix()}*")):
        with suppress(OSError):
            leftover.unlink()
    beside = path.with_name(f"{_prefix()}{os.getpid()}-{secrets.token_hex(4)}")
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600))
    try:
        if mode is not None:
            beside.chmod(mode)
        yield beside
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _prefix() -> str:
    """The prefix of temporary files of this machine; process IDs from other machines would mean nothing here."""
    return f".unmask-{zlib.crc32(os.fsencode(socket.gethostname())):08x}-"


def _is_abandoned(path: Path) -> bool:
    """Whether a temporary file was written by unmask in a process that has ended."""
    try:
        process, file = int(path.name.split("-")[2]), path.lstat()
        if os.name == "nt" or not stat.S_ISREG(file.st_mode) or file.st_uid != os.getuid():
            return False  # Windows has no harmless signal to test whether a process exists
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, IndexError, OverflowError):
        return False
    return False
