"""What many tests use."""

import os
from collections.abc import Callable

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # no test asks the network
os.environ["OMP_NUM_THREADS"] = "1"  # models are tiny here: threads wait for each other, on a busy machine for minutes

from support.command import run

from unmask import Explainer


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the golden files anew; review them as a diff")


@pytest.fixture(scope="session")
def embedded() -> Explainer:
    """The model inside the package."""
    return Explainer.default(device="cpu")


@pytest.fixture
def unmask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """The command: from its arguments to its exit code, standard output and standard error."""
    return lambda *args: run(capsys, monkeypatch, *args)
