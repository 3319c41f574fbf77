"""Selecting in the explanation of an answer, in a real Chromium: both directions, by pointer, drag and keyboard."""

import json
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser_page import BLUE, ORANGE, Opening, copied, number, paper
from support.hostile import TEXTS
from support.written_answers import answers, hostile, prompt, written

from unmask import Explanation
from unmask.render.answer_view import view_answer
from unmask.render.colored_spans import colored_units
from unmask.render.escape import shown
from unmask.render.html import collection, fragment, page
from unmask.render.html.parts import signed

STORY = answers()["answer"]
EVIL = '</script><script>alert(1)</script> "onfocus="alert(2)" <img src=x onerror=alert(3)>'
SCORES = "all => all.map(one => one.dataset.s)"


def word(shown_page: Page | Locator, text: str) -> Locator:
    return shown_page.get_by_role("listbox", name="Answer").get_by_role("option").filter(has_text=text).first


def unit(shown_page: Page | Locator, text: str) -> Locator:
    return shown_page.locator(f".um-context .um-u:text-is('{text}')").first


def scores(shown_page: Page | Locator) -> list[str]:
    """What is written beside the units of the context."""
    return list(shown_page.locator(".um-context .um-u").evaluate_all(SCORES))


def expected(found: Explanation) -> list[str]:
    return [signed(span.number) for span in colored_units(found)]


def said(shown_page: Page | Locator) -> Locator:
    return shown_page.locator(".um-said")


def drag(shown_page: Page, start: Locator, end: Locator) -> None:
    for at, one in enumerate((start, end)):
        box = one.bounding_box()
        assert box is not None
        shown_page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=1 + 4 * at)
        if not at:
            shown_page.mouse.down()
    shown_page.mouse.up()


def test_a_word_of_the_answer_recolors_the_context(opened: Opening) -> None:
    shown_page = opened(page(STORY))
    assert scores(shown_page) == expected(STORY)
    word(shown_page, "sad").click()
    toward = STORY.toward("sad")
    assert scores(shown_page) == expected(toward)
    assert paper(unit(shown_page, "lost")) == BLUE
    expect(word(shown_page, "sad")).to_have_attribute("aria-selected", "true")
    expect(said(shown_page)).to_have_text(view_answer(toward).times_sentence)
    expect(said(shown_page)).to_have_attribute("aria-live", "polite")
    expect(shown_page.get_by_role("heading", name='What supports "sad"')).to_be_visible()
    expect(shown_page.locator(".um-largest").get_by_role("row", name="lost +1.96 7.1 times less likely")).to_have_count(
        1
    )
    shown_page.mouse.down()  # again: clears
    shown_page.mouse.up()
    assert scores(shown_page) == expected(STORY)


def test_dragging_selects_a_phrase_in_both_directions(opened: Opening) -> None:
    shown_page, toward = opened(page(STORY)), STORY.toward("very sad")
    for start, end in (("very", "sad"), ("sad", "very")):
        drag(shown_page, word(shown_page, start), word(shown_page, end))
        assert scores(shown_page) == expected(toward)
        expect(said(shown_page)).to_have_text(view_answer(toward).times_sentence)
    assert shown_page.get_by_role("option", selected=True).all_text_contents() == ["very", "sad"]
    word(shown_page, "mommy").click()  # a word of two tokens
    assert scores(shown_page) == expected(STORY.toward("mommy"))
    word(shown_page, "sad").click(modifiers=["Shift"])
    assert scores(shown_page) == expected(STORY.toward("sad.\nHer mommy"))


def test_a_word_of_the_context_recolors_the_answer(opened: Opening) -> None:
    shown_page = opened(page(STORY))
    unit(shown_page, "lost").click()
    by_output = STORY.scores_by_output
    assert by_output is not None
    row = by_output[[one.text for one in STORY.units].index("lost")]
    sums = [*row[:7], row[7] + row[8]]
    found = shown_page.get_by_role("listbox", name="Answer").get_by_role("option").evaluate_all(SCORES)
    assert found == [signed(f"{score:+.2f}" if round(score, 2) else "0.00") for score in sums]
    assert paper(word(shown_page, "sad")) == BLUE
    unit(shown_page, "ball").click()
    assert paper(word(shown_page, "mommy")) == BLUE
    assert paper(word(shown_page, "sad")).startswith("rgb(2")  # a shade of orange
    expect(said(shown_page)).to_contain_text('Without the word "ball", the answer is')
    expect(said(shown_page)).to_contain_text('Most affected: "mommy", 1.6 times less likely.')
    unit(shown_page, "ball").click()
    assert scores(shown_page) == expected(STORY)


