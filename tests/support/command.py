"""Runs the command as a user would, in this process or in a separate one."""

import subprocess
import sys
from typing import Any

import pytest

from unmask.cli import main


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *args: str) -> tuple[int, str, str]:
    """Run the command in this process; returns its exit code, standard output and standard error."""
    monkeypatch.setattr(sys, "argv", ["unmask", *args])
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def process(*arguments: str, **options: Any) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "unmask", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )
