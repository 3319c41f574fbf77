"""Lets only one process at a time use a results folder; the operating system releases the lock of a dead process."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import InputError

LOCK = "results.sqlite.lock"
WAIT = 0.2  # seconds to wait for a lock: longer than `holder` keeps it


@contextmanager
def hold(folder: Path, name: str = LOCK) -> Iterator[None]:
    """Lock a folder for this process; the error names the process that holds it."""
    lock = FileLock(folder / name)
    try:
        lock.acquire(timeout=WAIT, poll_interval=WAIT / 4)
        with suppress(PermissionError):  # Windows does not allow writing a locked file
            me = json.dumps({"process": os.getpid(), "machine": socket.gethostname()})
            (folder / name).write_text(me, encoding="utf-8")
    except Timeout as error:
        raise InputError(
            f"{str(folder)!r} is in use by {_holder(folder / name)}",
            hint="wait for that process or stop it; its results are kept",
        ) from error
    except (OSError, NotImplementedError) as error:
        lock.release()
        raise InputError(
            f"cannot write or lock {str(folder)!r}: {getattr(error, 'strerror', error)}",
            hint="free disk space, allow writing, or use another folder",
        ) from error
    try:
        yield
    finally:
        lock.release()


def holder(folder: Path, name: str = LOCK) -> str | None:
    """A description of the process that uses a folder, or None."""
    if not (folder / name).exists():
        return None
    try:
        with FileLock(folder / name, timeout=0):
            return None
    except Timeout:
        return _holder(folder / name)
    except (OSError, NotImplementedError):  # the folder is read-only or does not support locks, so no process uses it
        return None


def _holder(lock: Path) -> str:
    try:
        process = json.loads(lock.read_text(encoding="utf-8"))
        return f"process {process['process']} on {process['machine']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
