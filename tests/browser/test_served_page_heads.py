"""The served page for taggers, readers, fillings, choices and pairs, with numbers from plain runs of the models."""

import copy
import json
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from support import tiny_heads
from support.head_questions import BLANK, BODIES, CHOICES, CONTEXT, MODELS, PROMPT, QUESTION, TEXT
from support.plain_heads import choice_shares, cosine, filling_shares, parts, span_share, tag_shares, word_spans
from support.served_page import Visit, link, now, serious, serving, struck, unit, units

from unmask import Explanation
from unmask.attribution.session import ModelSession
from unmask.models.huggingface.opening import open_model
from unmask.text.spans import Span

SCORES = "all => all.map(one => one.dataset.s)"
TOP = "one => one.getBoundingClientRect().top + scrollY"


def opened(visit: Visit, model: str, *, settings: dict[str, Any] | None = None, **state: Any) -> Page:
    """The page with a model and a text of its own."""
    looks = {name: state.pop(name) for name in ("width", "scheme") if name in state}
    question = dict(BODIES[MODELS[model]])
    if "continuation" in question:
        state.setdefault("continuation", question.pop("continuation"))
    given = {"question": question, "settings": {"model": model, **(settings or {})}, **state}
    page = visit(fragment=link(given), **looks)
    expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true")
    return page


def percent(share: float) -> str:
    return f"{share:.1%}"


def bars(page: Page) -> dict[str, str]:
    """The number beside each bar that is drawn."""
    rows = page.locator(".um-shares li:not(.um-invisible)").all()
    return {row.locator(".um-label").inner_text(): row.locator(".um-number").inner_text() for row in rows}


def predicted(page: Page) -> list[str]:
    """The words that are drawn as predicted."""
    return page.locator(".um-units .um-predicted").all_text_contents()


def again(page: Page) -> None:
    """Click where the pointer still is."""
    page.mouse.down()
    page.mouse.up()


def replace(page: Page, word: str, by: str) -> None:
    unit(page, word).focus()
    page.keyboard.press("r")
    page.get_by_label("Replace by").fill(by)
    page.keyboard.press("Enter")


# tags


def tagged() -> Explanation:
    return tiny_heads.explainer("token_classification", "bert").explain(TEXT)


def entities(gone: list[int]) -> dict[str, float]:
    """The probability of each entity of the text without some words."""
    places, best = word_spans(TEXT), tag_shares(TEXT, []).argmax(-1).tolist()
    shares = tag_shares(TEXT, [(0, places[at]) for at in gone])
    found = dict[str, float]()
    for span in tagged().prediction.spans:
        inside = [at for at, one in enumerate(places) if span.start <= one.start < span.end]
        found[f"{span.text} {span.label}"] = float(shares[inside, [best[at] for at in inside]].prod())
    return found


def test_masking_a_word_moves_every_entity_and_the_marks_of_the_text(seeing: Visit) -> None:
    page = opened(seeing, "tagger")
    for gone in ([], [1], [1, 4]):
        if gone:
            unit(page, TEXT.split()[gone[-1]]).click()
        expect(page.locator(".um-pending")).to_have_count(0)
        alone, shown = entities(gone), bars(page)
        everything = 1.0
        for share in alone.values():
            everything *= share
        assert {name: shown[name] for name in alone} == {name: percent(share) for name, share in alone.items()}
        assert shown["all entities"] == percent(everything) or "e-" in shown["all entities"]
        tags = tag_shares(TEXT, [(0, word_spans(TEXT)[at]) for at in gone]).argmax(-1).tolist()
        assert predicted(page) == [word for word, tag in zip(TEXT.split(), tags, strict=True) if tag]


