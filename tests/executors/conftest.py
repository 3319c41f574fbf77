"""Small folders, what the local engine writes into them, and processes of Ray that can import what tests share."""

import gc
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import folders
from support.folders import TEXTS, chunk_explainer, content
from support.ray_work import explain_on

from unmask.executors.base import LocalEngine


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    folders.small_parts(monkeypatch)


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, bytes]:
    """What the local engine makes of the texts."""
    explain_on(LocalEngine(), tmp_path / "whole", TEXTS, chunk_explainer())
    return content(tmp_path / "whole")


@pytest.fixture(autouse=True)
def _forgotten_processes() -> Iterator[None]:
    """Ray waits for none of the processes that it ends, which Python warns of when it forgets them."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(scope="module")
def importable() -> Iterator[None]:
    """Lets the processes that Ray starts import what tests share."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        yield
