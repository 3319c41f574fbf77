"""Take the pictures of the served page that the docs show: .venv/bin/python scripts/page_pictures.py [folder]"""

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

DOCS = Path(__file__).resolve().parents[1] / "docs" / "how-to"
SLOW = 60_000  # milliseconds
SCREENS = {"": (1040, "light"), "-dark": (1040, "dark"), "-narrow": (390, "light")}  # the docs show the first


def main() -> None:
    """Take each picture on three screens; only those of the first belong to the docs."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    command = [sys.executable, "-m", "unmask", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            take(server.stdout.readline().split()[-1], folder)
        finally:
            server.terminate()


def take(address: str, folder: Path | None) -> None:
    """Open the page at this address and take the pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (width, scheme) in SCREENS.items() if folder else [("", SCREENS[""])]:
            page = browser.new_page(
                viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
            )
            page.goto(address)
            for kind, prepare in {"serve": mask_two_words, "serve-answer": select_a_word}.items():
                prepare(page)
                page.mouse.move(0, 0)
                page.evaluate("document.activeElement.blur()")
                page.screenshot(path=(folder or DOCS) / f"{kind}{name}.png", full_page=bool(name))
        browser.close()


def mask_two_words(page: Page) -> None:
    """A review without two words that cover for each other."""
    expect(page.locator(".um-steps").first).to_be_visible(timeout=SLOW)
    for word in ("beautifully", "never"):
        page.locator(".um-units .um-u").filter(has_text=word).first.click()
    expect(page.locator(".um-drops .um-number").first).not_to_contain_text("≈", timeout=SLOW)


def select_a_word(page: Page) -> None:
    """A story, and what supports one of its words."""
    page.get_by_label("Model", exact=True).select_option(index=1)
    word = page.locator(".um-t").filter(has_text="sad").first
    word.click(timeout=SLOW)
    expect(page.locator(".um-mode .um-key")).to_contain_text("what supports")


main()