def test_an_entity_is_chosen_and_left_again(seeing: Visit) -> None:
    page, found = opened(seeing, "tagger"), tagged()
    whole = units(page).evaluate_all(SCORES)
    entity = found.prediction.spans[0]
    one, everything = (
        page.get_by_role("button", name=name) for name in (f"{entity.text} {entity.label}", "all entities")
    )
    expect(everything).to_have_attribute("aria-pressed", "true")
    one.click()
    expect(one).to_have_attribute("aria-pressed", "true")
    expect(one).to_be_focused()
    toward = found.toward((entity.start, entity.end))
    expect(page.locator(".um-mode .um-key")).to_contain_text(f'what supports "{toward.target}"')
    numbers = [float(text.replace("−", "-")) for text in units(page).evaluate_all(SCORES)]
    assert numbers == pytest.approx(toward.scores, abs=0.006)
    expect(page.get_by_label("Explain", exact=True)).to_have_value(f"{entity.start},{entity.end}")
    page.keyboard.press("Enter")
    expect(everything).to_have_attribute("aria-pressed", "true")
    assert units(page).evaluate_all(SCORES) == whole


@pytest.mark.slow
def test_masked_words_stay_masked_while_another_entity_is_chosen(seeing: Visit) -> None:
    page = opened(seeing, "tagger")
    unit(page, "not").click()
    name, share = list(entities([3]).items())[-1]
    page.get_by_role("button", name=name).click()
    expect(now(page)).to_contain_text('Without "not"')
    expect(page.locator(".um-mode .um-key")).not_to_contain_text("the entities")
    expect(page.locator(".um-pending")).to_have_count(0)
    assert struck(page) == ["not"]
    assert bars(page)[name] == percent(share)


@pytest.mark.slow
def test_a_word_without_an_entity_is_explained_and_nothing_jumps(seeing: Visit) -> None:
    text = "junk food cinema at its greasiest"  # nothing but its first word is outside of all entities
    page, shares = opened(seeing, "tagger", question={"text": text}), tag_shares(text, [])
    assert shares.argmax(-1).tolist().index(0) == 0
    before = page.locator(".um-units").evaluate(TOP)
    page.get_by_label("explains its label").check()
    unit(page, "junk").click()
    expect(now(page)).to_have_text(f"Whole text: junk: O {percent(float(shares[0, 0]))}.")
    assert page.locator(".um-units").evaluate(TOP) == before
    expect(page.get_by_label("Explain", exact=True).locator("option:checked")).to_have_text("junk: O")
    again(page)
    expect(now(page)).to_contain_text("Whole text: entities")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    expect(now(page)).to_contain_text("Whole text: junk food: ")
    assert page.locator(".um-units").evaluate(TOP) == before


@pytest.mark.slow
def test_scales_are_offered_for_single_words_alone(seeing: Visit) -> None:
    page = opened(seeing, "tagger", settings={"target": [4, 8]})
    scale = page.get_by_label("Scale", exact=True)
    scale.select_option("log_odds")
    expect(page.locator(".um-meaning")).to_contain_text("log-odds")
    page.get_by_role("button", name="all entities").click()
    expect(scale).to_be_hidden()
    expect(page.locator(".um-meaning")).to_contain_text("log-probability")
    expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)


@pytest.mark.slow
def test_an_entity_is_followed_through_an_edit(seeing: Visit) -> None:
    page = opened(seeing, "tagger")
    best, edited = tag_shares(TEXT, []).argmax(-1).tolist(), "the lovely film is not bad at all"
    replace(page, "film", "lovely film")
    expect(now(page)).to_contain_text('With "lovely film" for "film"')
    last = tagged().prediction.spans[-1]
    moved = [at + (at > 1) for at, one in enumerate(word_spans(TEXT)) if last.start <= one.start < last.end]
    if 1 not in [at for at, one in enumerate(word_spans(TEXT)) if last.start <= one.start < last.end]:
        shares = tag_shares(edited, [])
        expected = float(shares[moved, [best[at - 1] if at > 1 else best[at] for at in moved]].prod())
        assert bars(page)[f"{last.text} {last.label}"] == percent(expected)
    page.get_by_role("button", name="Explain the edited text").click()
    expect(page.locator("textarea")).to_have_value(edited)
    expect(units(page)).to_have_count(8)


