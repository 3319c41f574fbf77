"""The page of one text in a real Chromium, as people use it."""

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser_page import BLUE, ORANGE, Opening, copied, number, paper
from support.explanations import cases, compared, explanation, items

from unmask import Explanation
from unmask.render.escape import shown
from unmask.render.html import collection, fragment, page

SHORT = cases()["short"]
EVIL = (
    "</p><script>document.title = 'ran'; alert(1)</script><img src=x onerror=alert(2)> "
    "\" onfocus=\"alert(3)\" ' onmouseover='alert(4)' gripping <svg onload=alert(5)> <style>*{display:none}</style>"
)


def unit(shown_page: Page, word: str) -> Locator:
    return shown_page.locator(f".um-view:visible .um-u:text-is('{word}')").first


def test_pointing_at_a_unit_shows_its_number(opened: Opening) -> None:
    shown_page = opened(page(SHORT))
    word = unit(shown_page, "gripping")
    assert number(word) == ""
    word.hover()
    assert number(word) == "+2.50"
    assert number(unit(shown_page, "dull")) == ""


def test_the_keyboard_reaches_every_unit_and_shows_its_number(opened: Opening) -> None:
    shown_page = opened(page(SHORT))
    shown_page.get_by_role("radio", name="log-odds").focus()  # the last switch before the text
    reached = {}
    for _ in SHORT.units:
        shown_page.keyboard.press("Tab")
        focused = shown_page.locator(":focus")
        reached[focused.text_content()] = number(focused)
    assert list(reached) == [unit.text for unit in SHORT.units][:-1]  # two full stops
    assert reached["gripping"] == "+2.50"
    assert reached["dull"] == "−1.75"


def test_screen_readers_hear_word_and_score(opened: Opening) -> None:
    shown_page = opened(page(SHORT))
    expect(shown_page.get_by_role("button", name="gripping +2.50, normalized +0.75")).to_have_count(1)
    expect(shown_page.get_by_role("radio", name="negative")).to_have_count(1)
    expect(shown_page.get_by_role("heading", level=1, name="Prediction positive")).to_have_count(1)
    expect(shown_page.get_by_role("row", name="gripping +2.50")).to_have_count(1)


def test_switching_the_output_changes_the_colors(opened: Opening) -> None:
    shown_page = opened(page(SHORT))
    assert paper(unit(shown_page, "gripping")) == BLUE
    shown_page.get_by_role("radio", name="negative").check()
    assert shown_page.locator(".um-text:visible").count() == 1
    assert paper(unit(shown_page, "gripping")) == ORANGE
    unit(shown_page, "gripping").hover()
    assert number(unit(shown_page, "gripping")) == "−2.50"


def test_switches_work_by_keyboard_and_send_nothing(opened: Opening) -> None:
    shown_page = opened(page(SHORT))
    shown_page.keyboard.press("Tab")
    shown_page.keyboard.press("ArrowRight")
    shown_page.keyboard.press("Enter")
    expect(shown_page.get_by_role("heading", name="What supports negative")).to_be_visible()
    assert "?" not in shown_page.url


def test_two_fragments_in_one_notebook_do_not_disturb_each_other(opened: Opening) -> None:
    host = "<style>.host table tr:nth-child(odd) { background: red } .host p { color: red }</style>"
    shown_page = opened(f"<!doctype html>{host}<div class=host>{fragment(SHORT)}{fragment(SHORT)}<p>host</p></div>")
    first, second = shown_page.locator(".um").all()
    second.get_by_role("radio", name="negative").check()
    assert paper(first.locator(".um-u:visible").nth(1)) == BLUE
    assert paper(second.locator(".um-u:visible").nth(1)) == ORANGE
    assert paper(first.locator(".um-largest:visible tr").nth(1)) == "rgba(0, 0, 0, 0)"
    assert shown_page.locator(".host > p").evaluate("one => getComputedStyle(one).color") == "rgb(255, 0, 0)"
    assert first.locator(".um-text:visible").evaluate("one => getComputedStyle(one).color") == "rgb(28, 30, 34)"


@pytest.mark.parametrize(("theme", "dark"), [("true", False), ("false", True)])
def test_a_notebooks_theme_goes_before_the_systems(opened: Opening, theme: str, dark: bool) -> None:
    content = f'<!doctype html><body data-jp-theme-light="{theme}">{fragment(SHORT)}'
    shown_page = opened(content, scheme="light" if dark else "dark")
    assert paper(shown_page.locator(".um")) == ("rgb(22, 24, 29)" if dark else "rgb(255, 255, 255)")


