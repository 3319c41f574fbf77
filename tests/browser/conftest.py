"""A browser, and pages opened in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from support.browser_page import CHROMIUM, Opening


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("needs a Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opening]:
    """Every page that a test opens asks for nothing but itself and has nothing to complain of."""
    opening = Opening(browser, tmp_path)
    yield opening
    for context in browser.contexts:
        context.close()
    assert set(opening.requests) == {(tmp_path / "page.html").as_uri()}
    assert opening.complaints == []
