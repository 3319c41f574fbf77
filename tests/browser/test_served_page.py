"""The served page in a real Chromium: explain, mask by pointer and keyboard, undo, replace, lock."""

import math

import pytest
from playwright.sync_api import Browser, expect
from support.served_page import CAP, OFFSET, TEXT, Visit, capped_words, explain, now, serving, struck, unit

WHOLE = CAP - OFFSET


def percent(log_odds: float) -> str:
    return f"{1 / (1 + math.exp(-log_odds)):.1%}"


def test_a_text_is_explained_and_its_deciding_words_stand_above_everything(visit: Visit) -> None:
    page = visit()
    explain(page, TEXT)
    sentences = page.locator(".um-sentences p")
    expect(sentences.first).to_have_text(
        f'Without "good" and "fine": negative {percent(OFFSET)} (no single word does this).'
    )
    expect(sentences).to_have_count(2)
    boxes = [
        page.locator(where).bounding_box() for where in (".um-sentences", ".um-ask", ".um-prediction", ".um-units")
    ]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    expect(page.locator(".um-units .um-outlined")).to_have_text(["good", "fine"])
    expect(now(page)).to_have_text(f"Whole text: positive {percent(WHOLE)}.")


def test_a_click_masks_a_word_and_a_second_one_brings_it_back(visit: Visit) -> None:
    page = visit(TEXT)
    unit(page, "good").click()
    expect(now(page)).to_have_text(f'Without "good": positive {percent(1.5)}.')
    assert struck(page) == ["good"]
    expect(unit(page, "good")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".um-shares .um-was").first).to_have_text(f"was {percent(WHOLE)}")
    page.mouse.down()  # the pointer is still there
    page.mouse.up()
    expect(now(page)).to_have_text(f"Whole text: positive {percent(WHOLE)}.")
    assert struck(page) == []


def test_several_words_show_the_joint_drop_beside_the_sum_of_single_drops(visit: Visit) -> None:
    page = visit(TEXT)
    unit(page, "good").click()
    unit(page, "fine").click()
    expect(now(page)).to_have_text(f'Without "good" and "fine": positive {percent(-OFFSET)} (prediction: negative).')
    assert page.locator(".um-drops .um-number").all_text_contents() == ["3.00", "0.50"]
    expect(page.locator(".um-joint .um-more")).to_contain_text("cover for each other")


@pytest.mark.slow
def test_the_prediction_moves_by_the_known_score_before_the_model_answers(visit: Visit) -> None:
    page = visit(TEXT)
    page.route("**/api/predict", lambda route: None)  # never answered
    unit(page, "good").click()
    expect(page.locator(".um-shares .um-number").first).to_have_text(f"≈ {percent(1.5)}")
    unit(page, "fine").click()
    expect(page.locator(".um-shares .um-number").first).to_have_text(f"≈ {percent(1.5)}")  # fine alone does nothing
    expect(page.locator(".um-drops .um-number").first).to_have_text("≈ 0.50")


@pytest.mark.slow
def test_a_drag_masks_a_phrase_and_colors_stay(visit: Visit) -> None:
    page = visit(TEXT)
    before = unit(page, "film").get_attribute("class")
    unit(page, "good").hover()
    page.mouse.down()
    unit(page, "and").hover()
    unit(page, "fine").hover()
    page.mouse.up()
    expect(page.locator(".um-units .um-struck")).to_have_text(["good", "and", "fine"])
    assert unit(page, "film").get_attribute("class") == before


@pytest.mark.slow
def test_everything_but_a_word_is_masked_and_a_locked_word_stays(visit: Visit) -> None:
    page = visit(TEXT)
    unit(page, "film").click()
    page.get_by_role("button", name="Lock").click()
    assert struck(page) == []
    unit(page, "good").click()
    page.get_by_role("button", name="Mask all but this").click()
    assert struck(page) == ["a", "and", "fine"]
    expect(now(page)).to_contain_text(f"positive {percent(WHOLE)}")
    unit(page, "film").click()  # locked
    assert struck(page) == ["a", "and", "fine"]


