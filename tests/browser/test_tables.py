"""Tables of figures in a real Chromium."""

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser_page import Opening, paper
from support.contrast import contrast
from support.sample_tables import hostile, large

from unmask.render.tables import render

WIDTHS = "() => [document.documentElement.scrollWidth, innerWidth]"
SCROLLED = "one => { one.scrollLeft = 200; return [one.scrollWidth, one.clientWidth, one.scrollLeft] }"


def left(one: Locator) -> float:
    box = one.bounding_box()
    assert box is not None
    return box["x"]


def is_as_wide_as_its_window(shown_page: Page) -> bool:
    content, window = shown_page.evaluate(WIDTHS)
    return bool(content == window)


def color(one: Locator) -> str:
    """As #rrggbb."""
    parts = str(one.evaluate("one => getComputedStyle(one).color")).removeprefix("rgb(").removesuffix(")").split(",")
    return "#" + "".join(f"{int(part):02x}" for part in parts)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1200])
def test_the_page_never_scrolls_sideways(opened: Opening, width: int, scheme: str) -> None:
    evil = "</td><script>document.title = 'ran'</script><img src=x onerror=alert(1)>" + "x" * 90
    for document in (large(), hostile(evil)):
        shown_page = opened(render(document, "html"), width=width, scheme=scheme)
        assert is_as_wide_as_its_window(shown_page)
        assert shown_page.title() == f"{document.title} · unmask"


def test_a_narrow_table_scrolls_alone_and_its_rows_keep_their_names(opened: Opening) -> None:
    shown_page = opened(render(large(), "html"), width=360)
    name = shown_page.get_by_role("rowheader", name="saliency").first
    before = left(name), left(shown_page.locator("caption span").first)
    whole, seen, moved = shown_page.get_by_role("region", name="Top fifth of the words masked").evaluate(SCROLLED)
    assert whole > seen
    assert moved == 200
    assert (left(name), left(shown_page.locator("caption span").first)) == before
    assert name.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize(("scheme", "background"), [("light", "#ffffff"), ("dark", "#16181d")])
def test_everything_is_readable(opened: Opening, scheme: str, background: str) -> None:
    shown_page = opened(render(large(), "html"), scheme=scheme)
    for kind in (
        "caption",
        "thead th",
        "td",
        "td b",
        "td small",
        ".um-faint",
        ".um-hints dt",
        ".um-hints dd",
        ".um-remark",
    ):
        assert contrast(color(shown_page.locator(kind).first), background) >= 4.5


def test_the_best_is_bold(opened: Opening) -> None:
    shown_page = opened(render(large(), "html"))
    weights = [
        shown_page.locator(kind).first.evaluate("one => getComputedStyle(one).fontWeight") for kind in ("td b", "td")
    ]
    assert weights == ["750", "400"]


def test_screen_readers_hear_a_table(opened: Opening) -> None:
    shown_page = opened(render(large(), "html"), width=1200)
    table = shown_page.get_by_role("table", name="Top fifth of the sentences masked")
    expect(table.get_by_role("columnheader", name="IMDB")).to_have_count(1)
    expect(table.get_by_role("rowheader")).to_have_count(12)
    expect(table.get_by_role("row", name="saliency")).to_contain_text("-0.505")


def test_print_is_light_and_shows_all_columns(opened: Opening) -> None:
    shown_page = opened(render(large(), "html"), width=680, scheme="dark")  # A4 between its margins
    shown_page.emulate_media(media="print", color_scheme="dark")
    assert paper(shown_page.locator("body")) == "rgb(255, 255, 255)"
    assert shown_page.locator(".um-sideways").first.evaluate("one => getComputedStyle(one).overflowX") == "visible"
    assert is_as_wide_as_its_window(shown_page)
