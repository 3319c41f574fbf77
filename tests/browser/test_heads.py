"""Pictures of other heads in a real browser: entities, answers in their context, translations, pairs of words."""

from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from support import tiny_heads
from support.browser_page import Opening, paper
from support.hostile import TEXTS

from unmask import Explanation
from unmask.render.colored_spans import colored_units
from unmask.render.html import collection, page
from unmask.render.html.parts import signed

FIRST, SECOND = "the film is not bad at all", "it isn't dull, a lovely film"
SCORES = "all => all.map(one => one.dataset.s)"
NONE = "rgba(0, 0, 0, 0)"


@cache
def explained(task: str) -> Explanation:
    architectures = {"similarity": "mpnet", "text2text": "bart"}
    explainer = tiny_heads.explainer(task, architectures.get(task, "bert"))
    texts: dict[str, Any] = {"text2text": {"continuation": "it isn't dull"}, "token_classification": {}}
    return explainer.explain(FIRST, **texts.get(task, {"text_pair": SECOND}))


def units(shown: Page | Locator, side: int = 0) -> Locator:
    return shown.locator(".um-text").nth(side).locator(".um-u")


def scores(found: Explanation, segment: int = 0) -> list[str]:
    return [signed(span.number) for span in colored_units(found) if span.segment == segment]


def view(shown: Page) -> Locator:
    return shown.locator(".um-view:visible")


def test_selecting_an_entity_colors_what_made_it_so(opened: Opening) -> None:
    found = explained("token_classification")
    shown = opened(page(found))
    assert len(found.prediction.spans) > 1
    assert units(view(shown)).evaluate_all(SCORES) == scores(found)
    for at, entity in enumerate(found.prediction.spans[:3], start=1):
        inside = [n for n, unit in enumerate(found.units) if entity.start <= unit.start < entity.end]
        units(view(shown)).nth(inside[0]).click()
        toward = found.toward((entity.start, entity.end))
        assert units(view(shown)).evaluate_all(SCORES) == scores(toward)
        expect(shown.get_by_role("heading", name=f"What supports {toward.target}")).to_be_visible()
        expect(shown.locator(f".um-switch .um-o{at}")).to_be_checked()
        chosen = view(shown).locator(".um-chosen")
        assert chosen.all_text_contents() == [found.units[one].text for one in inside]
    shown.keyboard.press("Enter")  # the word that was selected still has the focus: again, for all entities
    assert units(view(shown)).evaluate_all(SCORES) == scores(found)
    expect(shown.get_by_role("heading", name="What supports the entities")).to_be_visible()


def test_without_a_script_entities_are_switched(opened: Opening) -> None:
    found = explained("token_classification")
    shown, entity = opened(page(found), scripts=False), found.prediction.spans[1]
    toward = found.toward((entity.start, entity.end))
    shown.locator(".um-switch label").filter(has_text=str(toward.target)).first.click()
    assert units(view(shown)).evaluate_all(SCORES) == scores(toward)


@pytest.mark.parametrize("task", ["question_answering", "similarity"])
def test_two_texts_stand_side_by_side_if_there_is_room(opened: Opening, task: str) -> None:
    for width, are_beside in ((900, True), (400, False)):
        shown = opened(page(explained(task)), width=width)
        first, second = (shown.locator(".um-text").nth(at).bounding_box() for at in (0, 1))
        assert first is not None
        assert second is not None
        assert (second["x"] > first["x"] + first["width"]) is are_beside
        assert (second["y"] == pytest.approx(first["y"], abs=1)) is are_beside
        assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_the_answer_is_marked_in_its_context(opened: Opening) -> None:
    found = explained("question_answering")
    shown = opened(page(found))
    assert shown.locator(".um-place").all_text_contents() == ["question", "context"]
    (answer,) = found.prediction.spans
    inside = [one.text for one in found.units if one.segment == 1 and answer.start <= one.start < answer.end]
    assert shown.locator(".um-text .um-outlined").all_text_contents() == inside
    assert units(shown, 0).locator("xpath=self::*[contains(@class, 'um-outlined')]").count() == 0
    expect(shown.get_by_role("heading", name="What supports the answer")).to_be_visible()
    expect(shown.locator("h1")).to_contain_text(f'"{answer.text}" {answer.probability:.1%}')


