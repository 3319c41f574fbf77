"""A browser, and pages opened in it."""

import copy
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from support import plain_heads
from support.browser_page import CHROMIUM, Opening
from support.chat_templates import CHATML
from support.head_questions import MODELS
from support.served_page import ServedPage, Visit, capped_words, serving

from unmask.attribution.session import ModelSession
from unmask.models.huggingface.loading import embedded_model, load
from unmask.models.huggingface.opening import open_model

AXE = "axe-core@4"


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


@pytest.fixture(scope="session")
def served() -> Iterator[ServedPage]:
    """A server with a classifier whose answers are known."""
    with serving(capped_words=capped_words()) as one:
        yield one


@pytest.fixture(scope="session")
def answering() -> Iterator[ServedPage]:
    """A server with language models too: one that tells stories, and the same with a chat template."""
    model, tokenizer = load(embedded_model("generation"), task="generation")
    chatting = copy.deepcopy(tokenizer)
    chatting.chat_template = CHATML
    stories, chat = (ModelSession(open_model(model, one)) for one in (tokenizer, chatting))
    with serving(capped_words=capped_words(), stories=stories, chat=chat) as one:
        yield one


@pytest.fixture(scope="session")
def headed() -> Iterator[ServedPage]:
    """A server with a tiny model of every other head."""
    with serving(**{name: ModelSession(open_model(*plain_heads.parts(task))) for name, task in MODELS.items()}) as one:
        yield one


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, fetched by npm for this test alone."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    if npm is None:
        pytest.skip("needs npm, to fetch axe-core")
    fetched = subprocess.run(
        [npm, "install", "--silent", "--no-audit", "--no-fund", AXE], cwd=folder, capture_output=True, check=False
    )
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if fetched.returncode or not script.exists():
        pytest.skip("npm could not fetch axe-core")
    return script.read_text(encoding="utf-8")


@pytest.fixture
def visit(browser: Browser, served: ServedPage) -> Iterator[Visit]:
    yield from visiting(browser, served)


@pytest.fixture
def asking(browser: Browser, answering: ServedPage) -> Iterator[Visit]:
    yield from visiting(browser, answering)


@pytest.fixture
def seeing(browser: Browser, headed: ServedPage) -> Iterator[Visit]:
    yield from visiting(browser, headed)


def visiting(browser: Browser, served: ServedPage) -> Iterator[Visit]:
    """Every visit asks its server alone and has nothing to complain of."""
    visit = Visit(browser, served)
    yield visit
    for context in browser.contexts:
        context.close()
    assert visit.complaints == []
    assert {url.partition(served.address)[0] for url in visit.requests} <= {"", f"blob:{served.address}"}
