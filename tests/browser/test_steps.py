"""Stepping through deciding sets in a real Chromium: by pointer, by keyboard, and without a script."""

import math

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser_page import Opening, copied
from support.deciding import DECIDED, decided_rows, with_sets
from support.explanations import cases, explanation

from unmask.render.html import collection, fragment, page

EVIL = 'gripping </p><script>alert(1)</script> "onfocus="alert(2)" <img src=x onerror=alert(3)>'


def struck(place: Page | Locator) -> list[str | None]:
    """The visible units with a line through them."""
    units = place.locator(".um-u:visible").all()
    style = "one => getComputedStyle(one).textDecorationLine"
    return [unit.text_content() for unit in units if "line-through" in unit.evaluate(style)]


def step(place: Page | Locator, name: str) -> Locator:
    return place.get_by_role("button", name=name, exact=True).locator("visible=true").first


def test_a_step_strikes_out_its_words_and_says_the_prediction(opened: Opening) -> None:
    shown_page = opened(page(DECIDED))
    now = shown_page.locator(".um-now:visible")
    expect(now).to_have_attribute("aria-live", "polite")
    expect(now).to_have_text("Select a word to mask it, or a step.")
    step(shown_page, "− gripping 35.4%").click()
    assert struck(shown_page) == ["gripping"]
    expect(now).to_have_text('Without "gripping": positive 35.4% (prediction: negative).')
    step(shown_page, "− beautifully 13.6%").click()
    assert struck(shown_page) == ["gripping", "beautifully"]
    step(shown_page, "Whole text 87.0%").click()
    assert struck(shown_page) == []
    expect(now).to_have_text("Whole text: positive 87.0%.")


def test_a_sufficient_set_strikes_out_all_other_words(opened: Opening) -> None:
    shown_page = opened(page(DECIDED))
    step(shown_page, "All words masked 50.0%").click()
    assert len(struck(shown_page)) == len(DECIDED)
    step(shown_page, "+ gripping 92.4%").click()
    assert struck(shown_page) == ["A", ",", "beautifully", "shot", "film", ".", "Never", "dull", "."]
    assert copied(shown_page.locator(".um-text:visible")) == DECIDED.text


def test_one_step_is_pressed_at_a_time_and_pressing_again_resets(opened: Opening) -> None:
    shown_page = opened(page(DECIDED))
    first, second = step(shown_page, "− gripping 35.4%"), step(shown_page, "+ gripping 92.4%")
    first.click()
    second.click()
    expect(first).to_have_attribute("aria-pressed", "false")
    expect(second).to_have_attribute("aria-pressed", "true")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "false")
    assert struck(shown_page) == []


def test_steps_work_by_keyboard(opened: Opening) -> None:
    shown_page = opened(page(DECIDED))
    step(shown_page, "Whole text 87.0%").focus()
    shown_page.keyboard.press("Tab")
    shown_page.keyboard.press("Enter")
    assert struck(shown_page) == ["gripping"]
    shown_page.keyboard.press("Tab")
    shown_page.keyboard.press("Space")
    assert struck(shown_page) == ["gripping", "beautifully"]
    assert "?" not in shown_page.url  # the form around them sends nothing


def test_without_a_script_the_steps_are_a_list(opened: Opening) -> None:
    for content in (page(DECIDED), fragment(DECIDED)):
        shown_page = opened(content, scripts=False)
        steps = shown_page.locator(".um-steps").locator("visible=true").first.get_by_role("listitem")
        assert steps.all_inner_texts() == ["Whole text 87.0%", "− gripping 35.4%", "− beautifully 13.6%"]
        expect(shown_page.locator(".um-now:visible")).to_have_count(0)
        expect(shown_page.get_by_role("button")).to_have_count(0)


def test_a_word_is_masked_alone_by_pointer_and_keyboard(opened: Opening) -> None:
    found = cases()["short"]
    shown_page = opened(page(found))
    now, masked = shown_page.locator(".um-now:visible"), found.without
    assert masked is not None
    for at in (1, 3):
        word = shown_page.locator(".um-view:visible .um-text .um-u").nth(at)
        word.click() if at == 1 else word.press("Enter")
        share = 1 / (1 + math.exp(masked[at][0] - masked[at][1]))
        expect(now).to_have_text(f'Without "{found.units[at].text}": positive {share:.1%}.')
        assert struck(shown_page) == [found.units[at].text]
        expect(word).to_have_attribute("aria-pressed", "true")
    shown_page.keyboard.press("Space")
    assert struck(shown_page) == []
    expect(now).to_have_text("Select a word to mask it.")


def test_texts_of_a_collection_and_rows_of_a_comparison_step_alone(opened: Opening) -> None:
    other = with_sets(cases()["pair"], (1, 8))
    shown_page = opened(collection([(1, DECIDED), (2, other)]))
    one, two = shown_page.locator("article").all()
    step(two, "− gripping 35.4%").click()
    assert struck(one) == []
    assert struck(two) == ["gripping"]
    shown_page = opened(page(decided_rows()))
    first, second = shown_page.locator(".um-row:visible").all()
    step(first, "− beautifully 13.6%").click()
    assert struck(first) == ["gripping", "beautifully"]
    assert struck(second) == []


def test_outlined_words_are_no_unknown_words(opened: Opening) -> None:
    shown_page = opened(page(DECIDED))
    look = "one => { const seen = getComputedStyle(one); return [seen.boxShadow !== 'none', seen.textDecorationLine] }"
    outlined = {
        unit.text_content(): unit.evaluate(look) for unit in shown_page.locator(".um-view:visible .um-text .um-u").all()
    }
    assert outlined["gripping"] == outlined["beautifully"] == [True, "none"]
    assert outlined["film"] == [False, "none"]
    expect(shown_page.get_by_role("button", name="gripping +2.50, normalized +0.75, outlined")).to_have_count(1)


@pytest.mark.slow
def test_hostile_words_stay_text_in_every_step(opened: Opening) -> None:
    found = explanation(EVIL)
    everything = tuple(range(len(found)))
    shown_page = opened(page(with_sets(found, everything, everything)))
    for button in shown_page.locator(".um-view:visible .um-steps button").all():
        button.click()
    expect(shown_page.locator("img[src]")).to_have_count(0)
    assert shown_page.locator("script").count() == 1


def test_steps_fit_a_narrow_screen(opened: Opening) -> None:
    found = with_sets(cases()["long"], tuple(range(0, 126, 7)))
    for content in (page(found), collection([(1, found)])):
        shown_page = opened(content, width=340)
        assert shown_page.evaluate("document.documentElement.scrollWidth") <= 340