@pytest.mark.slow
def test_another_text_is_explained_for_all_its_entities(seeing: Visit) -> None:
    page = opened(seeing, "tagger", settings={"target": [4, 8]})
    expect(now(page)).to_contain_text("Whole text: film")
    page.locator("textarea").fill("a lovely friendship")
    page.get_by_role("button", name="Explain", exact=True).click()
    expect(units(page)).to_have_count(3)
    expect(now(page)).not_to_contain_text("film")
    expect(page.get_by_label("Explain", exact=True)).to_have_value("predicted")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["every word has a tag", "no word is in an entity"])
def test_without_entities_all_tags_are_explained(browser: Browser, kind: str) -> None:
    model, tokenizer = copy.deepcopy(parts("token_classification"))
    if kind == "every word has a tag":
        model.config.id2label = dict(enumerate(["DET", "NOUN", "VERB", "ADJ"]))
    else:
        model.classifier.bias.data[0] += 100
    with serving(tagger=ModelSession(open_model(model, tokenizer))) as served:
        visit = Visit(browser, served)
        page = opened(visit, "tagger")
        expect(now(page)).to_contain_text("Whole text: tags")
        assert next(iter(bars(page))) == "all tags"
        assert len(predicted(page)) == (len(TEXT.split()) if kind == "every word has a tag" else 0)
        unit(page, "film").click()
        expect(now(page)).to_contain_text('Without "film"')
        page.get_by_label("explains its label").check()
        units(page).nth(2).click()
        expect(page.locator(".um-mode .um-key")).to_contain_text("Select it again for the tags")
        assert visit.complaints == []
        page.context.close()


# answers to questions


def answer_of(gone: list[Span] | None = None) -> tuple[Span, float]:
    found = tiny_heads.explainer("question_answering", "bert").explain(QUESTION, text_pair=CONTEXT)
    (answer,) = found.prediction.spans
    span = Span(answer.start, answer.end)
    return span, span_share(QUESTION, CONTEXT, span, [(1, one) for one in gone or []])


def test_question_and_context_stand_side_by_side_and_the_answer_settles(seeing: Visit) -> None:
    page = opened(seeing, "reader")
    first, second = (page.locator(".um-units .um-text").nth(at).bounding_box() for at in (0, 1))
    assert first is not None
    assert second is not None
    assert second["x"] > first["x"] + first["width"]
    assert page.locator(".um-place").all_text_contents() == ["question", "context"]
    assert page.locator(".um-field label").all_text_contents() == ["Question", "Context"]
    span, share = answer_of()
    expect(page.locator(".um-headline span")).to_have_text(CONTEXT[slice(*span)])
    answer = CONTEXT[slice(*span)]
    assert bars(page) == {answer: percent(share)}
    inside = [CONTEXT[slice(*one)] for one in word_spans(CONTEXT) if one.overlaps(span)]
    assert predicted(page) == inside
    page.locator(".um-units .um-text").nth(1).locator(".um-u").nth(1).click()
    expect(now(page)).to_contain_text(f'Without "film": "{answer}"')
    assert bars(page) == {answer: percent(answer_of([word_spans(CONTEXT)[1]])[1])}


@pytest.mark.slow
def test_another_answer_stands_beside_the_first(seeing: Visit) -> None:
    page, (span, _) = opened(seeing, "reader"), answer_of()
    answer = CONTEXT[slice(*span)]
    page.locator(".um-units .um-text").first.locator(".um-u").nth(1).click()
    other = page.locator(".um-headline span")
    expect(other).not_to_have_text(answer)
    expect(page.locator(".um-headline small")).to_have_text(f'Answer now (was "{answer}")')
    expect(now(page)).to_contain_text(f'(prediction: "{other.inner_text()}")')


@pytest.mark.slow
def test_joint_and_single_drops_differ_by_what_is_said(seeing: Visit) -> None:
    page = opened(seeing, "reader")
    for at in range(1, 8):
        units(page).nth(at).click()
        expect(page.locator(".um-pending")).to_have_count(0)
        if at > 1:
            joint, single = (
                Decimal(one.replace("−", "-")) for one in page.locator(".um-drops .um-number").all_inner_texts()
            )
            said = page.locator(".um-joint .um-more").inner_text()
            assert "as much as" in said or f"Together {abs(joint - single)} " in said


