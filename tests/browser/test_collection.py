"""The page of many texts in a real Chromium."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect
from support.browser_page import BLUE, ORANGE, Opening, number, paper
from support.explanations import cases, items

from unmask.render.formats import Item
from unmask.render.html import collection

SHORT = cases()["short"]


def visible(shown_page: Page) -> list[str]:
    return shown_page.locator("article:visible h2 small").all_text_contents()


def test_collection_is_filtered_and_sorted(opened: Opening) -> None:
    shown_page = opened(collection(items()))
    lines = [str(line) for line, _ in items()]
    assert visible(shown_page) == lines
    shown_page.get_by_label("Prediction").select_option(label="negative (2)")
    assert visible(shown_page) == ["2", "5"]
    expect(shown_page.locator(".um-count")).to_have_text("2 shown")
    expect(shown_page.locator(".um-index tbody tr:visible")).to_have_count(2)
    shown_page.get_by_label("Prediction").select_option(label="all")
    shown_page.get_by_label("Order").select_option(label="least confident first")
    sure = sorted(items()[:-1], key=lambda item: max(item[1].prediction.probabilities.values()))  # type: ignore[union-attr]  # the last item, which failed, is left out
    assert visible(shown_page) == [*(str(line) for line, _ in sure), "7"]
    shown_page.get_by_label("Order").select_option(label="most confident first")
    assert visible(shown_page)[0] == "6"
    assert visible(shown_page)[-1] == "7"
    shown_page.get_by_label("Order").select_option(label="as given")
    assert visible(shown_page) == lines


def test_index_leads_to_the_text(opened: Opening) -> None:
    shown_page = opened(collection(items() * 30))
    shown_page.get_by_role("link", name="dull film").last.click()
    expect(shown_page.locator("article:target")).to_be_in_viewport()


@pytest.mark.slow
def test_a_thousand_texts_stay_usable(opened: Opening) -> None:
    made = collection([(line, SHORT) for line in range(1, 1001)])
    assert made.count('name="output"') == 2000
    assert len(made.encode()) < 15_000_000
    shown_page = opened(made)
    shown_page.locator(".um-order").select_option("most")
    expect(shown_page.locator(".um-count")).to_have_text("1000 shown")
    shown_page.locator("#text-1000 .um-o1").check()
    assert paper(shown_page.locator("#text-1000 .um-v1 .um-u").nth(1)) == ORANGE


def both() -> list[Item]:
    return [(1, SHORT), (2, SHORT)]


def test_one_switch_changes_the_numbers_of_all_texts(opened: Opening) -> None:
    shown_page = opened(collection(both()), scripts=False)
    shown_page.get_by_role("radio", name="unit length").check()
    for article in shown_page.locator("article").all():
        word = article.locator(".um-u:visible:text-is('gripping')")
        word.hover()
        assert number(word) == "+0.75"
        article.locator("summary").click()
        expect(article.get_by_role("row", name="gripping +0.75")).to_have_count(1)


def test_every_text_has_its_own_switch_between_outputs(opened: Opening) -> None:
    shown_page = opened(collection(both()), scripts=False)
    first, second = shown_page.locator("article").all()
    second.locator("summary").click()
    second.get_by_role("radio", name="negative").check()
    assert paper(first.locator(".um-u:visible:text-is('gripping')")) == BLUE
    assert paper(second.locator(".um-u:visible:text-is('gripping')")) == ORANGE
    expect(second.get_by_role("row", name="gripping −2.50")).to_have_count(1)
    expect(second.locator(".um-text:visible")).to_have_count(1)


def test_print_says_for_which_output_a_text_is_seen(opened: Opening) -> None:
    shown_page = opened(collection(both()))
    shown_page.locator("article").nth(1).get_by_role("radio", name="negative").check()
    headings = shown_page.locator("article h3:visible")
    expect(headings).to_have_count(0)
    shown_page.emulate_media(media="print")
    assert headings.all_text_contents() == ["What supports positive", "What supports negative"]


def test_what_single_scores_hide_is_seen_at_once(opened: Opening) -> None:
    shown_page = opened(collection([(1, cases()["redundant"])]))
    expect(shown_page.get_by_text("No single word is decisive").first).to_be_visible()


def test_failed_text_stands_below_its_error(opened: Opening) -> None:
    shown_page = opened(collection(items()))
    failed = shown_page.locator("article").last
    expect(failed.get_by_text("Not explained: the text is <empty>")).to_be_visible()
    expect(failed.get_by_text("<nothing>")).to_be_visible()


def labelled() -> list[Item]:
    golds = ("positive", "negative", "neutral", None)
    return [(line, replace(SHORT, gold=gold)) for line, gold in enumerate(golds, start=1)]


def test_wrong_predictions_are_filtered_and_sorted(opened: Opening) -> None:
    shown_page = opened(collection(labelled(), kept=[{"id": f"r{line}"} for line, _ in labelled()]))
    shown_page.get_by_label("Correctness").select_option(label="wrong (1)")
    assert visible(shown_page) == ["2"]
    expect(shown_page.locator(".um-index tbody tr:visible")).to_have_count(1)
    expect(shown_page.locator("article:visible h2 + dl")).to_have_text("idr2")
    shown_page.get_by_label("Prediction").select_option(label="positive (4)")
    shown_page.get_by_label("Correctness").select_option(label="correct (1)")
    assert visible(shown_page) == ["1"]
    shown_page.get_by_label("Correctness").select_option(label="all")
    shown_page.get_by_label("Order").select_option(label="wrong first, most confident first")
    assert visible(shown_page) == ["2", "1", "3", "4"]
