"""Colors and signs move no letter, cover none, and stay with their unit."""

from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image
from playwright.sync_api import Locator
from support.browser_page import Opening, places
from support.explanations import cut

from unmask.render.html import page

TEXTS = {
    "left": ("An un|believ|able|, mesmer|izing disappoint|ment|.", "word"),
    "right": ("فيلم رائع gripping film ممتع 2024 19|99 و|لكن\nEnglish, فيلم جيد here|.", "word"),
    "hebrew": ("הסרט הזה היה gripping and beautiful מאוד|, אבל ארוך|.", "word"),
    "mixed": ("The critics wrote فيلم رائع جدا about it|, and הסרט הזה too", "word"),
    "joined": ("مك|تبة جمي|لة", "token"),
    "chinese": ("这部|电影|非常|好看|，|演员|的|表演|令人|难忘|。", "word"),
}
PLAIN = "one => { one.textContent = one.textContent }"  # the same text without any unit
BOXES = "all => all.map(one => [...one.getClientRects()].map(box => [box.left, box.right, box.top])).flat()"


@pytest.mark.parametrize("name", TEXTS)
def test_no_letter_moves(opened: Opening, name: str) -> None:
    block = opened(page(cut(*TEXTS[name]))).locator(".um-text:visible")
    colored = places(block)
    block.evaluate(PLAIN)
    assert colored == pytest.approx(places(block), abs=1)


@pytest.mark.parametrize("name", TEXTS)
def test_no_box_covers_another(opened: Opening, name: str) -> None:
    units = opened(page(cut(*TEXTS[name]))).locator(".um-text:visible .um-u")
    boxes = sorted(units.evaluate_all(BOXES), key=lambda box: (box[2], box[0]))
    for (_, right, top), (left, _, next_top) in pairwise(boxes):
        assert top != next_top or right <= left + 0.5


@pytest.mark.slow
@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("name", TEXTS)
def test_signs_stand_in_the_box_of_their_unit(opened: Opening, name: str, forced: str) -> None:
    shown_page = opened(page(cut(*TEXTS[name])))
    shown_page.emulate_media(forced_colors="active" if forced == "active" else "none")
    for unit in shown_page.locator(".um-text:visible .um-u").all():
        if unit.evaluate("one => one.getBoundingClientRect().width") > 12:
            assert sign(unit) == {"f": "up", "a": "down"}[str(unit.get_attribute("class"))[len("um-u um-")]]


def sign(unit: Locator) -> str:
    """Which way the triangle in the unit's lower part points: its ink grows wider upward or downward."""
    unit.evaluate("one => { one.style.color = 'rgb(0, 255, 0)' }")
    drawn = Image.open(BytesIO(unit.screenshot())).convert("RGB")
    rows = [sum(drawn.getpixel((x, y)) == (0, 255, 0) for x in range(drawn.width)) for y in range(drawn.height)]
    start = drawn.height - 8  # below the letters
    upper, lower = sum(rows[start : start + 4]), sum(rows[start + 4 :])
    return "up" if lower > upper else "down" if upper > lower else "none"
