"""Figures of explanations: every unit is there, in its color and its place; any text is safe."""

import io
import re
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch
from numpy.typing import NDArray
from support.explanations import cases, compared, cut, explanation, rows
from support.shared import json_lines, needs_shared

from unmask import Explanation
from unmask.errors import UnmaskWarning
from unmask.render.comparison_view import view
from unmask.render.escape import shown
from unmask.render.figure import draw, pdf, png, svg
from unmask.render.page import Page
from unmask.render.theme import PALETTES, Theme
from unmask.render.view import view_explanation
from unmask.results.metadata import SegmentInfo, Unit

SVG = "{http://www.w3.org/2000/svg}"
PRIVATE = "\ue123"
TEXTS = {
    "latin": "A grip|ping|, beauti|fully shot film|. Never dull|." * 9,
    "hebrew": "סרט מרתק ומצולם להפליא|, אף פעם לא משעמם|." * 4,
    "arabic": "هذا الفيلم رائع جدا|، والتمثيل ممتاز في كل مشهد من مشاهد (2024) الفيلم|." * 3,
    "mixed": "הסרט Inception|, מ 2010|, היה (ממש) great fun|! with a twist בסוף|." * 3,
}


def told(text: str) -> Explanation:
    """An explanation whose only unit is a text, as it is."""
    return replace(explanation("gripping"), segments=(SegmentInfo(text),), units=(Unit(text, 0, len(text)),))


def boxes(drawing: Page) -> list[FancyBboxPatch]:
    """Those of units, in the order in which they are drawn."""
    patches = drawing.figure.axes[0].patches
    return [patch for patch in patches if isinstance(patch, FancyBboxPatch) and patch.get_gid() in drawing.tips]


def unit_texts(drawing: Page) -> list[str]:
    return [text.get_text() for text in drawing.figure.axes[0].texts if text.get_gid() in drawing.tips]


def parsed(content: str) -> ET.Element:
    root = ET.fromstring(content)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "g", "path", "use", "defs", "clipPath", "rect"}
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert name not in ("style", "class")
            assert "href" not in name or re.fullmatch(r"#[\w-]+", value)
    return root


def pixels(content: bytes) -> NDArray[np.uint8]:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


@pytest.mark.parametrize("name", cases())
def test_every_unit_is_there_in_order(name: str) -> None:
    found = draw(view(cases()[name]), Theme())
    drawn = "".join("".join(unit_texts(found)).split())
    assert drawn == "".join("".join(shown(unit.text) for unit in cases()[name].units).split())


def test_colors_are_those_of_the_levels() -> None:
    shown_view = view_explanation(cases()["short"])
    for theme in (Theme(), Theme("red-green"), Theme(mode="dark")):
        found = draw(shown_view, theme)
        levels = [span.level for spans in shown_view.texts for span in spans if span.level]
        assert [to_hex(box.get_facecolor()) for box in boxes(found)] == [
            theme.colors.color(level).paper for level in levels
        ]
        assert to_hex(found.figure.get_facecolor()) == theme.background.paper
    assert boxes(draw(shown_view, Theme(style="paper"))) == []


@pytest.mark.parametrize("name", ["short", "long"])  # the second is predicted with 100.0%
def test_nothing_is_cut_where_there_is_room(name: str) -> None:
    drawing = draw(view(cases()[name]), Theme())
    assert not [text.get_text() for text in drawing.figure.axes[0].texts if "…" in text.get_text()]


@pytest.mark.parametrize("name", TEXTS)
def test_boxes_do_not_overlap_and_lie_inside(name: str) -> None:
    found = draw(view(cut(TEXTS[name], "word")), Theme())
    width, height = found.figure.get_size_inches() * 100
    by_line: dict[float, list[FancyBboxPatch]] = {}
    for box in boxes(found):
        assert 0 <= box.get_x() <= box.get_x() + box.get_width() <= width
        assert 0 <= box.get_y() <= box.get_y() + box.get_height() <= height
        by_line.setdefault(box.get_y(), []).append(box)
    assert len(by_line) > 1
    for line in by_line.values():
        for left, right in pairwise(sorted(line, key=FancyBboxPatch.get_x)):
            assert left.get_x() + left.get_width() <= right.get_x() + 1e-6


