"""The served page with a chat model in a real Chromium: messages and documents, locks, editing, masking."""

import pytest
from playwright.sync_api import Page, expect
from support.served_page import Visit, link, now, unit

MESSAGES = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Why do cats sleep?"}]
SLOW = 30_000  # milliseconds, on a busy machine


def chat(asking: Visit) -> Page:
    page = asking(fragment=link({"settings": {"model": "chat"}, "question": {"messages": MESSAGES}}), waits=False)
    expect(page.locator(".um-t").first).to_be_visible(timeout=SLOW)
    return page


def numbers(page: Page) -> list[float]:
    """What stands beside the bars of the parts."""
    return [float(text.replace("−", "-")) for text in page.locator(".um-blockhead .um-number").all_text_contents()]


@pytest.mark.slow
def test_a_chat_is_explained_selected_edited_and_run_again(asking: Visit) -> None:
    page = chat(asking)
    assert page.locator(".um-blockname").all_text_contents() == ["system", "user"]
    assert page.locator(".um-units .um-text").all_text_contents() == [one["content"] for one in MESSAGES]
    whole = numbers(page)
    page.locator(".um-t").nth(1).click()
    expect(page.locator(".um-mode .um-key")).to_contain_text("Colors: what supports")
    assert numbers(page) != whole
    unit(page, "cats").click()
    expect(page.locator(".um-mode .um-key")).to_contain_text('Without the word "cats", the answer is')

    page.get_by_label("masks the word").check()
    unit(page, "cats").click()
    expect(now(page)).to_contain_text('Without "cats": the answer is', timeout=SLOW)
    before = page.locator(".um-reply .um-text").text_content()
    page.get_by_label("Message 2", exact=True).fill("Why do dogs bark?")
    page.get_by_label("Message 2", exact=True).press("Control+Enter")
    expect(unit(page, "dogs")).to_be_visible(timeout=SLOW)
    assert page.locator(".um-reply .um-text").text_content() != before


@pytest.mark.slow
def test_a_message_is_locked_by_its_name_and_unlocked(asking: Visit) -> None:
    page = chat(asking)
    answer = page.locator(".um-reply .um-text").text_content()
    page.get_by_role("button", name="Lock system").click()
    expect(page.locator(".um-fixed")).to_have_text("Be short.", timeout=SLOW)
    assert page.locator(".um-reply .um-text").text_content() == answer  # the same answer, explained again
    beside = page.locator(".um-blockhead .um-number").all_text_contents()
    assert beside[0] == ""
    assert beside[1] != ""
    page.get_by_role("button", name="Unlock system").click()
    expect(page.locator(".um-fixed")).to_have_count(0, timeout=SLOW)
    expect(unit(page, "short")).to_be_visible()


@pytest.mark.slow
def test_a_word_of_a_message_is_replaced_and_the_chat_run_again(asking: Visit) -> None:
    page = chat(asking)
    unit(page, "cats").click()
    page.get_by_role("button", name="Replace…").click()
    page.get_by_label("Replace by").fill("dogs")
    page.keyboard.press("Enter")
    expect(now(page)).to_contain_text('With "dogs" for "cats": the answer is', timeout=SLOW)
    page.get_by_role("button", name="Explain the edited text").click()
    expect(page.get_by_label("Message 2", exact=True)).to_have_value("Why do dogs sleep?")
    expect(unit(page, "dogs")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Add a message").click()
    expect(page.get_by_label("Message 3", exact=True)).to_be_visible()


@pytest.mark.slow
def test_documents_are_blocks_whose_bars_are_the_effect_of_masking_them(asking: Visit) -> None:
    page = chat(asking)
    with page.expect_response("**/api/explain") as waiting:
        page.get_by_role("button", name="Documents and a question").click()
    expect(page.locator(".um-blockname")).to_have_text(["first story", "second story", "question"], timeout=SLOW)
    assert waiting.value.ok
    page.get_by_label("masks the word").check()
    first = page.locator(".um-block").first.locator(".um-u")
    first.first.click()
    first.last.click(modifiers=["Shift"])
    page.get_by_role("button", name="Undo").click()  # the single word, before the phrase
    page.keyboard.press("Control+Shift+z")
    joint = page.locator(".um-drops .um-number").first
    expect(joint).not_to_contain_text("≈", timeout=SLOW)
    assert float((joint.text_content() or "").replace("−", "-")) == pytest.approx(numbers(page)[0], abs=0.006)
