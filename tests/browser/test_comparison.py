"""Comparisons in a real Chromium."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from support.browser_page import Opening, number, paper, places
from support.explanations import cases, compared, compared_units

from unmask import Comparison
from unmask.render.html import fragment, page

SHORT = cases()["short"]
IS_SEEN = "all => all.map(one => one.checkVisibility())"


@pytest.mark.parametrize("width", [320, 900])
@pytest.mark.parametrize("found", [compared(), compared_units()], ids=["methods", "units"])
def test_the_same_letters_stand_at_the_same_place_in_every_row(opened: Opening, found: Comparison, width: int) -> None:
    shown_page = opened(page(found), width=width)
    first, *others = (places(block) for block in shown_page.locator(".um-text:visible").all())
    assert len(others) == 2
    for other in others:
        assert other == pytest.approx(first, abs=1)


def test_numbers_are_switched(opened: Opening) -> None:
    shown_page = opened(page(compared()), scripts=False)
    shown_page.get_by_role("radio", name="unit length").check()
    word = shown_page.locator(".um-u:text-is('gripping')").first
    word.hover()
    assert number(word) == "+0.75"


@pytest.mark.parametrize("written", [page, fragment])
def test_all_rows_are_seen_for_another_output(opened: Opening, written: Callable[[Comparison], str]) -> None:
    shown_page = opened(written(compared_units()), scripts=False)
    words = shown_page.locator(".um-u:visible[aria-label^='A ']")
    before = list(map(paper, words.all()))
    shown_page.get_by_role("radio", name="negative").check()
    expect(shown_page.get_by_role("heading", name="What supports negative, compared by unit")).to_be_visible()
    expect(shown_page.locator(".um-text:visible")).to_have_count(3)
    assert list(map(paper, words.all())) != before


def test_interactions_are_seen_at_once_and_definitions_in_the_details(opened: Opening) -> None:
    shown_page = opened(page(compared_units()))
    definitions = shown_page.get_by_text("minus log-odds without it")  # anywhere on the page
    assert definitions.evaluate_all(IS_SEEN) == [False] * 6  # of three units, for two outputs
    for summary in shown_page.locator("summary:visible").all():
        summary.click()
    assert [one.inner_text() for one in definitions.all() if one.is_visible()] == [
        f'Score = log-odds of "positive" with the {unit} minus log-odds without it (replaced by [MASK]).'
        for unit in ("word", "token", "sentence")
    ]
    assert all(shown_page.locator(".um-row:visible .um-sentence").evaluate_all(IS_SEEN))
    expect(shown_page.locator(".um-row:visible .um-sentence")).to_have_count(3)


def test_print_opens_the_details_of_every_row(opened: Opening) -> None:
    shown_page = opened(page(compared()))
    tables = shown_page.locator(".um-largest")
    assert tables.evaluate_all(IS_SEEN) == [False] * 3
    shown_page.emulate_media(media="print")
    assert tables.evaluate_all(IS_SEEN) == [True] * 3