def test_right_to_left_lines_begin_at_the_right() -> None:
    found = draw(view(cut("שלום עולם", "word")), Theme())
    second, first = boxes(found)
    assert unit_texts(found) == ["\u200fעולם", "\u200fשלום"]  # from left to right
    assert second.get_x() < first.get_x()
    assert first.get_x() + first.get_width() == pytest.approx(760 - 28)


def test_the_rows_of_a_comparison_align() -> None:
    found = draw(rows(), Theme())
    places: dict[str, set[float]] = {}
    for text in found.figure.axes[0].texts:
        if text.get_gid() in found.tips:
            places.setdefault(text.get_text(), set()).add(round(text.get_position()[0], 3))
    assert {len(places[word]) for word in ("gripping", "beautifully", "dull")} == {1}


def test_the_svg_says_what_it_is_and_every_unit_its_score() -> None:
    root = parsed(svg(cases()["short"], Theme()))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "word by word: what supports positive"
    assert "gripping +2.50" in (root.findtext(f"{SVG}desc") or "")
    tips = [title.text for title in root.iter(f"{SVG}title")]
    assert {"gripping +2.50", "dull -1.75"} <= set(tips)
    assert "sig: 12 forward, 0.03 s" in (parsed(svg(compared(), Theme())).findtext(f"{SVG}desc") or "")


@given(st.text(min_size=1))
@settings(max_examples=25, deadline=None)
def test_any_text_is_well_formed(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnmaskWarning)  # of what the fonts here lack
        parsed(svg(told(text), Theme()))


@pytest.mark.parametrize("text", ["$x^2$ and $5", r"\frac{1}{2} $\alpha", "a\x00b\x1b[31m", "\ud800 lone", "\uffff"])
def test_nothing_is_a_formula_or_a_command(text: str) -> None:
    found = draw(view(told(text)), Theme())
    assert unit_texts(found) == [shown(text)]
    assert not any(text.get_parse_math() or text.get_usetex() for text in found.figure.axes[0].texts)
    for write in (png, pdf, svg):
        assert write(told(text), Theme())


@needs_shared
def test_tricky_texts_are_drawn_without_warnings() -> None:
    text = "\n".join(row["text"] for row in json_lines("unicode/tricky_unicode.jsonl.gz"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnmaskWarning)  # of what the fonts here lack
        assert png(told(text), Theme())
        parsed(svg(told(text), Theme()))


@pytest.mark.parametrize("name", ["default", "red-green"])
def test_a_png_has_the_strongest_colors(name: str) -> None:
    found = pixels(png(cases()["short"], Theme(name)))
    assert found.shape[1] == 1520
    for level in (4, -3):
        paper = PALETTES[name].color(level).paper
        assert (found == [int(paper[at : at + 2], 16) for at in (1, 3, 5)]).all(axis=-1).any()


def test_a_missing_glyph_is_a_box_and_a_warning() -> None:
    with pytest.warns(UnmaskWarning, match=r"^no installed font has U\+E123: the figure shows boxes$"):
        found = draw(view(told(f"a{PRIVATE}")), Theme())
    assert unit_texts(found) == ["a□"]
    assert any("Note: no installed font has" in text.get_text() for text in found.figure.axes[0].texts)


@pytest.mark.parametrize(("characters", "package"), [("\U00030000", "fonts-noto-cjk"), ("\U0001fae8", "fonts-symbola")])
def test_the_warning_names_the_font_to_install(characters: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.render.fonts.installed_fonts", list)
    with pytest.warns(UnmaskWarning, match=f"shows boxes; install {package}$"):
        draw(view(told(characters)), Theme())


def test_many_missing_glyphs_are_counted() -> None:
    private = "".join(map(chr, range(0xE100, 0xE10A)))
    with pytest.warns(UnmaskWarning, match=r"has U\+E100, .*, U\+E107, and 2 more: the figure"):
        draw(view(told(private)), Theme())


def test_the_same_bytes_each_time_and_settings_as_found() -> None:
    before = dict(matplotlib.rcParams)
    with ThreadPoolExecutor(4) as threads:
        for write in (svg, png, pdf):
            assert len(set(threads.map(lambda _, write=write: write(cases()["pair"], Theme()), range(4)))) == 1
    assert dict(matplotlib.rcParams) == before


@pytest.mark.slow
def test_neither_pyplot_nor_a_display_is_needed() -> None:
    script = (
        "import sys; sys.path.insert(0, 'tests'); from support.explanations import cases; "
        "found = cases()['short']; assert 'matplotlib' not in sys.modules; "
        "found.to_png(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