@pytest.mark.slow
def test_other_words_of_the_context_are_explained_as_the_answer(seeing: Visit) -> None:
    page = opened(seeing, "reader", mode="select")
    context = page.locator(".um-units .um-text").nth(1).locator(".um-u")
    context.nth(1).click()
    film = Span(4, 8)
    expect(now(page)).to_contain_text('Whole text: "film"')
    assert bars(page)["film"] == percent(span_share(QUESTION, CONTEXT, film, []))
    page.locator(".um-units .um-text").first.locator(".um-u").first.click()  # the question has no answer in it
    expect(page.locator(".um-mode .um-key")).to_contain_text('what supports "film"')
    answer = CONTEXT[slice(*answer_of()[0])]
    page.locator(".um-entity").filter(has_text=answer).first.click()
    expect(page.locator(".um-mode .um-key")).to_contain_text("what supports the answer")
    assert set(bars(page)) == {answer}


# fillings and choices


def test_a_mask_is_no_word_and_another_filling_is_chosen(seeing: Visit) -> None:
    page = opened(seeing, "filler")
    assert "[MASK]" not in units(page).all_text_contents()
    expect(page.locator(".um-units .um-locked")).to_have_text("[MASK]")
    assert page.locator(".um-units [role=button]").count() == len(BLANK.split()) - 1
    shares = filling_shares(BLANK, [])
    best = sorted(shares, key=lambda name: -shares[name])[:5]
    assert bars(page) == {name: percent(shares[name]) for name in best}
    page.get_by_role("button", name=best[1], exact=True).click()
    expect(now(page)).to_contain_text(f'Whole text: "{best[1]}"')
    expect(page.get_by_label("Explain", exact=True)).to_have_value(best[1])
    unit(page, "film").click()
    expect(now(page)).to_contain_text(f'Without "film": "{best[1]}"')
    without = filling_shares(BLANK, [(0, Span(4, 8))])
    assert bars(page) == {name: percent(without[name]) for name in best}


def test_an_edit_that_cannot_be_read_is_said_until_it_is_undone(seeing: Visit) -> None:
    page = opened(seeing, "filler")
    replace(page, "film", "[MASK]")
    problem = page.get_by_role("alert").filter(visible=True)
    expect(problem).to_have_text("The text has 2 masks; expected exactly one [MASK]. Fill in all masks except one.")
    page.keyboard.press("Control+z")
    expect(problem).to_have_count(0)
    replace(page, "film", "movie")
    unit(page, "bad").click()
    expect(now(page)).to_contain_text('Without "bad"; with "movie" for "film": ')


def test_choices_are_edited_added_and_removed(seeing: Visit) -> None:
    page = opened(seeing, "chooser")
    shares = choice_shares(PROMPT, CHOICES, [])
    assert bars(page) == {name: percent(share) for name, share in zip(CHOICES, shares, strict=True)}
    page.get_by_role("button", name="Add a choice").click()
    page.get_by_label("Choice 4").fill("not bad")
    page.get_by_label("Choice 2").fill("")
    page.get_by_role("button", name="Explain", exact=True).click()
    kept = [CHOICES[0], CHOICES[2], "not bad"]
    expect(page.locator(".um-units")).to_contain_text("not bad")
    shares = choice_shares(PROMPT, kept, [])
    assert bars(page) == {name: percent(share) for name, share in zip(kept, shares, strict=True)}
    assert page.locator(".um-place").all_text_contents() == ["prompt", "choice 1", "choice 2", "choice 3"]