def test_all_of_it_by_keyboard_alone(opened: Opening) -> None:
    shown_page = opened(page(STORY))

    def press(*keys: str) -> None:
        for key in keys:
            shown_page.keyboard.press(key)

    press("Tab")
    expect(unit(shown_page, "Once")).to_be_focused()
    press(*["ArrowRight"] * 6)
    expect(unit(shown_page, "lost")).to_be_focused()
    expect(unit(shown_page, "lost")).to_have_attribute("aria-selected", "true")
    assert paper(word(shown_page, "sad")) == BLUE
    outline = unit(shown_page, "lost").evaluate("one => getComputedStyle(one).outlineStyle")
    assert outline == "solid"
    press("Tab", "ArrowRight", "ArrowRight")
    assert scores(shown_page) == expected(STORY.toward("very"))
    press("Shift+ArrowRight")
    assert scores(shown_page) == expected(STORY.toward("very sad"))
    press("Shift+ArrowLeft", "Shift+ArrowLeft")
    assert scores(shown_page) == expected(STORY.toward("was very"))
    press("Escape")
    assert scores(shown_page) == expected(STORY)
    press("Home", "End")
    expect(word(shown_page, "mommy")).to_have_attribute("aria-selected", "true")
    press("Enter")
    assert scores(shown_page) == expected(STORY)


def test_a_chosen_phrase_is_seen_at_first_and_after_escape(opened: Opening) -> None:
    found = answers()["answer-phrase"]
    shown_page = opened(page(found))
    assert shown_page.get_by_role("option", selected=True).all_text_contents() == ["very", "sad"]
    assert scores(shown_page) == expected(found)
    word(shown_page, "Her").click()
    assert scores(shown_page) == expected(found.toward("Her"))
    shown_page.keyboard.press("Escape")
    assert scores(shown_page) == expected(found)


def test_blocks_have_a_bar_each_that_follows_the_selection(opened: Opening) -> None:
    found = answers()["answer-documents"]
    shown_page, numbers = opened(page(found)), ".um-blockhead .um-number"
    assert shown_page.locator(numbers).all_text_contents() == [signed(one.number) for one in view_answer(found).blocks]
    word(shown_page, "sad").click()
    toward = view_answer(found.toward("sad"))
    assert shown_page.locator(numbers).all_text_contents() == [signed(one.number) for one in toward.blocks]
    expect(said(shown_page)).to_have_text(" ".join(toward.sentences))
    expect(shown_page.get_by_role("group", name="b.txt").locator(".um-text")).to_have_text("Tom has a car.")


def test_what_was_not_computed_is_seen(opened: Opening) -> None:
    shown_page = opened(page(answers()["answer-detail"]))
    expect(unit(shown_page, "car")).to_have_class("um-u um-missing")
    unit(shown_page, "car").click()
    expect(said(shown_page)).to_have_text('The word "car" was not computed.')
    chip = shown_page.locator(".um-chip").first
    assert chip.evaluate("one => getComputedStyle(one, '::before').content") == '"•"'  # nothing is colored
    chip.click()
    expect(said(shown_page)).to_contain_text('Without the sentence "Lily lost her ball.", the answer is 31 times')
    shown_page.keyboard.press("Escape")
    assert chip.evaluate("one => getComputedStyle(one, '::before').content") == '"+3.44"'
    assert copied(shown_page.locator(".um-context .um-text").first) == "Lily lost her ball. It is red."


def test_earlier_tokens_of_the_answer_are_context(opened: Opening) -> None:
    found = answers()["answer-all"]
    shown_page = opened(page(found))
    word(shown_page, "very").click()
    expect(shown_page.get_by_role("group", name="answer so far").locator(".um-missing")).to_have_count(6)
    toward = [text if text != "–" else "not computed" for text in expected(found.toward("very"))]
    assert scores(shown_page) == toward


def test_two_continuations_are_selected_one_at_a_time(opened: Opening) -> None:
    found = answers()["answer-contrast"]
    shown_page = opened(page(found))
    both = shown_page.get_by_role("listbox", name="Continuations").get_by_role("option")
    expect(said(shown_page)).to_have_text(view_answer(found).times_sentence)
    drag(shown_page, both.first, both.last)
    assert shown_page.get_by_role("option", selected=True).all_text_contents() == ["She was happy."]
    assert paper(unit(shown_page, "lost")) == ORANGE
    shown_page.keyboard.press("Escape")
    assert scores(shown_page) == expected(found)


