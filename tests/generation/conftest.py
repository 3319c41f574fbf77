"""The story model inside the package."""

import pytest

from unmask import Explainer, Explanation


@pytest.fixture(scope="session")
def stories() -> Explainer:
    return Explainer.default(task="generation", device="cpu")


@pytest.fixture(scope="session")
def lily(stories: Explainer) -> Explanation:
    return stories.explain("Once upon a time, Lily lost her ball.", max_new_tokens=12)
