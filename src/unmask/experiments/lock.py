"""One process at a time in a folder. The system forgets the lock of a process that is dead."""

import errno
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from ..errors import InputError

NAME = "results.sqlite.lock"  # beside the store, and nobody else's name
HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)  # what a system says of a lock that another process has
LOOKING = 0.2  # seconds, longer than `holder` takes


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the folder; refused where another process does, with who that is."""
    path = folder / NAME
    with _opened(path) as file:
        try:
            is_ours = _taken(file) or _taken_later(file)
        except OSError as error:
            raise InputError(
                f"a run locks its folder, and {str(folder)!r} is on a disk that has no locks: {error.strerror}",
                hint="name a folder on another disk",
            ) from error
        if not is_ours:
            raise InputError(
                f"{str(folder)!r} is in use by {_holder(path)}: two runs in one folder would do the same work twice",
                hint="wait for it, or end it; what it has done is kept",
            )
        try:
            _sign(file, path)
            yield
        finally:
            with suppress(OSError):
                file.truncate(0)


def holder(folder: Path) -> str | None:
    """Who is at work in a folder: a process on a machine; None where nobody is."""
    path = folder / NAME
    if not path.exists():
        return None
    with path.open("r", encoding="utf-8") as file, suppress(OSError):  # on a disk without locks there is no run
        return None if _taken(file, shared=True) else _holder(path)  # ours for a moment, it is nobody else's
    return None


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("a+b", buffering=0)
    except OSError as error:
        raise _unwritten(path, error) from error


def _sign(file: IO[bytes], path: Path) -> None:
    """Say in the file who holds it."""
    try:
        file.truncate(0)
        file.write(json.dumps({"process": os.getpid(), "machine": socket.gethostname()}).encode())
    except OSError as error:
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: OSError) -> InputError:
    return InputError(
        f"a run is kept in its folder, and {str(path.parent)!r} cannot be written: {error.strerror}",
        hint="make room or let it be written, or name another folder",
    )


def _holder(path: Path) -> str:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return f"process {said['process']} on {said['machine']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def _taken_later(file: IO[Any]) -> bool:
    """Once more: somebody may only have looked."""
    time.sleep(LOOKING)
    return _taken(file)


def _taken(file: IO[Any], *, shared: bool = False) -> bool:
    """Whether the lock is ours now; the system takes it back when the process ends, however it ends."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(1 << 20)  # behind what is written, which others may read
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in HELD:
            raise
        return False
    return True