def test_normalized_numbers_replace_the_raw_ones(opened: Opening) -> None:
    shown_page = opened(page(SHORT))
    shown_page.get_by_role("radio", name="unit length").check()
    unit(shown_page, "gripping").hover()
    assert number(unit(shown_page, "gripping")) == "+0.75"
    expect(shown_page.get_by_role("row", name="gripping +0.75")).to_have_count(1)
    expect(shown_page.get_by_role("row", name="gripping +2.50")).to_have_count(0)


def test_dark_surroundings(opened: Opening) -> None:
    shown_page = opened(page(SHORT), scheme="dark")
    assert paper(shown_page.locator("body")) == "rgb(22, 24, 29)"
    assert paper(unit(shown_page, "gripping")) == "rgb(146, 197, 222)"


def test_print_is_light_and_without_switches(opened: Opening) -> None:
    shown_page = opened(page(SHORT), scheme="dark")
    shown_page.emulate_media(media="print")
    assert paper(shown_page.locator("body")) == "rgb(255, 255, 255)"
    assert paper(unit(shown_page, "gripping")) == BLUE
    expect(shown_page.locator(".um-switches")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 900])
@pytest.mark.parametrize("name", ["page", "unbroken", "pair", "collection", "comparison"])
def test_no_page_scrolls_sideways(opened: Opening, name: str, width: int) -> None:
    made = {
        "page": lambda: page(cases()["warned"]),
        "unbroken": lambda: page(explanation("x" * 300 + " gripping")),
        "pair": lambda: page(cases()["pair"]),
        "collection": lambda: collection(items()),
        "comparison": lambda: page(compared()),
    }[name]()
    shown_page = opened(made, width=width)
    for details in shown_page.locator("summary").all():
        details.click()
    assert shown_page.evaluate("document.documentElement.scrollWidth") <= width


def test_numbers_at_the_edge_of_a_narrow_screen_are_not_cut(opened: Opening) -> None:
    shown_page = opened(page(explanation("x gripping film dull " * 6)), width=320)
    for word in shown_page.locator(".um-view:visible .um-u").all():
        word.hover()
        left, top, right, bottom = box_of_number(shown_page)
        assert 0 <= left < right <= 320
        assert 0 <= top < bottom <= 700


def box_of_number(shown_page: Page) -> tuple[float, float, float, float]:
    """Where the number of the unit under the pointer stands: only the browser's own tools can tell."""
    tools = shown_page.context.new_cdp_session(shown_page)
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    found = tools.send("DOM.querySelector", {"nodeId": root, "selector": ".um-u:hover"})
    (number,) = [
        one for one in tools.send("DOM.describeNode", found)["node"]["pseudoElements"] if one["pseudoType"] == "before"
    ]
    box = tools.send("DOM.getBoxModel", {"backendNodeId": number["backendNodeId"]})["model"]["border"]
    return box[0], box[1], box[4], box[5]


@pytest.mark.parametrize("found", [explanation(EVIL), cases()["hostile"]], ids=["markup", "controls"])
def test_hostile_texts_do_nothing(opened: Opening, found: Explanation) -> None:
    shown_page = opened(page(found))
    for _ in range(8):
        shown_page.keyboard.press("Tab")
    unit(shown_page, "gripping").hover()
    assert shown_page.title() == "positive · unmask"
    assert shown_page.locator("script, img[src], body style").count() == 1  # our script
    assert shown_page.locator(".um-text:visible").text_content() == shown(found.text)
    expect(shown_page.locator(".um-text").first).to_be_visible()


@pytest.mark.parametrize("name", ["short", "long", "pair", "unread", "hostile", "sentences"])
def test_copying_the_text_copies_the_text(opened: Opening, name: str) -> None:
    shown_page = opened(page(cases()[name]))
    blocks = shown_page.locator(".um-text:visible").all()
    assert [copied(block).strip() for block in blocks] == [shown(text).strip() for text in cases()[name].texts]


def test_line_breaks_and_right_to_left_stay(opened: Opening) -> None:
    text = "فيلم رائع gripping\n\n  dull  film\nfin"
    shown_page = opened(page(explanation(text)))
    block = shown_page.locator(".um-text:visible")
    assert copied(block) == text
    assert block.evaluate("one => getComputedStyle(one).direction") == "rtl"


def test_without_scripts_everything_is_there(opened: Opening) -> None:
    shown_page = opened(collection(items()), scripts=False)
    expect(shown_page.locator("article:visible")).to_have_count(len(items()))
    expect(shown_page.locator(".um-controls")).to_be_hidden()
    alone = opened(page(SHORT), scripts=False)
    alone.get_by_role("radio", name="negative").check()
    expect(alone.get_by_role("heading", name="What supports negative")).to_be_visible()
