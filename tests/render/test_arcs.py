"""Drawings of interactions: what is shown, where the arcs are, and that every text is escaped."""

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console
from support.interactions import cases, interactions

from unmask import Interactions
from unmask.errors import ArgumentError
from unmask.render import arcs, formats
from unmask.render.html import pairs
from unmask.render.pair_view import view_pairs
from unmask.render.theme import Theme

CASES = cases()
BEGINS = {"html": b"<!doctype html>", "svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "json": b"{", "csv": b"first,"}
HOSTILE = "<script>alert(1)</script> gripping & \"beautifully\" 'Never' \x1b[31m dull"


def printed(found: Interactions, *, width: int = 80) -> str:
    text = io.StringIO()
    Console(file=text, width=width, color_system=None, highlight=False).print(formats.printable(found, Theme()))
    return text.getvalue()


def test_the_arcs_are_the_pairs_that_interact() -> None:
    view = view_pairs(CASES["short"])
    assert [(arc.tip, arc.is_dashed, arc.number) for arc in view.arcs] == [
        ("Never + dull need each other: -4.00", True, "-4.00"),
        ("gripping + beautifully cover for each other: +3.00", False, "+3.00"),
    ]
    assert [arc.strength for arc in view.arcs] == [1.0, 0.75]
    centers = {slot.span.text: slot.center for slot in view.strip}
    assert (view.arcs[1].left, view.arcs[1].right) == (centers["gripping"], centers["beautifully"])
    assert view.arcs[1].height == 1.0  # the widest is the highest
    assert (len(view.rows), view.left) == (2, 26)
    assert "Solid: they cover" in view.key
    assert "Dashed: they need" in view.key


def test_the_strip_runs_as_the_text_does() -> None:
    latin, hebrew = view_pairs(CASES["short"]), view_pairs(CASES["hebrew"])
    assert [slot.center for slot in latin.strip] == sorted(slot.center for slot in latin.strip)
    assert [slot.center for slot in hebrew.strip] == sorted((slot.center for slot in hebrew.strip), reverse=True)
    assert [slot.span.text for slot in hebrew.strip] == ["זה", "סרט", "נהדר", ",", "ממש", "מרתק", "."]
    assert all(arc.left < arc.right for view in (latin, hebrew) for arc in view.arcs)
    assert sum(slot.columns for slot in latin.strip) == latin.columns


def test_units_that_were_not_chosen_are_a_gap() -> None:
    found = interactions("Never is it in any way dull", top=2)
    assert [slot.span.text for slot in view_pairs(found).strip] == ["Never", "…", "dull"]
    assert not view_pairs(found).is_whole
    both = [slot.span.text for slot in view_pairs(CASES["pair"]).strip]
    assert both.index("/") > both.index("gripping")
    assert both.index("/") < both.index("Never")


def test_equal_words_are_told_apart() -> None:
    found = interactions("Never dull and Never slow")
    assert [row.name for row in view_pairs(found).rows] == ["Never (dull) + Never (slow)"]


@pytest.mark.parametrize("name", CASES)
def test_the_terminal_names_the_strongest_pairs(name: str) -> None:
    found, text = CASES[name], printed(CASES[name], width=60)
    assert max(map(len, text.splitlines())) <= 60
    assert "\x1b" not in text
    view = view_pairs(found)
    for row in view.rows:
        assert row.relation in text
        assert row.number in text
    assert (view.sentence in text) if view.sentence else "Net = loss in" in text


def test_the_list_is_short_and_plain() -> None:
    assert "  gripping + beautifully  cover for each other  +3.00\n  and 26 smaller\n" in printed(CASES["short"])
    assert "  The text is one word: there are no pairs.\n" in printed(CASES["one"])
    assert "  No pair of words interacts: their losses add up.\n" in printed(CASES["additive"])


@pytest.mark.slow
@pytest.mark.parametrize("suffix", BEGINS)
@pytest.mark.parametrize("name", CASES)
def test_every_case_is_written_in_every_format(name: str, suffix: str, tmp_path: Path) -> None:
    CASES[name].save(tmp_path / f"x.{suffix}")
    assert (tmp_path / f"x.{suffix}").read_bytes().startswith(BEGINS[suffix])


def test_formats_that_do_not_apply_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"no format is known for a file that ends in '\.md'"):
        CASES["short"].save(tmp_path / "x.md")
    with pytest.raises(ArgumentError, match="unknown format 'latex'"):
        CASES["short"].to_latex()


class Tags(HTMLParser):
    """The elements of a page, its text, and inline styles, which the page's policy forbids."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.styled: list[str] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.styled += [tag for name, _ in attrs if name == "style" or name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize("style", ["shades", "paper"])
def test_every_text_in_html_is_escaped(style: str) -> None:
    for content in (pairs.page(interactions(HOSTILE), Theme(style=style)), pairs.fragment(interactions(HOSTILE))):
        found = Tags(content)
        assert "script" not in found.tags
        assert found.styled == []
        assert "<script>alert(1)</script> gripping" in found.words
        assert "\x1b" not in content
    for labels in (pairs.page(CASES["labels"]), CASES["labels"].to_svg()):
        assert "<drama>" not in labels
        assert "&lt;drama&gt;" in labels


def test_svg_is_whole_and_has_tips() -> None:
    root = ElementTree.fromstring(interactions(HOSTILE).to_svg())
    titles = ["".join(title.itertext()) for title in root.iter() if title.tag.endswith("title")]
    assert "Pairs of words: positive" in titles
    assert any("cover for each other: +3.00" in title for title in titles)
    assert CASES["short"].to_svg(mode="dark") != CASES["short"].to_svg()
    assert CASES["short"].to_svg() == CASES["short"].to_svg()


def test_html_has_one_section_per_class_and_an_arc_for_each_pair() -> None:
    page = pairs.page(CASES["short"])
    assert len(re.findall(r'<section class="um-view', page)) == 2
    assert page.count("<path class=") == 4
    assert page.count("um-dashed") - page.count(".um-dashed") == 2
    assert "um-arcs" not in pairs.page(CASES["one"]).partition("</style>")[2]
    assert pairs.page(CASES["value"]).count("<section") == 1


def test_arcs_in_html_end_at_their_words() -> None:
    view = view_pairs(CASES["hebrew"])
    ends = [float(end) for end in re.findall(r'd="M([\d.]+) ', pairs.page(CASES["hebrew"]))][: len(view.arcs)]
    assert sorted(ends) == pytest.approx(sorted(1000 * arc.left for arc in view.arcs), abs=0.1)


def test_csv_has_every_pair_and_starts_no_formula() -> None:
    found = interactions("gripping =beautifully shot", head=None)
    rows = list(csv.DictReader(io.StringIO(formats.render(found, "csv", Theme()))))
    assert len(rows) == len(found)
    assert {row["second_text"] for row in rows} | {row["first_text"] for row in rows} >= {"gripping", "'="}
    first, pair = rows[0], found.pairs[0]
    assert (int(first["first"]), float(first["net"]), first["relation"]) == (pair.first, pair.net, pair.relation)
    assert float(first["interaction of positive"]) == pair.interaction == -pair.net
    assert float(first["cost"]) == pair.cost


def test_the_figure_holds_the_list_and_the_legend() -> None:
    page = arcs.draw(view_pairs(CASES["short"]), Theme())
    texts = [text.get_text() for text in page.axes.texts]
    assert {"+3.00", "-4.00", "gripping + beautifully", "cover for each other"} <= set(texts)
    assert "positive 99.8% (all words masked: 50.0%)" in page.description
    assert "Never + dull need each other -4.00" in page.description


def test_a_notebook_gets_a_fragment() -> None:
    assert CASES["short"]._repr_html_() == pairs.fragment(CASES["short"])
    assert 'class="um-arcs"' in CASES["short"]._repr_html_()
