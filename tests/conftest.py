"""What many tests use."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # no test asks the network
os.environ["OMP_NUM_THREADS"] = "1"  # models are tiny here: threads wait for each other, on a busy machine for minutes

from support.command import run

from unmask import Explainer
from unmask.engine import calibration


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the golden files anew; review them as a diff")


@pytest.fixture(scope="session", autouse=True)
def _no_calibration() -> Iterator[None]:
    """Batches of the same size in every run: nothing is measured, and nothing that was measured is read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calibration, "cache_folder", lambda: Path(os.devnull))
        patch.setattr(calibration, "CPU_CANDIDATES", (10**12,))
        yield


@pytest.fixture(scope="session")
def embedded() -> Explainer:
    """The model inside the package."""
    return Explainer.default(device="cpu")


@pytest.fixture
def unmask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """The command: from its arguments to its exit code, standard output and standard error."""
    return lambda *args: run(capsys, monkeypatch, *args)