def test_masked_and_locked_words_stay_so_with_other_settings(visit: Visit) -> None:
    page = visit(TEXT)
    unit(page, "film").focus()
    page.keyboard.press("l")
    page.get_by_role("button", name="Explain with locks").click()
    expect(page.locator(".um-fixed")).to_have_text("film")
    unit(page, "good").click()
    settings = (("Method", "leave_one_out"), ("Scale", "probability"), ("Explain", "negative"))
    for name, value in (*settings, ("Unit", "token")):
        page.get_by_label(name, exact=True).select_option(value)
        expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true")
        expect(page.locator(".um-fixed")).to_have_text("film")
        assert struck(page) == ([] if name == "Unit" else ["good"])  # other units are not the words that were masked


def test_another_model_of_the_same_task_reads_the_same_text(browser: Browser) -> None:
    with serving(first=capped_words(), second=capped_words()) as served:
        page = Visit(browser, served)("a bad film")
        page.locator("textarea").fill("a good film")
        page.get_by_label("Model", exact=True).select_option("second")
        expect(now(page)).to_have_text(f"Whole text: positive {percent(WHOLE)}.")
        expect(page.locator("textarea")).to_have_value("a good film")
        page.locator("textarea").fill(" ")
        page.get_by_label("Model", exact=True).select_option("first")
        expect(page.locator("textarea")).not_to_have_value(" ")  # an example, where there is no text
        page.context.close()


@pytest.mark.slow
def test_a_word_is_replaced_by_typing_and_the_edited_text_explained(visit: Visit) -> None:
    page = visit(TEXT)
    unit(page, "good").click()
    page.get_by_role("button", name="Replace…").click()
    page.get_by_label("Replace by").fill("bad")
    page.keyboard.press("Enter")
    expect(now(page)).to_have_text(
        f'With "bad" for "good": positive {percent(2.5 - 4 - OFFSET)} (prediction: negative).'
    )
    page.get_by_role("button", name="Explain the edited text").click()
    expect(now(page)).to_have_text(f"Whole text: negative {percent(-(2.5 - 4 - OFFSET))}.")
    expect(page.locator("textarea")).to_have_value("a bad and fine film")


@pytest.mark.slow
def test_undo_and_redo(visit: Visit) -> None:
    page = visit(TEXT)
    unit(page, "good").click()
    unit(page, "fine").click()
    page.keyboard.press("Control+z")
    assert struck(page) == ["good"]
    page.get_by_role("button", name="Undo").click()
    assert struck(page) == []
    page.get_by_role("button", name="Redo").click()
    page.keyboard.press("Control+Shift+z")
    assert struck(page) == ["good", "fine"]
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()


@pytest.mark.slow
def test_the_keyboard_alone(visit: Visit) -> None:
    page = visit()
    box = page.locator("textarea")
    box.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type(TEXT)
    page.keyboard.press("Control+Enter")
    expect(unit(page, "fine")).to_be_visible()
    while not page.evaluate("document.activeElement.matches('.um-units .um-u')"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".um-units .um-struck")).to_have_text(["good"])
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".um-units .um-struck")).to_have_text(["good", "and", "fine"])
    page.keyboard.press("Home")
    page.keyboard.press("o")
    expect(page.locator(".um-units .um-struck")).to_have_text(["good", "and", "fine", "film"])
    page.keyboard.press("r")
    page.keyboard.type("the")
    page.keyboard.press("Enter")
    expect(page.locator(".um-units .um-u").first).to_have_text("the")
    expect(page.locator(".um-units .um-u").first).to_be_focused()


@pytest.mark.slow
def test_sets_are_stepped_through(visit: Visit) -> None:
    page = visit(TEXT)
    page.get_by_role("button", name=f"− good {percent(1.5)}").click()
    expect(now(page)).to_have_text(f'Without "good": positive {percent(1.5)}.')
    last = page.get_by_role("button", name=f"− fine {percent(-OFFSET)}")
    last.click()
    assert struck(page) == ["good", "fine"]
    expect(last).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="+ good").click()
    expect(page.locator(".um-units .um-struck")).to_have_text(["a", "and", "fine", "film"])
