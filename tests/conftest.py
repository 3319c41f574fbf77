"""What many tests use."""

import os

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # no test asks the network

from unmask import Explainer


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the golden files anew; review them as a diff")


@pytest.fixture(scope="session")
def embedded() -> Explainer:
    """The model inside the package."""
    return Explainer.default(device="cpu")
