"""The served page around the text: links, files, hostile texts, two tabs, a server that goes away, dark and narrow."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect
from support.served_page import (
    TEXT,
    Visit,
    capped_words,
    explain,
    link,
    now,
    struck,
    unit,
    units,
)

from unmask import Explainer, Explanation

EVIL = 'good </p><script>alert(1)</script> "onfocus="alert(2)" <img src=x onerror=alert(3)> film'
RIGHT_TO_LEFT = "הסרט good וגם מרגש מאוד"
EMOJI = "👩‍👩‍👧‍👦 good 🎬 film 👍🏽"

ABORTED = """() => {
  const { fetch } = window;
  window.aborted = [];
  window.fetch = (address, options) => {
    options?.signal?.addEventListener("abort", () => aborted.push(JSON.parse(options.body).masked));
    return fetch(address, options);
  };
}"""
TOP = "one => one.getBoundingClientRect().top + scrollY"


@pytest.mark.slow
def test_a_link_restores_the_view_and_holds_the_text_alone(visit: Visit) -> None:
    page = visit(TEXT)
    unit(page, "good").click()
    page.get_by_label("Scale").select_option("probability")
    expect(page.locator(".um-meaning")).to_contain_text("probability")
    unit(page, "fine").click()
    expect(now(page)).to_contain_text("Without")
    other = visit(fragment=page.url.removeprefix(visit.served.address))
    expect(now(other)).to_have_text(now(page).inner_text())
    assert struck(other) == ["good", "fine"]
    expect(other.get_by_label("Scale")).to_have_value("probability")
    assert not any(TEXT.split()[1] in url for url in visit.requests if "#" not in url)  # no text in an address


@pytest.mark.slow
def test_a_link_that_is_no_state_begins_with_an_example(visit: Visit) -> None:
    for fragment in (
        "#%",
        "#[1]",
        link({"settings": {"model": "another"}}),
        link({"marks": {"masked": [99]}}),
        link({"question": 5}),
    ):
        visit(fragment=fragment)


@pytest.mark.slow
def test_files_hold_what_the_page_shows(visit: Visit, tmp_path: Path) -> None:
    page = visit(TEXT)
    saved = {}
    for form in ("JSON", "HTML", "SVG", "PNG"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Download {form}").click()
        saved[form] = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved[form])
    loaded = Explanation.load(saved["JSON"])
    expected = Explainer.from_adapter(capped_words().adapter).explain(TEXT)
    assert loaded.scores == expected.scores
    assert loaded.sets == expected.sets
    assert [path.name for path in saved.values()] == [f"explanation.{form.lower()}" for form in saved]
    assert saved["PNG"].read_bytes().startswith(b"\x89PNG")
    assert "<svg" in saved["SVG"].read_text(encoding="utf-8")
    assert "good" in saved["HTML"].read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("text", [EVIL, RIGHT_TO_LEFT, EMOJI])
def test_hostile_texts_stay_text(visit: Visit, text: str) -> None:
    page = visit(text)
    expect(page.locator("img")).to_have_count(0)
    assert page.locator("script").count() == 1
    assert page.locator(".um-units .um-text").text_content() == text
    page.locator(".um-units .um-u").filter(has_text="good").first.click()
    expect(now(page)).to_contain_text('Without "good"')
    page.get_by_text("Compare methods").click()
    assert page.evaluate("document.querySelectorAll('[style]').length") == 0


@pytest.mark.slow
def test_a_very_long_text_does_not_stop_the_page(visit: Visit) -> None:
    page = visit(TEXT)
    page.locator("textarea").fill(("good film " * 5_100)[:50_000])
    assert len(page.locator("textarea").input_value()) == 50_000
    page.locator("textarea").press("Control+Enter")
    expect(page.locator(".um-units .um-u").nth(9_000).or_(page.get_by_role("alert"))).to_be_visible(timeout=90_000)
    explain(page, "fine film")
    expect(units(page)).to_have_count(2, timeout=30_000)


@pytest.mark.slow
def test_two_tabs_at_once(visit: Visit) -> None:
    one, other = visit(TEXT), visit("a bad film")
    unit(one, "good").click()
    unit(other, "bad").click()
    expect(now(one)).to_contain_text('Without "good": positive')
    expect(now(other)).to_contain_text('Without "bad": negative')
    assert struck(one) == ["good"]


@pytest.mark.slow
def test_a_superseded_click_is_aborted(visit: Visit) -> None:
    page = visit(TEXT)
    page.route("**/api/predict", lambda route: None)  # never answered
    page.evaluate(ABORTED)
    unit(page, "good").click()
    unit(page, "fine").click()
    assert page.evaluate("aborted") == [[[1]]]
    unit(page, "film").click()
    assert page.evaluate("aborted") == [[[1]], [[1, 3]]]


@pytest.mark.slow
def test_the_page_says_that_the_server_is_gone_and_recovers(visit: Visit) -> None:
    page = visit(TEXT)
    visit.served.stop()
    try:
        unit(page, "good").click()
        lost = page.locator(".um-lost")
        expect(lost).to_contain_text("The server does not answer")
        expect(page.locator(".um-shares .um-number").first).to_contain_text("≈")  # what is known without it
    finally:
        visit.served.start()
    expect(lost).to_be_hidden(timeout=20_000)
    expect(now(page)).to_contain_text('Without "good"')
    visit.complaints[:] = [one for one in visit.complaints if "ERR_" not in one]  # the browser's own notes


@pytest.mark.slow
def test_methods_are_compared_in_aligned_rows_with_their_faithfulness(visit: Visit) -> None:
    page = visit(TEXT)
    page.get_by_text("Compare methods").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    rows = page.locator(".um-compared .um-row")
    expect(rows).to_have_count(4)
    places = [row.locator(".um-text").bounding_box() for row in rows.all()]
    assert len({(place["x"], place["width"]) for place in places if place}) == 1
    expect(page.get_by_role("img", name="mean drop: sig")).to_be_visible()


@pytest.mark.slow
def test_pairs_are_arcs_and_can_be_masked(visit: Visit) -> None:
    page = visit(TEXT)
    page.get_by_text("Pairs of words").click()
    page.get_by_role("button", name="Find pairs").click()
    page.get_by_role("button", name='"good" and "fine" cover for each other').click()
    assert struck(page) == ["good", "fine"]
    assert page.locator(".um-arc").count() == 1
    expect(page.locator(".um-pairlist b").first).to_have_text("+2.50")


@pytest.mark.slow
def test_settings_are_switched_and_numbers_agree_with_the_json(visit: Visit) -> None:
    page = visit(TEXT)
    page.get_by_label("Explain", exact=True).select_option("negative")
    expect(page.locator(".um-meaning")).to_contain_text("negative")
    for name, value in (("Unit", "token"), ("Scale", "log_probability"), ("Method", "leave_one_out")):
        page.get_by_label(name, exact=True).select_option(value)
        expect(page.locator("#view")).not_to_have_attribute("aria-busy", "true")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download JSON").click()
    record = json.loads(waiting.value.path().read_text(encoding="utf-8"))
    assert (record["target"], record["unit"], record["scale"]) == ("negative", "token", "log_probability")
    assert record["method"]["name"] == "leave_one_out"
    drawn = [float(one.get_attribute("data-s").replace("−", "-")) for one in units(page).all()]  # type: ignore[union-attr]
    assert drawn == pytest.approx([one["score"] for one in record["units"]], abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_narrow_screen_and_does_not_jump(visit: Visit, scheme: str) -> None:
    page = visit(TEXT, width=340, scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(22, 24, 29)" if scheme == "dark" else "rgb(255, 255, 255)")
    before = page.locator(".um-units").evaluate(TOP)
    for word in ("good", "fine", "film"):
        unit(page, word).click()
    expect(now(page)).to_contain_text("Without")
    assert page.locator(".um-units").evaluate(TOP) == before
    assert page.evaluate("document.documentElement.scrollWidth") <= 340
