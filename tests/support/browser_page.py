"""Helpers for tests in a real browser: open pages, and read what is visible on them."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Dialog, Locator, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
BLUE, ORANGE = "rgb(33, 102, 172)", "rgb(160, 77, 5)"  # full color for the target, and against it
NUMBER = "one => { const seen = getComputedStyle(one, '::before'); return seen.display === 'none' ? '' : seen.content }"
PLACES = """block => {
  const corner = block.getBoundingClientRect(), found = [];
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) for (let at = 0; at < walker.currentNode.length; at++) {
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + 1);
    const box = range.getBoundingClientRect();
    found.push(box.left - corner.left, box.top - corner.top);
  }
  return found;
}"""


@dataclass
class Opening:
    """Opens pages, and records their requests and their errors."""

    browser: Browser
    folder: Path
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __call__(self, content: str, *, width: int = 900, scheme: str = "light", scripts: bool = True) -> Page:
        path = self.folder / "page.html"
        path.write_text(content, encoding="utf-8")
        opened = self.browser.new_page(
            viewport={"width": width, "height": 700},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=scripts,
        )
        opened.on("request", lambda request: self.requests.append(request.url))
        opened.on("console", lambda message: self.complaints.append(message.text))
        opened.on("pageerror", lambda error: self.complaints.append(str(error)))
        opened.on("dialog", self._refuse)
        opened.goto(path.as_uri())
        return opened

    def _refuse(self, dialog: Dialog) -> None:
        self.complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()


def number(one: Locator) -> str:
    """The number shown beside a unit; empty unless the unit is hovered or focused."""
    return str(one.evaluate(NUMBER)).strip('"').replace("none", "")


def paper(one: Locator) -> str:
    return str(one.evaluate("one => getComputedStyle(one).backgroundColor"))


def places(block: Locator) -> list[float]:
    """The position of each character of a block of text, from its left and top edge."""
    return list(block.evaluate(PLACES))


def copied(block: Locator) -> str:
    """The text that copying the block would put on the clipboard."""
    block.evaluate("one => getSelection().selectAllChildren(one)")
    return str(block.evaluate("() => getSelection().toString()"))