@pytest.mark.slow
def test_a_choice_is_chosen_masked_and_edited(seeing: Visit) -> None:
    page = opened(seeing, "chooser")
    page.get_by_role("button", name="junk food").click()
    expect(now(page)).to_contain_text('Whole text: "junk food"')
    expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true")
    unit(page, "film").click()
    expect(now(page)).to_contain_text('Without "film": "junk food"')
    shares = choice_shares(PROMPT, CHOICES, [(0, Span(4, 8))])
    assert bars(page) == {name: percent(share) for name, share in zip(CHOICES, shares, strict=True)}
    again(page)
    replace(page, "junk", "lovely")
    edited = [CHOICES[0], "lovely food", CHOICES[2]]
    expect(now(page)).to_contain_text('With "lovely" for "junk"')
    expect(page.locator(".um-pending")).to_have_count(0)
    shares = choice_shares(PROMPT, edited, [])
    assert bars(page) == {name: percent(share) for name, share in zip(CHOICES, shares, strict=True)}
    page.get_by_role("button", name="Explain the edited text").click()
    expect(page.get_by_label("Choice 2")).to_have_value("lovely food")
    expect(page.get_by_label("Explain", exact=True)).to_have_value("predicted")  # the choice has another name now
    for number in ("1", "2"):
        page.get_by_label(f"Choice {number}").fill("")
    page.get_by_role("button", name="Explain", exact=True).click()
    expect(page.get_by_label("Choice 1")).to_be_focused()  # one choice is too few


# pairs and translations


def test_words_of_similar_texts_color_each_other(seeing: Visit) -> None:
    page = opened(seeing, "encoder")
    expect(now(page)).to_have_text(f"Whole text: similarity {cosine((QUESTION, CONTEXT), []):#.4g}.")
    unit(page, "not").click()
    without = f"{cosine((QUESTION, CONTEXT), [(0, Span(8, 11))]):#.4g}"
    expect(now(page)).to_have_text(f'Without "not": similarity {without}.')
    assert bars(page) == {"similarity": without}
    expect(page.locator(".um-was")).to_have_text(f"was {cosine((QUESTION, CONTEXT), []):#.4g}")
    page.get_by_label("shows its pairs").check()
    found = tiny_heads.explainer("similarity", "mpnet").explain(QUESTION, text_pair=CONTEXT)
    row = [one.text for one in found.units].index("bad")
    unit(page, "bad").click()
    assert found.pair_scores is not None
    numbers = page.locator(".um-units .um-text").nth(1).locator(".um-u").evaluate_all(SCORES)
    assert [float(one.replace("−", "-")) for one in numbers] == pytest.approx(list(found.pair_scores[row]), abs=0.006)
    expect(page.locator(".um-mode .um-key")).to_contain_text('With "bad": ')
    expect(page.get_by_label("Explain", exact=True)).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".um-mode .um-key")).to_contain_text("the scores of all words")


@pytest.mark.slow
def test_a_source_has_no_other_kinds_of_input(seeing: Visit) -> None:
    page = opened(seeing, "writer")
    assert page.locator(".um-field label").all_text_contents() == ["Source"]
    expect(page.get_by_label("Input", exact=True)).to_be_hidden()
    page.get_by_role("listbox", name="Answer").get_by_role("option").filter(has_text="dull").first.click()
    expect(page.locator(".um-mode .um-key")).to_contain_text('what supports "dull"')
    page.get_by_label("masks the word").check()
    unit(page, "film").click()
    expect(now(page)).to_contain_text('Without "film": the answer is')


