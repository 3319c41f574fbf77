"""Runs a server in this process, and opens its page in a real browser."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any
from urllib.parse import quote

import httpx
import torch
import uvicorn
from playwright.sync_api import Browser, Dialog, Locator, Page, expect
from torch import Tensor

from unmask.attribution.session import ModelSession
from unmask.models.formula import FormulaModel
from unmask.web.app import create_app
from unmask.web.protection import Access
from unmask.web.server import listen

CAP, OFFSET = 3.0, 1.0
WEIGHTS = {"good": 3.0, "fine": 2.5, "bad": -4.0}
TEXT = "a good and fine film"  # either word is nearly enough: they cover for each other


def capped(vectors: Tensor, attention: Tensor) -> Tensor:
    """The logit of `positive`: the sum of the weights, at most CAP, minus OFFSET."""
    total = (vectors[..., 0] * attention).sum(-1).clamp(max=CAP) - OFFSET
    return torch.stack([torch.zeros_like(total), total], -1)


def capped_words() -> ModelSession:
    return ModelSession(FormulaModel({word: [weight] for word, weight in WEIGHTS.items()}, capped, name="capped words"))


@dataclass
class ServedPage:
    """A server that can be stopped and restarted at the same address."""

    sessions: dict[str, ModelSession]
    port: int = 0
    server: uvicorn.Server | None = field(default=None, init=False)
    thread: Thread | None = field(default=None, init=False)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        listening = listen("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        app = create_app(self.sessions, access=Access(port=self.port))
        config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = Thread(target=self.server.run, kwargs={"sockets": [listening]}, daemon=True)
        self.thread.start()
        self.wait()

    def wait(self) -> None:
        for _ in range(200):
            if self.server is not None and self.server.started:
                httpx.get(f"{self.address}healthz").raise_for_status()
                return
            time.sleep(0.05)
        raise TimeoutError(self.address)

    def stop(self) -> None:
        if self.server is not None and self.thread is not None:
            self.server.should_exit = True
            self.thread.join(20)


@contextmanager
def serving(**sessions: ModelSession) -> Iterator[ServedPage]:
    served = ServedPage({name.replace("_", " "): session for name, session in sessions.items()})
    served.start()
    try:
        yield served
    finally:
        served.stop()


@dataclass
class Visit:
    """Opens the served page, and records its errors and the hosts it contacts."""

    browser: Browser
    served: ServedPage
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __call__(
        self, text: str = "", *, fragment: str = "", width: int = 1100, scheme: str = "light", waits: bool = True
    ) -> Page:
        page = self.browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            accept_downloads=True,
        )
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", self._refuse)
        page.goto(self.served.address + (link({"question": {"text": text}}) if text else fragment))
        if waits:
            expect(units(page).first).to_be_visible()
        return page

    def _refuse(self, dialog: Dialog) -> None:
        self.complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()


def link(state: dict[str, Any]) -> str:
    """The fragment of an address that restores a state."""
    return f"#{quote(json.dumps(state))}"


def units(page: Page) -> Locator:
    """The units of the text."""
    return page.locator(".um-units .um-u")


def unit(page: Page, text: str) -> Locator:
    """The first unit with this text."""
    return units(page).filter(has_text=text).first


def explain(page: Page, text: str) -> None:
    """Type a text and explain it."""
    box = page.locator(".um-fields textarea").first
    box.fill(text)
    box.press("Control+Enter")
    expect(page.locator(".um-units")).to_contain_text(text.split()[0])


def struck(page: Page) -> list[str]:
    """The units that are drawn as masked."""
    return page.locator(".um-units .um-struck").all_text_contents()


def now(page: Page) -> Locator:
    """The live region with the prediction."""
    return page.locator(".um-now")


def serious(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    assert len(found["passes"]) > 20  # it has looked
    return [f"{one['id']}: {one['nodes'][0]['target']}" for one in found["violations"] if one["impact"] != "minor"]