def test_source_and_translation_are_selected_in_both_directions(opened: Opening) -> None:
    found = explained("text2text")
    shown = opened(page(found))
    source, output = (
        shown.locator(".um-context .um-u"),
        shown.get_by_role("listbox", name="Answer").get_by_role("option"),
    )
    expect(shown.get_by_role("heading", name="Source")).to_be_visible()
    output.filter(has_text="dull").first.click()
    assert source.evaluate_all(SCORES) == scores(found.toward("dull"))
    source.filter(has_text="film").first.click()
    by_output, row = found.scores_by_output, [unit.text for unit in found.units].index("film")
    assert by_output is not None
    numbers = [float(text.replace("−", "-")) for text in output.evaluate_all(SCORES)]
    assert sum(numbers) == pytest.approx(sum(by_output[row]), abs=0.02)
    left = source.first.bounding_box()
    right = output.first.bounding_box()
    assert left is not None
    assert right is not None
    assert right["x"] > left["x"] + left["width"]


def test_words_of_similar_texts_color_each_other(opened: Opening) -> None:
    found = explained("similarity")
    shown, pairs = opened(page(found)), found.pair_scores
    assert pairs is not None
    first, second = units(shown, 0), units(shown, 1)
    said = shown.locator(".um-beside + .um-now")
    expect(said).to_contain_text("Select a word")
    first.filter(has_text="film").click()
    row = pairs[[unit.text for unit in found.units if unit.segment == 0].index("film")]
    numbers = [float(text.replace("−", "-")) for text in second.evaluate_all(SCORES)]
    assert numbers == pytest.approx(list(row), abs=0.006)
    strongest = max(range(len(row)), key=lambda at: abs(row[at]))
    assert paper(second.nth(strongest)) != NONE
    assert {paper(one) for one in first.all()} == {NONE}
    expect(first.filter(has_text="film")).to_have_attribute("aria-pressed", "true")
    expect(said).to_contain_text('With "film": ')
    assert shown.locator(".um-matrix td.um-linked").count() == len(row)
    second.nth(strongest).click()  # the other direction
    column = [cells[strongest] for cells in pairs]
    numbers = [float(text.replace("−", "-")) for text in first.evaluate_all(SCORES)]
    assert numbers == pytest.approx(column, abs=0.006)
    assert {paper(one) for one in second.all()} == {NONE}
    shown.keyboard.press("Escape")
    assert first.evaluate_all(SCORES) + second.evaluate_all(SCORES) == scores(found, 0) + scores(found, 1)
    second.nth(strongest).focus()
    shown.keyboard.press(" ")
    assert first.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")[0].endswith(
        f"with {second.nth(strongest).text_content()}"
    )


def test_the_matrix_of_pairs_has_a_cell_for_each_pair(opened: Opening) -> None:
    found = explained("similarity")
    shown, pairs = opened(page(found), scripts=False), found.pair_scores
    assert pairs is not None
    cells = shown.locator(".um-matrix tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].slice(1).map(cell => cell.textContent.trim().replace('−', '-')))"
    )
    assert [[float(cell) for cell in row] for row in cells] == [pytest.approx(list(row), abs=0.006) for row in pairs]


def test_heads_of_a_collection_are_selected_alone(opened: Opening) -> None:
    tags, pair = explained("token_classification"), explained("question_answering")
    shown = opened(collection([(1, tags), (2, pair), (3, tags)]))
    one, _, other = shown.locator("article").all()
    entity = tags.prediction.spans[0]
    units(one.locator(".um-view:visible")).nth(0).click()
    assert units(one.locator(".um-view:visible")).evaluate_all(SCORES) == scores(
        tags.toward((entity.start, entity.end))
    )
    assert units(other.locator(".um-view:visible")).evaluate_all(SCORES) == scores(tags)


SLOW = [pytest.param(kind, marks=pytest.mark.slow) for kind in ("a change of direction", "a data SVG")]


@pytest.mark.parametrize("kind", ["markup", *SLOW])
def test_hostile_texts_do_nothing(opened: Opening, kind: str) -> None:
    text = '</script><script>alert(1)</script> "onfocus="alert(2)"' if kind == "markup" else TEXTS[kind]
    found = tiny_heads.explainer("similarity", "mpnet").explain(text, text_pair=FIRST)
    shown = opened(page(found))
    units(shown, 0).first.click(force=True)
    units(shown, 1).first.click(force=True)
    assert shown.locator("img, iframe").count() == 0