# every task


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_methods_pairs_and_files(seeing: Visit, model: str) -> None:
    page = opened(seeing, model)
    page.get_by_text("Compare methods").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".um-compared .um-row").first).to_be_visible(timeout=20_000)
    facts = page.locator(".um-facts dd").all_inner_texts()
    assert not [one for one in facts if one.startswith("-")]  # a minus sign, not a hyphen
    pairs = page.get_by_text("Pairs of words")
    if model == "writer":
        expect(pairs).to_be_hidden()
    else:
        pairs.click()
        page.get_by_role("button", name="Find pairs").click()
        expect(page.locator(".um-arc, .um-panel .um-more:text('add up')").first).to_be_visible(timeout=20_000)
    for form in ("JSON", "HTML"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Download {form}").click()
        saved = waiting.value.path()
        if form == "JSON":
            scores = [one["score"] for one in json.loads(saved.read_text(encoding="utf-8"))["units"]]
            drawn = [float(one.replace("−", "-")) for one in units(page).evaluate_all(SCORES)]
            assert drawn == pytest.approx(scores, abs=0.006)
    for menu in page.locator(".um-controls select:visible").all():
        for option in menu.locator("option").evaluate_all("all => all.map(one => one.value)"):
            menu.select_option(option)
            expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true", timeout=20_000)
            expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)
        menu.select_option(index=0)
        expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true", timeout=20_000)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_a_link_restores_the_view(seeing: Visit, model: str) -> None:
    page = opened(seeing, model, mode="mask")
    units(page).nth(1).click()
    expect(now(page)).to_contain_text("Without")
    chosen = page.locator(".um-shares li:not(.um-invisible) .um-entity[aria-pressed=false]")
    if chosen.count():
        chosen.last.click()
        expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true")
        expect(page.locator(".um-pending")).to_have_count(0)
    other = seeing(fragment=page.url.removeprefix(seeing.served.address))
    expect(now(other)).to_have_text(now(page).inner_text())
    assert (struck(other), bars(other)) == (struck(page), bars(page))


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_it_fits_a_narrow_screen_and_does_not_jump(seeing: Visit, model: str) -> None:
    page = opened(seeing, model, width=340, mode="mask")
    before = page.locator(".um-units").evaluate(TOP)
    for at in (1, 2):
        units(page).nth(at).click()
    expect(now(page)).to_contain_text("Without")
    expect(page.locator(".um-pending")).to_have_count(0)
    assert page.locator(".um-units").evaluate(TOP) == before
    assert page.evaluate("document.documentElement.scrollWidth") <= 340


@pytest.mark.slow
@pytest.mark.parametrize("width", [340, 800, 1100])
@pytest.mark.parametrize("model", ["tagger", "reader", "encoder", "writer"])
def test_words_stay_in_place_while_they_are_selected(seeing: Visit, model: str, width: int) -> None:
    page = opened(seeing, model, width=width, mode="select")
    before = page.locator(".um-units").evaluate(TOP)
    for at in (1, 3, -2):
        units(page).nth(at).click()
        expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true")
        assert page.locator(".um-units").evaluate(TOP) == before


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("model", MODELS)
def test_axe_finds_nothing_serious(seeing: Visit, axe: str, model: str, scheme: str) -> None:
    page = opened(seeing, model, scheme=scheme, mode="mask")
    units(page).nth(1).click()
    expect(now(page)).to_contain_text("Without")
    assert serious(page, axe) == []


EVIL = 'film <img src=x onerror=alert(1)> <script>alert(2)</script> "onfocus="alert(3)"'


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tagger", "reader", "chooser", "encoder"])
def test_hostile_texts_stay_text(seeing: Visit, model: str) -> None:
    question = {name: [EVIL, "junk food"] if name == "choices" else EVIL for name in BODIES[MODELS[model]]}
    page = opened(seeing, model, question=question)
    expect(page.locator("img")).to_have_count(0)
    assert page.locator("script").count() == 1
    assert page.locator(".um-units .um-text").first.text_content() == EVIL
    unit(page, "film").click()
    expect(now(page)).to_contain_text('Without "film"')
    if (choices := page.locator("li:not(.um-invisible) .um-entity")).count():
        choices.last.click()
        expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true")
    assert page.evaluate("document.querySelectorAll('[style]').length") == 0


@pytest.mark.slow
def test_models_of_all_heads_are_switched(seeing: Visit) -> None:
    page = opened(seeing, "tagger", settings={"target": [4, 8]})
    for model in ("chooser", "reader", "filler", "encoder", "writer", "tagger"):
        page.get_by_label("Model", exact=True).select_option(model)
        expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true", timeout=20_000)
        expect(units(page).first).to_be_visible()
        expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tagger", "filler"])
def test_locked_words_are_unlocked_but_the_mask_is_not(seeing: Visit, model: str) -> None:
    page = opened(seeing, model)
    unit(page, "film").focus()
    page.keyboard.press("l")
    page.get_by_role("button", name="Explain with locks").click()
    expect(page.locator(".um-fixed")).to_have_text("film")
    page.locator(".um-fixed").click()
    expect(page.locator(".um-fixed")).to_have_count(0)
    expect(unit(page, "film")).to_be_visible()
