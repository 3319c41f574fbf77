"""Nothing in a text can become part of a page, and everything on a page can be read."""

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.contrast import contrast, luminance
from support.explanations import cases, compared, compared_units, failure, items
from support.shared import json_lines, needs_shared

from unmask import Comparison, Explanation
from unmask.render.escape import shown
from unmask.render.html import collection, fragment, listing, page
from unmask.render.html.document import VIEWS
from unmask.render.html.pages import compared_outputs, outputs
from unmask.render.theme import BACKGROUNDS, PALETTES, Background, Theme
from unmask.render.view import view_explanation
from unmask.results.metadata import SegmentInfo, Unit

SHORT = cases()["short"]
HOSTILE = [
    "</p></main></body><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x=\'',
    "<!-- ]]> <style>*{display:none}</style> &lt;b&gt; &#0; &amp",
    "javascript:alert(1)\x00\x0b\x1b[31m\u202e\u2066\ufeff",
    "\ud800 lone \udfff",
    "\n\r\n\r\u2028 lines",
]


class Parsed(HTMLParser):
    """The texts, the tags and the names of attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.skeleton: list[tuple[str, tuple[str, ...]]] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.inside = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.skeleton.append((tag, tuple(name for name, _ in attrs)))
        self.attributes += attrs
        if str(dict(attrs).get("class")).split(" ")[0] == "um-text":
            self.inside = True
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "p"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data


def of(text: str, label: str = "positive") -> Explanation:
    """An explanation of any text, half of which is a unit."""
    half = (len(text) + 1) // 2
    return replace(
        SHORT,
        segments=(SegmentInfo(text),),
        units=(Unit(text[:half], 0, half),),
        scores=(1.0,),
        without=((0.0, 0.0),),
        outputs=("negative", label),
        target=label,
    )


@cache
def all_pages() -> dict[str, str]:
    return {
        **{name: page(found) for name, found in cases().items()},
        "fragment": fragment(SHORT),
        "collection": collection(items()),
        "comparison": page(compared_units()),
    }


def is_inert(text: str) -> bool:
    """Whether a page with this text, and one with this label, is built like any other."""
    made, like = Parsed(page(of(text))), Parsed(page(of("x" * len(text))))
    labelled = Parsed(page(of("x" * len(text), label=text)))
    return made.texts == [shown(text)] * 2 and made.skeleton == like.skeleton == labelled.skeleton


@settings(deadline=None)  # a busy machine is no fault
@given(st.text(st.characters(), min_size=1).filter(lambda text: text not in ("negative", "max", "predicted")))
def test_no_text_becomes_markup(text: str) -> None:
    assert is_inert(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_inert(text: str) -> None:
    assert is_inert(text)
    assert Parsed(collection([(None, of(text)), (None, failure(text, text))])).texts == [shown(text)] * 3
    page(of(text)).encode()


@needs_shared
def test_difficult_texts_are_inert() -> None:
    assert all(is_inert(row["text"]) for row in json_lines("unicode/tricky_unicode.jsonl.gz"))


@pytest.mark.parametrize("name", cases())
def test_the_text_is_all_that_stands_in_its_block(name: str) -> None:
    found = cases()[name]
    assert Parsed(page(found)).texts == list(map(shown, found.texts)) * len(outputs(found))


@pytest.mark.parametrize("name", all_pages())
def test_pages_ask_for_nothing(name: str) -> None:
    made = all_pages()[name].replace('"http://www.w3.org/2000/svg"', "")  # a name, not an address
    assert "http:" not in made
    assert "https:" not in made
    assert "url(" not in made
    assert "@import" not in made
    for attribute, value in Parsed(made).attributes:
        assert attribute not in ("src", "srcset", "style", "action")
        assert attribute != "id" or name == "collection"  # two in one notebook would clash
        assert not attribute.startswith("on")
        assert attribute != "href" or str(value).startswith("#text-")


@pytest.mark.parametrize("name", all_pages())
def test_the_policy_allows_what_is_inside_and_no_more(name: str) -> None:
    made = all_pages()[name]
    inside = re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", made, flags=re.DOTALL)
    assert len(inside) == (1 if name == "fragment" else 2), "a style, and the view's script"
    if name == "fragment":
        return
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', made)
    hashes = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in inside]
    assert re.findall(r"'sha256-([^']*)'", policy) == hashes
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert policy.endswith("; base-uri 'none'; form-action 'none'")
    assert "unsafe" not in policy


@pytest.mark.parametrize("around", BACKGROUNDS.values())
def test_surroundings_are_readable(around: Background) -> None:
    assert all(contrast(ink, around.paper) >= 4.5 for ink in (around.ink, around.quiet, around.accent))
    assert contrast(around.bar, around.paper) >= 3  # bars and borders: WCAG AA for what is not text


@pytest.mark.parametrize("name", PALETTES)
def test_colors_are_readable_in_the_dark_and_stand_out_by_strength(name: str) -> None:
    dark = PALETTES[name].on_dark
    for side in (dark.speaks_for, dark.speaks_against):
        assert all(contrast(color.ink, color.paper) >= 4.5 for color in side)
        papers = [luminance(color.paper) for color in side]
        assert papers == sorted(papers)
        assert papers[0] > luminance(BACKGROUNDS["dark"].paper)


def test_views_are_the_target_then_the_most_probable() -> None:
    labels = tuple(f"label {at}" for at in range(30))
    raw = tuple(float(at % 7) for at in range(30))
    many = replace(
        SHORT, outputs=labels, whole=raw, at_baseline=raw, without=(raw,) * len(SHORT.units), target="label 3"
    )
    views = [one.target for one in outputs(many)]
    assert len(views) == VIEWS
    assert views[:3] == ["label 3", "label 6", "label 13"]
    assert page(many).count('name="output"') == VIEWS
    assert "and 22 less probable" in page(many)


def test_without_scores_for_every_output_there_is_one_view() -> None:
    alone = replace(SHORT, without=None)
    assert outputs(alone) == [alone]
    assert 'name="output"' not in page(alone)
    assert 'name="numbers"' in page(alone)


def test_comparison_is_seen_for_other_outputs_where_every_row_can_be() -> None:
    by_unit, by_method = compared_units(), compared()
    seen = compared_outputs(by_unit)
    assert [[one.target for one in view.explanations] for view in seen] == [["positive"] * 3, ["negative"] * 3]
    assert compared_outputs(by_method) == [by_method]
    targets = (SHORT, SHORT.toward("negative"))
    by_target = Comparison(over="target", names=("positive", "negative"), explanations=targets)
    assert compared_outputs(by_target) == [by_target]
    assert [page(one).count('name="output"') for one in (by_unit, by_method, by_target)] == [2, 0, 0]


def test_comparison_says_once_what_all_rows_say() -> None:
    again = Comparison(over="method", names=("sig", "again"), explanations=(SHORT, SHORT))
    assert page(again).count("The words add up") == 2  # seen for two outputs, once for both rows
    assert page(compared()).count("The words add up") == 1  # one of three rows
    assert page(compared_units()).count('<p class="um-sentence">') == 6  # three rows, seen for two outputs


def test_comparison_says_what_every_score_and_the_ranks_are() -> None:
    made = page(compared())
    assert "Score = the word&#x27;s attribution to the log-odds of &quot;positive&quot; by &lt;turned&gt;." in made
    assert made.count("supports positive, ▼ opposes it. Strongest color =") == 2
    assert made.count("Every word scores 0.") == 1
    assert made.count("Kendall&#x27;s tau: agreement") == 1
    assert "Colors are" not in page(compared(), Theme(style="paper"))


def test_comparison_is_named_by_what_it_compares() -> None:
    assert "<title>positive · compared by unit · unmask</title>" in page(compared_units())


def test_all_zero_text_says_so_and_has_no_ramp() -> None:
    made = page(cases()["all-zero"]).partition("</style>")[2]
    assert made.count("Every word scores 0.") == 2  # seen for two outputs
    assert "um-ramp" not in made
    assert "Strongest color" not in made


@pytest.mark.parametrize("name", ["short", "against", "all-zero"])
def test_paper_key_is_said_once(name: str) -> None:
    found = cases()[name]
    made = page(found, Theme(style="paper"))
    keys = [view_explanation(seen).key("paper") for seen in outputs(found)]
    assert all(made.count(key) == keys.count(key) for key in keys)
    assert collection([(1, found)] * 3, Theme(style="paper")).count("Bold and underlined") == 1


def test_outputs_that_find_no_room_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [(1, SHORT), (2, SHORT)]
    assert collection(both).count('name="output"') == 4
    assert "too large" not in collection(both)
    monkeypatch.setattr(listing, "ROOM", 2 * 2 * (len(SHORT.units) + listing.BESIDE) - 1)
    assert 'name="output"' not in collection(both)
    assert "too large for every class: each text shows its target only" in collection(both)
    assert "too large" not in collection([(1, replace(SHORT, without=None))] * 9)  # there is nothing else to see


def test_what_the_colors_speak_for_stands_in_the_heading_where_no_switch_says_it() -> None:
    contrast = cases()["contrast"]
    assert "class: negative" not in collection([(1, contrast)])
    assert "class: negative rather than positive" in collection([(1, replace(contrast, without=None))])


def test_unit_has_its_word_and_score_in_its_name() -> None:
    assert 'aria-label="gripping +2.50, normalized +0.75"' in page(SHORT)
    assert 'aria-label="dull −1.75, normalized −0.52"' in page(SHORT)


def test_paper_style_has_no_colors() -> None:
    made = page(SHORT, Theme(style="paper")).partition("</style>")[2]
    assert 'class="um-u um-most um-right"' in made  # a comma follows
    assert 'class="um-u um-top"' in made
    assert not re.search(r"um-[fa][1-4]", made)
    assert "▲" not in made


def test_what_was_not_read_is_marked() -> None:
    assert page(cases()["unread"]).count('<span class="um-unread"> more of the same') == 2
    assert '<span class="um-unread">' not in page(cases()["spans"])


def test_collection_lists_failures_and_counts() -> None:
    made = collection([*items(), (None, failure("no <text>"))], title="<all>")
    assert "<title>&lt;all&gt; · unmask</title>" in made
    assert "8 texts: positive 4, failed 2, negative 2" in made
    assert '<a href="#text-7" dir="auto" lang="">&lt;nothing&gt;</a>' in made
    assert '<a href="#text-8" dir="auto" lang="">no &lt;text&gt;</a>' in made


def test_failed_text_stands_beside_its_error() -> None:
    endless = "x" * 5000
    made = collection([(1, failure("too long", endless)), (2, failure("cannot be read"))])
    assert '<b>Not explained:</b> too long</p>\n<p class="um-text um-unexplained" dir="auto" lang="">xxx' in made
    assert "x" * 1000 + "…</p>" in made
    assert "x" * 1001 not in made
    assert made.count("um-text um-unexplained") - made.partition("</style>")[0].count("um-text um-unexplained") == 1


@pytest.mark.parametrize(("count", "title"), [(0, "0 texts"), (1, "1 text"), (12, "12 texts")])
def test_collection_is_named_by_its_size(count: int, title: str) -> None:
    made = collection([(None, SHORT)] * count)
    assert f"<title>{title} · unmask</title>" in made
    assert f'<h1 class="um-headline">{title}</h1>' in made
