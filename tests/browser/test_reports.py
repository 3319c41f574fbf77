"""Reports in a real browser: nothing is asked for, nothing is pushed out of sight, at any width."""

import pytest
from support import evaluations
from support.browser_page import Opening

from unmask.render.reports import render


@pytest.mark.slow
@pytest.mark.parametrize("width", [400, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_stand_within_the_page(opened: Opening, width: int, scheme: str) -> None:
    page = opened(render(evaluations.large(20, baselines=("mask",)), "html"), width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    panels = page.locator(".um-panels svg")
    assert panels.count() == 39
    first, second = panels.nth(0).bounding_box(), panels.nth(1).bounding_box()
    assert first is not None
    assert second is not None
    assert (first["y"] == second["y"]) == (width == 1200)  # beside each other where there is room
    assert first["width"] >= 340
