"""Files are written whole or not at all, and nobody else sees what is in them meanwhile."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from unmask.errors import InputError
from unmask.results.atomic_io import temporary_beside, write_whole

KILLED = """
import os, sys
from pathlib import Path
from unmask.results.atomic_io import temporary_beside
with temporary_beside(Path(sys.argv[1])) as beside:
    print(beside, flush=True)
    os.kill(os.getpid(), 9)
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def leave(path: Path) -> Path:
    """The temporary file of a process that was killed while it wrote."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, check=False)
    leftover = Path(ended.stdout.decode().strip())
    assert leftover.exists()
    return leftover


def test_a_file_has_its_permissions_before_its_content(tmp_path: Path) -> None:
    (tmp_path / "secret.json").touch(0o600)
    with temporary_beside(tmp_path / "secret.json") as beside:
        assert (mode(beside), beside.stat().st_size) == (0o600, 0)
    write_whole(tmp_path / "secret.json", "new")
    assert (mode(tmp_path / "secret.json"), (tmp_path / "secret.json").read_text()) == (0o600, "new")


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "new.json", "x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new.json") == 0o666 & ~mask


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot be asked whether a process has ended")
def test_what_a_killed_process_left_is_deleted_by_the_next_one(tmp_path: Path) -> None:
    leftover = leave(tmp_path / "x.json")
    write_whole(tmp_path / "y.json", "y")
    assert [path.name for path in tmp_path.iterdir()] == ["y.json"]
    assert not leftover.exists()


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    leftover = leave(tmp_path / "x.json")
    prefix = leftover.name.rsplit("-", 2)[0]
    mine, other = f"{prefix}-{os.getpid()}-00000000", f"{prefix[:-1]}{'1' if prefix[-1] == '0' else '0'}-1-00000000"
    names = [mine, other, f"{prefix}-no-number", f"{prefix}-", f"{prefix}-{10**30}-0", ".unmask", ".unmask-", "a.json"]
    for name in names:
        (tmp_path / name).write_text("theirs")
    leftover.unlink()
    (tmp_path / f"{leftover.name}0").symlink_to(tmp_path / "a.json")
    (tmp_path / f"{leftover.name}1").mkdir()
    write_whole(tmp_path / "y.json", "y")
    kept = {*names, "y.json", f"{leftover.name}0", f"{leftover.name}1"}
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_failure_leaves_the_old_content_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.json").write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match=r"cannot write '.*x\.json': No space left on device"):
        write_whole(tmp_path / "x.json", "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x.json", "old")]
