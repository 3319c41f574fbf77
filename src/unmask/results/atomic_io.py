"""Read files, write them atomically, and tell paths from model names."""

import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from ..errors import InputError

HERE = Path()
HUB_NAME = re.compile(r"\w([\w.-]*\w)?(/\w([\w.-]*\w)?)?", re.ASCII)  # what the hub allows in a repository's name


def is_path(name: str) -> bool:
    """Whether a model's name can only be a path, not a name on the hub.

    >>> [is_path(name) for name in ("bert", "somebody/bert", "./bert", "models/of/bert", "~/bert", "bert/", "my bert")]
    [False, False, True, True, True, True, True]
    """
    return HUB_NAME.fullmatch(name) is None or ".." in name or "--" in name


def is_local(name: str, *, folder: Path = HERE) -> bool:
    """Whether a model's name is read as a path alone: it can be nothing else, or the folder before its last / exists.

    >>> [is_local(name) for name in ("bert", "no-such-folder/bert", "./bert")]
    [False, False, True]
    """
    parent, slash, _ = name.rpartition("/")
    return is_path(name) or (bool(slash) and (folder / parent).is_dir())


def read_whole(path: str | os.PathLike[str]) -> bytes:
    """The content of a file."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {os.fspath(path)!r}: {error.strerror}") from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file atomically: to a temporary file first, which then replaces it."""
    is_device = path.exists() and not path.is_file()  # never replace /dev/null or a pipe by a file
    path = path if is_device else path.resolve()  # a link stays a link
    beside = path if is_device else path.with_name(f".{os.getpid()}-{secrets.token_hex(4)}")
    try:
        # A label may contain a lone surrogate; JSON escapes it in the same way.
        beside.write_bytes(content if isinstance(content, bytes) else content.encode(errors="backslashreplace"))
        if path.is_file():
            shutil.copymode(path, beside)
        if not is_device:
            beside.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error
    finally:
        if not is_device:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