def test_the_matrix_is_drawn_when_it_is_opened(opened: Opening) -> None:
    shown_page = opened(page(answers()["answer-all"]))
    expect(shown_page.locator(".um-map")).to_have_count(0)
    shown_page.get_by_text("All scores: 18 units × 9 tokens").click()
    names = shown_page.locator(".um-map text").all_text_contents()
    assert names[:4] == ["Once", "upon", "a", "time"]
    assert names[-2:] == ["mom", "my"]
    missing = shown_page.locator(".um-map path.um-none").get_attribute("d") or ""
    assert missing.count("M") == sum(range(1, 9))  # a triangle
    box = shown_page.locator(".um-frame").bounding_box()
    assert box is not None
    shown_page.mouse.move(box["x"] + 3.5 * 16, box["y"] + 6.5 * 16)
    expect(shown_page.locator(".um-cell")).to_have_text('"lost" → "sad": +1.96')
    shown_page.mouse.click(box["x"] + 3.5 * 16, box["y"] + 6.5 * 16)
    expect(unit(shown_page, "lost")).to_have_attribute("aria-selected", "true")


def test_without_a_script_the_target_is_colored(opened: Opening) -> None:
    for content in (page(STORY), fragment(STORY)):
        shown_page = opened(content, scripts=False)
        assert scores(shown_page) == expected(STORY)
        expect(said(shown_page)).to_have_text(view_answer(STORY).times_sentence)
        unit(shown_page, "lost").hover()
        assert number(unit(shown_page, "lost")) == "+2.19"
        last = shown_page.locator(".um-reply .um-t").last
        last.hover()
        assert number(last) == "16.5%"


def test_deciding_sets_strike_out_words_of_the_context_alone(opened: Opening) -> None:
    shown_page = opened(page(answers()["answer-decided"]))
    shown_page.get_by_role("button", name="− lost").click()
    struck = shown_page.locator(".um-struck")
    assert struck.all_text_contents() == ["lost"]
    expect(shown_page.get_by_text('Without "lost": the model writes "happy", 40.0%, instead of "sad".')).to_be_visible()


@pytest.mark.parametrize("kind", ["markup", "a change of direction", "a data SVG", "a table of Markdown"])
def test_hostile_texts_do_nothing(opened: Opening, kind: str) -> None:
    text = EVIL if kind == "markup" else TEXTS[kind]
    shown_page = opened(page(hostile(text)))
    for option in shown_page.get_by_role("option").all()[:6]:
        option.click(force=True)
    shown_page.get_by_text("All scores:").click()
    assert shown_page.locator("img, iframe, body script:not([type])").count() == 1  # ours
    assert shown_page.locator(".um-context .um-text").first.text_content() == shown(text)


def test_answers_of_a_collection_are_selected_alone(opened: Opening) -> None:
    shown_page = opened(collection([(1, STORY), (2, answers()["answer-chat"]), (3, answers()["answer-contrast"])]))
    first, second, third = shown_page.locator("article").all()
    word(second, "sad").click()
    assert scores(first) == expected(STORY)
    assert scores(second) == expected(answers()["answer-chat"].toward("sad"))
    expect(third.locator(".um-continuations")).to_contain_text("She was happy.")


@pytest.mark.parametrize("name", ["answer-documents", "answer-detail", "answer-contrast"])
def test_no_answer_scrolls_sideways(opened: Opening, name: str) -> None:
    shown_page = opened(page(answers()[name]), width=320, scheme="dark")
    shown_page.locator("summary").first.click()
    assert shown_page.evaluate("document.documentElement.scrollWidth") <= 320
    assert paper(shown_page.locator("body")) == "rgb(22, 24, 29)"


def test_a_large_matrix_is_a_small_page(opened: Opening) -> None:
    names = tuple(f" word{at}" for at in range(200))
    large = written([("prompt", " ".join(f"unit{at}" for at in range(500)))], names)
    made = page(large)
    assert len(made.encode()) < 1_500_000
    shown_page = opened(made)
    word(shown_page, "word7").click()
    assert scores(shown_page) == expected(large.toward(7))
    shown_page.get_by_text("All scores: 500 units × 200 tokens").click()
    expect(shown_page.locator(".um-map")).to_be_visible()


def test_right_to_left_answers_are_selected_in_the_order_of_reading(opened: Opening) -> None:
    found = written([("prompt", "הסרט lost")], (" הסרט", " טוב", " מאוד"))
    shown_page = opened(page(found))
    options = shown_page.get_by_role("listbox", name="Answer").get_by_role("option")
    drag(shown_page, options.nth(0), options.nth(1))
    assert shown_page.get_by_role("option", selected=True).all_text_contents() == ["הסרט", "טוב"]
    assert scores(shown_page) == expected(found.toward((0, 9)))


def test_state_is_plain_data() -> None:
    made = page(replace(prompt(), warnings=("careful",)))
    start = made.index('class="um-state">') + len('class="um-state">')
    state = json.loads(made[start : made.index("</script>", start)])
    assert {len(row) for row in state["scores"]} == {len(STORY.outputs)}
    assert all(isinstance(cell, int) for row in state["scores"] for cell in row)
