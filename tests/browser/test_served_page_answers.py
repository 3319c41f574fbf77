"""The served page with a language model, accessibility by axe-core, and the widget's module in a real Chromium."""

import math
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from support import tiny_heads
from support.plain_heads import tag_shares, word_spans
from support.served_page import TEXT, Visit, capped_words, now, serious, struck, unit

from unmask import Explainer, Explanation
from unmask.render.html.module import view_module, view_style

TAGGED = "the film is not bad"
FAKE_MODEL = """explanation => {
  const catalog = { models: [], methods: [], limits: { text: 1000 } };
  const values = { catalog, state: null, explanation, connection: "none" };
  window.sent = [];
  const model = { get: (name) => values[name], set: (name, value) => { values[name] = value; }, on() {}, off() {},
                  save_changes() {}, send: (message) => sent.push(message) };
  window.view.render({ model, el: document.getElementById("view") });
}"""


def choose_stories(page: Page) -> None:
    page.get_by_label("Model", exact=True).select_option("stories")
    expect(page.locator(".um-t").first).to_be_visible(timeout=30_000)


@pytest.mark.slow
def test_an_answer_is_generated_and_selected_in_both_directions(asking: Visit) -> None:
    page = asking(TEXT)
    choose_stories(page)
    word = page.locator(".um-t").nth(1)
    word.click()
    expect(page.locator(".um-mode .um-key")).to_contain_text(f'what supports "{(word.text_content() or "").strip()}"')
    assert page.locator(".um-units [class*='um-f']").count() > 0
    page.locator(".um-units .um-u").filter(has_text="ball").first.click()
    expect(page.locator(".um-mode .um-key")).to_contain_text('what "ball" supports')
    assert page.locator(".um-t[class*='um-f'], .um-t[class*='um-a']").count() > 0
    page.locator(".um-t").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert page.locator(".um-t.um-chosen").count() == 2


@pytest.mark.slow
def test_a_prompt_is_masked_locked_edited_and_run_again(asking: Visit) -> None:
    page = asking(TEXT)
    choose_stories(page)
    page.get_by_label("masks the word").check()
    page.locator(".um-units .um-u").filter(has_text="lost").first.click()
    expect(now(page)).to_contain_text('Without "lost": the answer is')
    expect(page.locator(".um-mode .um-key")).to_contain_text("Colors of the answer: what the masked words supported.")
    page.get_by_role("button", name="Lock").click()
    page.get_by_role("button", name="Explain with locks").click()
    expect(page.locator(".um-fixed")).to_have_text("lost", timeout=30_000)
    page.locator("textarea").fill("Once upon a time, a boy named Tim")
    page.get_by_role("button", name="Generate and explain").click()
    expect(page.locator(".um-units")).to_contain_text("Tim", timeout=30_000)
    expect(page.locator(".um-fixed")).to_have_count(0)


@pytest.mark.slow
def test_documents_are_blocks_with_bars(asking: Visit) -> None:
    page = asking(TEXT)
    choose_stories(page)
    page.get_by_role("button", name="Documents and a question").click()
    heads = page.locator(".um-blockhead")
    expect(heads).to_have_count(3, timeout=30_000)
    expect(page.locator(".um-sentences")).to_contain_text("Without the documents")
    page.locator(".um-t").filter(has_text="ball").first.click()
    numbers = [float(text.replace("−", "-")) for text in heads.locator(".um-number").all_text_contents()]
    assert numbers[0] > numbers[1]  # the ball is in the first document


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(asking: Visit, axe: str, scheme: str) -> None:
    page = asking(TEXT, scheme=scheme)
    unit(page, "good").click()
    unit(page, "fine").click()
    for title, go in (("Compare methods", "Compare"), ("Pairs of words", "Find pairs")):
        page.get_by_text(title).click()
        page.get_by_role("button", name=go, exact=True).click()
    expect(page.locator(".um-chart")).to_be_visible()
    expect(page.locator(".um-arc")).to_have_count(1)
    assert serious(page, axe) == []
    choose_stories(page)
    page.get_by_role("button", name="Documents and a question").click()
    expect(page.locator(".um-blockhead").first).to_be_visible(timeout=30_000)
    page.locator(".um-t").nth(1).click()
    assert serious(page, axe) == []


@pytest.fixture
def drawn(browser: Browser) -> Iterator[Callable[[Explanation], Page]]:
    """Draws explanations in widgets without a model."""
    page, complaints = browser.new_page(), list[str]()
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def draw(explanation: Explanation) -> Page:
        page.set_content('<div id="view"></div>')
        page.add_style_tag(content=view_style())
        page.add_script_tag(type="module", content=view_module().replace("export default", "window.view ="))
        page.wait_for_function("window.view")
        page.evaluate(FAKE_MODEL, explanation.widget().explanation)
        return page

    yield draw
    assert page.evaluate("sent") == []
    assert complaints == []
    page.close()


def test_the_widgets_module_draws_an_explanation_without_a_model(drawn: Callable[[Explanation], Page]) -> None:
    page = drawn(Explainer.from_adapter(capped_words().adapter).explain(TEXT))
    unit(page, "good").click()
    assert struck(page) == ["good"]
    expect(page.locator(".um-shares .um-number").first).to_have_text("81.8%")  # log-odds 1.5
    expect(now(page)).to_have_text('Without "good": positive 81.8%.')
    expect(page.locator(".um-ask")).to_be_hidden()
    unit(page, "fine").click()  # alone, it changes nothing
    expect(now(page)).to_have_text('Without "good" and "fine": positive ≈ 81.8%.')
    expect(page.locator(".um-joint .um-more")).to_contain_text("estimated by the sum of the single drops")


def test_without_a_model_entities_move_by_their_stored_outputs(drawn: Callable[[Explanation], Page]) -> None:
    found = tiny_heads.explainer("token_classification", "bert").explain(TAGGED)
    page = drawn(found)
    unit(page, "film").click()
    without = math.prod(one.probability for one in found.prediction.spans) * math.exp(-found.scores[1])
    expect(page.locator(".um-shares .um-number").first).to_have_text(f"≈ {without:.1%}")
    places, best = word_spans(TAGGED), tag_shares(TAGGED, []).argmax(-1).tolist()
    shares, last = tag_shares(TAGGED, [(0, places[1])]), found.prediction.spans[-1]
    inside = [at for at, one in enumerate(places) if last.start <= one.start < last.end]
    own = float(shares[inside, [best[at] for at in inside]].prod())
    expect(page.locator(".um-shares .um-number").nth(len(found.prediction.spans))).to_have_text(f"≈ {own:.1%}")
    expect(page.locator(".um-headline small")).to_have_text("Tags")  # only the model knows other entities
    expect(page.locator(".um-mode")).to_be_hidden()
    assert page.locator(".um-shares button").count() == 0


def test_without_a_model_words_of_similar_texts_color_each_other(drawn: Callable[[Explanation], Page]) -> None:
    found = tiny_heads.explainer("similarity", "mpnet").explain(TAGGED, text_pair="it isn't dull")
    page = drawn(found)
    unit(page, "film").click()
    assert found.prediction.value is not None
    expect(page.locator(".um-headline")).to_contain_text(f"{found.prediction.value - found.scores[1]:#.4g}")
    page.get_by_label("shows its pairs").check()
    unit(page, "bad").click()
    assert found.pair_scores is not None
    second = page.locator(".um-units .um-text").nth(1).locator(".um-u")
    numbers = [float(text.replace("−", "-")) for text in second.evaluate_all("all => all.map(one => one.dataset.s)")]
    assert numbers == pytest.approx(list(found.pair_scores[4]), abs=0.006)
