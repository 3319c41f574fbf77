"""The widget in a real JupyterLab: drawn, clicked, and answered by its kernel."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect
from support.served_page import now, struck, unit

from unmask.web.server import listen

CELL = """from unmask import Explainer
from unmask.models.formula import FormulaModel

Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "fine": 1.0})).widget("a good and fine film")"""
KERNEL = {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "language": "python"}


def notebook() -> dict[str, object]:
    cell: dict[str, object] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "one",
        "metadata": {},
        "outputs": [],
        "source": CELL,
    }
    metadata = {"kernelspec": {"name": "here", "display_name": "here", "language": "python"}}
    return {"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook in a JupyterLab of its own."""
    if find_spec("jupyterlab") is None:
        pytest.skip("needs JupyterLab: pip install jupyterlab")
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
    kernel = tmp_path / "data" / "kernels" / "here"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(json.dumps({**KERNEL, "display_name": "here"}), encoding="utf-8")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "one.ipynb").write_text(json.dumps(notebook()), encoding="utf-8")
    folders = {f"JUPYTER_{name.upper()}_DIR": str(tmp_path / name) for name in ("data", "config", "runtime")}
    options = [
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--port={port}",
        "--IdentityProvider.token=key",
    ]
    command = [sys.executable, "-m", "jupyterlab", *options]
    quiet, environment = subprocess.DEVNULL, {**os.environ, **folders}
    with subprocess.Popen(command, cwd=tmp_path / "work", env=environment, stdout=quiet, stderr=quiet) as started:
        try:
            wait(f"http://127.0.0.1:{port}/api")
            yield f"http://127.0.0.1:{port}/lab/tree/one.ipynb?token=key"
        finally:
            started.terminate()


def wait(address: str) -> None:
    for _ in range(240):
        try:
            httpx.get(address).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.5)
        else:
            return
    raise TimeoutError(address)


@pytest.mark.slow
def test_words_are_masked_and_the_kernel_answers(browser: Browser, lab: str) -> None:
    page = browser.new_page(viewport={"width": 1300, "height": 1200})
    page.goto(lab, timeout=60_000)
    cell = page.locator(".jp-Notebook .jp-CodeCell").first
    expect(cell).to_be_visible(timeout=60_000)
    expect(page.get_by_text("here | Idle")).to_be_visible(timeout=60_000)
    cell.click()
    page.keyboard.press("Shift+Enter")
    expect(unit(page, "good")).to_be_visible(timeout=60_000)
    unit(page, "good").click()
    unit(page, "fine").click()
    expect(now(page)).to_have_text('Without "good" and "fine": positive 50.0% (prediction: negative).', timeout=20_000)
    assert struck(page) == ["good", "fine"]
    assert page.locator(".um-drops .um-number").all_text_contents() == ["3.00", "3.00"]
    page.close()
