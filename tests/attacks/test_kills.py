"""Processes that are killed, and folders that vanish under them: what was done stays whole, and nothing hangs.

Runs that are killed twenty times are in tests/experiments/test_scheduler.py, stores copied at any moment in
tests/experiments/test_store.py, Ctrl-C in tests/cli.
"""

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command import process

from unmask.experiments.store import NAME

DEADLINE = 240  # seconds: a busy machine is slow to import torch


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@pytest.mark.parametrize("written", [1, pytest.param(50_000, marks=pytest.mark.slow)])
def test_a_killed_explain_leaves_complete_lines_that_its_repetition_keeps(
    unmask: Any, tmp_path: Path, written: int
) -> None:
    (tmp_path / "x.txt").write_text("good film\n" * 20_000)
    output = tmp_path / "out.jsonl"
    command = ["explain", "-f", str(tmp_path / "x.txt"), "-o", str(output)]
    with process(*command) as started:
        wait_for(lambda: size(output) >= written)
        started.kill()
    content = output.read_bytes()
    assert content.endswith(b"\n")
    lines = [json.loads(line)["line"] for line in content.splitlines()]
    assert lines == list(range(1, len(lines) + 1))
    code, _, err = unmask(*command)
    assert (code, "exists and is not empty; it was not modified" in err) == (2, True)
    assert output.read_bytes() == content


@pytest.mark.slow
def test_a_run_whose_folder_is_deleted_stops_at_the_next_commit(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("".join(f"A gripping film, number {at} of many.\n" for at in range(20_000)))
    run = tmp_path / "run"
    command = ["evaluate", "-f", str(tmp_path / "x.txt"), "--method", "sig", "--operator", "remove", "--run", str(run)]
    with process(*command) as started:
        wait_for(lambda: size(run / f"{NAME}-wal") > 200_000 or started.poll() is not None)
        shutil.rmtree(run)
        _, err = started.communicate(timeout=DEADLINE)
    assert started.returncode == 2
    assert f"error: '{run / NAME}' was deleted or replaced during the run" in err.decode()
    assert "hint: restore the folder" in err.decode()
    assert "Traceback" not in err.decode()
