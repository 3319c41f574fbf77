"""The SVG is well formed whatever the text, asks for nothing, and carries the text and the numbers."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.explanations import cases, explanation, rows
from support.shared import json_lines, needs_shared

from unmask import Explanation
from unmask.errors import ArgumentError
from unmask.render import svg
from unmask.render.layout import spelled
from unmask.results.metadata import SegmentInfo, Unit

SVG = "{http://www.w3.org/2000/svg}"
ACTIVE = re.compile(r"<script|<style|href|url\(|@|\son\w+\s*=|foreignObject|<!", re.IGNORECASE)


def told(text: str) -> Explanation:
    """An explanation whose only unit is a text, as it is."""
    return replace(explanation("gripping"), segments=(SegmentInfo(text),), units=(Unit(text, 0, len(text)),))


def check(drawing: str) -> ET.Element:
    root = ET.fromstring(drawing)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "rect", "g", "text", "polygon"}
    for element in root.iter():
        assert not any(name.lower().startswith("on") or "href" in name for name in element.attrib)
        assert not any(ACTIVE.search(value) for value in element.attrib.values())
    return root


@given(st.text(min_size=1))
@settings(max_examples=50)
def test_any_text_is_well_formed(text: str) -> None:
    root = check(svg.drawing(told(text)))
    drawn = "".join("".join(element.itertext()) for element in root.iter(f"{SVG}text"))
    assert set(spelled(text)) - set(" \n") <= set(drawn) | {c for c in text if c.isspace()}


@needs_shared
def test_tricky_texts_are_harmless() -> None:
    for row in json_lines("unicode/tricky_unicode.jsonl.gz"):
        if row["text"]:
            check(svg.drawing(told(row["text"])))


@pytest.mark.parametrize("name", cases())
def test_the_text_is_the_text(name: str) -> None:
    found = cases()[name]
    root = check(svg.drawing(found))
    drawn = "".join("".join(element.itertext()) for element in root.iter(f"{SVG}text"))
    if not found.truncated:
        assert "".join(drawn.split()).startswith("".join(spelled(found.text).split()))


def test_every_unit_says_its_score() -> None:
    root = check(svg.drawing(cases()["short"]))
    tips = {group.findtext(f"{SVG}text"): group.findtext(f"{SVG}title") for group in root.iter(f"{SVG}g")}
    assert tips["gripping"] == "+2.500"
    assert tips["dull"] == "-1.750"


def test_it_says_what_it_is() -> None:
    root = check(svg.drawing(cases()["short"]))
    assert root.get("role") == "img"
    assert root[0].text == "word by word: what speaks for positive"
    assert "gripping +2.500" in (root[1].text or "")


def test_signs_need_no_color() -> None:
    drawing = svg.drawing(cases()["short"])
    assert drawing.count("<polygon") == 5  # gripping, beautifully, shot; Never, dull
    assert "<polygon" not in svg.drawing(cases()["short"], style="paper")


def test_the_same_drawing_each_time() -> None:
    assert svg.drawing(cases()["long"]) == svg.drawing(cases()["long"])
    assert svg.comparison(rows()) == svg.comparison(rows())


def test_a_comparison_says_what_each_row_took() -> None:
    found = rows()
    warned = replace(found.rows[2], picture=replace(found.rows[2].picture, warnings=("these are all zero",)))
    drawing = svg.comparison(replace(found, rows=(*found.rows[:2], warned)))
    check(drawing)
    for part in ("sig", "turned", "12 forward", "12.00 s", "tau +1.00", "Note on flat: these are all zero"):
        assert part in drawing


@pytest.mark.parametrize("arguments", [{"style": "shaded"}, {"colors": "reds"}, {"width": 100}])
def test_what_is_unknown_is_refused(arguments: dict[str, str]) -> None:
    with pytest.raises(ArgumentError, match=r"unknown style 'shaded'; did you mean|unknown palette|100 wide"):
        svg.drawing(cases()["short"], **arguments)  # type: ignore[arg-type]
