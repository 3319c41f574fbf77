"""Arcs over words in a real browser: they end above their words at every width."""

import pytest
from support.browser_page import Opening
from support.interactions import cases

from unmask.render.html.pairs import fragment, page
from unmask.render.pair_view import view_pairs

CASES = cases()
ENDS = """all => all.map(one => { const box = one.getBoundingClientRect(); return [box.left, box.right] })"""
CENTERS = """all => all.map(one => { const box = one.getBoundingClientRect(); return (box.left + box.right) / 2 })"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [900, 360])
@pytest.mark.parametrize("name", ["short", "hebrew", "pair", "long", "two", "sentences"])
def test_arcs_end_above_their_words(opened: Opening, name: str, width: int) -> None:
    found, view = CASES[name], view_pairs(CASES[name])
    shown = opened(page(found), width=width).locator("section.um-v0")
    ends = shown.locator("path.um-arc").evaluate_all(ENDS)
    centers = shown.locator(".um-slots .um-word").evaluate_all(CENTERS)
    chosen = sorted(found.chosen)
    listed = [pair for pair in found.pairs if pair.relation != "add up"][: len(view.arcs)]
    assert len(ends) == len(listed) > 0
    for pair, (left, right) in zip(reversed(listed), ends, strict=True):  # the strongest is drawn last
        wanted = sorted(centers[chosen.index(unit)] for unit in (pair.first, pair.second))
        assert (left, right) == pytest.approx(wanted, abs=2.5)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1200, 360, 300])
@pytest.mark.parametrize("name", ["long", "hostile", "sentences", "one"])
def test_a_page_is_never_wider_than_its_window(opened: Opening, name: str, width: int) -> None:
    shown = opened(page(CASES[name]), width=width)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_switching_the_class_switches_the_arcs(opened: Opening) -> None:
    shown = opened(page(CASES["short"]), scripts=False)
    assert shown.locator(".um-v0 .um-arcs").is_visible()
    shown.locator(".um-switch label", has_text="negative").click()
    assert not shown.locator(".um-v0 .um-arcs").is_visible()
    assert shown.locator(".um-v1 .um-curves text").first.text_content() == "+4.00"


def test_a_fragment_leaves_the_page_around_it_as_it_is(opened: Opening) -> None:
    around = "<!doctype html><style>td { border: 3px solid red }</style><table><tr><td id=mine>x</td></tr></table>"
    shown = opened(around + fragment(CASES["short"]))
    assert shown.locator("#mine").evaluate("one => getComputedStyle(one).borderTopWidth") == "3px"
    assert shown.locator(".um-slots td").first.evaluate("one => getComputedStyle(one).borderTopWidth") == "0px"
