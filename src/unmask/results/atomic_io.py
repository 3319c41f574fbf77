"""Files read and written whole, and what is the name of one."""

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from ..errors import InputError


def is_path(name: str) -> bool:
    """Whether a model's source can only be a path, and no name on the hub.

    >>> [is_path(name) for name in ("bert", "somebody/bert", "./bert", "models/of/bert", "~/bert")]
    [False, False, True, True, True]
    """
    is_long = name.count("/") > 1 or "\\" in name
    return is_long or name.startswith((".", "/", "~")) or Path(name).is_absolute()


def read_whole(path: str | os.PathLike[str]) -> bytes:
    """What a file holds."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {os.fspath(path)!r}: {error.strerror}") from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all: beside its place first, then moved there."""
    is_device = path.exists() and not path.is_file()  # /dev/null must not be replaced by a file, nor a pipe
    path = path if is_device else path.resolve()  # a link stays a link
    beside = path if is_device else path.with_name(f".{os.getpid()}-{secrets.token_hex(4)}")
    try:
        # JSON has the same escape for a lone surrogate, which a label may hold.
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
