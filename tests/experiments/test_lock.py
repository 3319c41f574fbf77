"""One process in a folder; a dead one holds nothing."""

import errno
import fcntl
import os
import resource
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from unmask.errors import InputError
from unmask.experiments.store import LOCK, hold, holder

HOLDER = """
import sys, time
from pathlib import Path
from unmask.experiments.store import hold
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_told_who_holds_it(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(InputError, match=f"in use by process {process.pid} on "), hold(tmp_path):
            pass
        process.kill()
        process.wait()
        with hold(tmp_path):  # the lock of a dead process is none, though its file is there
            pass
    with hold(tmp_path):
        pass


def test_who_is_at_work_can_be_asked_without_a_trace(tmp_path: Path) -> None:
    assert holder(tmp_path) is None
    assert not list(tmp_path.iterdir())
    with hold(tmp_path):
        assert holder(tmp_path) == f"process {os.getpid()} on {socket.gethostname()}"
    assert holder(tmp_path) is None
    with hold(tmp_path):  # and asking leaves nothing behind
        pass


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / LOCK).mkdir()  # as good as a folder that is read-only, also for root
    with pytest.raises(InputError, match=f"cannot write or lock '{tmp_path}': ") as raised, hold(tmp_path):
        pass
    assert "use another folder" in str(raised.value.hint)


def test_a_disk_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / LOCK).touch()

    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    with pytest.raises(InputError, match=f"cannot write or lock '{tmp_path}': No locks"), hold(tmp_path):
        pass
    assert holder(tmp_path) is None


def test_a_disk_that_is_full_is_named_by_its_folder(tmp_path: Path) -> None:
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, allowed[1]))  # the system refuses every byte, as a full disk does
    try:
        with pytest.raises(InputError, match=f"cannot write or lock '{tmp_path}': "), hold(tmp_path):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, allowed)
