"""Hostile texts, labels and names in every output format: no script, no raw control character, no minutes."""

import csv
import io
import json
import re
import time
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from rich.console import Console
from support.explanations import cases, failure
from support.hostile import TEXTS, steering

from unmask import Comparison, Explanation
from unmask.errors import UnmaskWarning
from unmask.render import formats
from unmask.results.metadata import MethodInfo, ModelInfo, SegmentInfo, Unit

FORMATS = ("terminal", "html", "svg", "markdown", "latex", "csv", "json", "png", "pdf")
DATA = ("csv", "json")  # hold texts as they are
SVG = "{http://www.w3.org/2000/svg}"


def hostile(text: str) -> Explanation:
    """An explanation in which all that a user or a model can name is hostile: text, labels, model, method, notes."""
    short, half = cases()["short"], (len(text) + 1) // 2
    label = f"label {text}"
    return replace(
        short,
        segments=(SegmentInfo(text, name=text),),
        units=(Unit(text[:half], 0, half),),
        scores=(1.0,),
        without=((0.0, 0.0),),
        outputs=("negative", label),
        target=label,
        model=ModelInfo(text, "sha256:0123456789abcdef"),
        method=MethodInfo(text, {text: text}),
        warnings=(text,),
        gold=text,
    )


def render(found: Explanation | Comparison, form: str) -> str | bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnmaskWarning)  # of fonts, which differ from machine to machine
        drawing = formats.render(found, form, formats.FORMATS[form].theme())
    if form != "terminal":
        return drawing  # type: ignore[no-any-return]
    printed = io.StringIO()
    Console(file=printed, width=100, color_system=None).print(drawing)
    return printed.getvalue()


@cache
def rendered(kind: str, form: str) -> str | bytes:
    return render(hostile(TEXTS[kind]), form)


class Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def faults(page: str) -> Iterator[str]:
    """What could run or load something: scripts but our own, handlers of events, addresses elsewhere."""
    for tag, attributes in Tags(page).found:
        for name, value in attributes.items():
            if name.startswith("on") or name == "srcdoc":
                yield f"{tag} {name}"
            if name in ("href", "src", "action", "data") and not str(value).startswith("#"):
                yield f"{tag} {name}={value}"
        if tag in ("iframe", "object", "embed", "base", "link", "img"):
            yield tag


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("form", FORMATS)
def test_no_text_reaches_a_reader_raw(kind: str, form: str) -> None:
    written = rendered(kind, form)
    if isinstance(written, bytes):
        assert written.startswith((b"\x89PNG", b"%PDF"))
    elif form not in DATA:
        assert steering(written) == set()


@pytest.mark.parametrize("kind", TEXTS)
def test_a_page_has_the_scripts_of_any_page(kind: str) -> None:
    page, like = str(rendered(kind, "html")), str(render(hostile("x" * len(TEXTS[kind])), "html"))
    assert list(faults(page)) == []
    assert [tag for tag, _ in Tags(page).found] == [tag for tag, _ in Tags(like).found]
    assert re.findall(r"<script.*?</script>", page, re.DOTALL) == re.findall(r"<script.*?</script>", like, re.DOTALL)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy"\s+content="([^"]*)"', page)
    assert "default-src 'none'" in policy.replace("&#39;", "'")


@pytest.mark.parametrize("kind", TEXTS)
def test_a_page_of_many_texts_has_the_scripts_of_any_page(kind: str) -> None:
    text = TEXTS[kind]
    html = formats.FORMATS["html"]
    page = html.write("collection", [(1, hostile(text)), (2, failure(text, text))], html.theme(), [{text: text}] * 2)
    assert list(faults(page)) == []
    assert steering(page) == set()


@pytest.mark.parametrize("kind", TEXTS)
def test_a_comparison_has_the_scripts_of_any_page(kind: str) -> None:
    found = hostile(TEXTS[kind])
    both = Comparison(over="method", names=(TEXTS[kind], "other"), explanations=(found, replace(found, scores=(0.5,))))
    page = str(render(both, "html"))
    assert list(faults(page)) == []
    assert steering(page) == steering(str(render(both, "terminal"))) == set()


@pytest.mark.parametrize("kind", TEXTS)
def test_a_figure_is_xml_without_scripts(kind: str) -> None:
    root = ET.fromstring(str(rendered(kind, "svg")))
    tags = {str(element.tag).removeprefix(SVG) for element in root.iter()}
    assert not tags & {"script", "foreignObject", "image", "a", "animate", "set", "style"}
    for element in root.iter():
        assert not [name for name in element.attrib if name.startswith("on")]
        assert all(value.startswith("#") for name, value in element.attrib.items() if name.endswith("href"))


@pytest.mark.parametrize("kind", TEXTS)
def test_data_holds_the_text_as_it_is(kind: str) -> None:
    text = TEXTS[kind]
    assert json.loads(str(rendered(kind, "json")))["text"] == text
    rows = list(csv.DictReader(io.StringIO(str(rendered(kind, "csv")), newline="")))
    assert len(rows) == 1  # no text can add a row


@pytest.mark.parametrize("kind", TEXTS)
def test_no_command_of_latex_comes_from_a_text(kind: str) -> None:
    written = str(rendered(kind, "latex"))
    commands = set(re.findall(r"\\([a-zA-Z]+)", written))
    assert not commands & {"input", "write", "immediate", "include", "openout", "catcode", "def", "csname"}


LONG = {
    "a word of 1 MB": "x" * 1_000_000 + " dull film",
    "5,000 NULs": "\0" * 5_000 + " dull",
    "5,000 words of NULs": "dull " + "\0 " * 5_000,
    "100,000 letters of Hebrew": "א" * 100_000 + " dull",
    "30,000 lines": "dull" + "\n" * 30_000 + "film",
    "100 words of 3,000 letters": ("x" * 3_000 + " ") * 100,
}
SECONDS = 60.0  # of this process's own time; before, 95 for the first in SVG


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("form", ["svg", "png", "terminal"])
def test_long_texts_are_shortened_and_told(kind: str, form: str) -> None:
    found = replace(hostile("x"), **of(LONG[kind]))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        started = time.process_time()
        drawing = formats.render(found, form, formats.FORMATS[form].theme())
        if form == "terminal":
            printed = io.StringIO()
            Console(file=printed, width=100).print(drawing)
            drawing = printed.getvalue()
    assert time.process_time() - started < SECONDS
    if form != "terminal":
        assert any("shortens" in str(one.message) for one in told)
        assert len(drawing) < 5_000_000
    elif kind not in ("30,000 lines", "5,000 words of NULs"):  # a terminal scrolls
        assert "more characters" in " ".join(drawing.split())


def of(text: str) -> dict[str, Any]:
    """The words of a text, as an explanation has them."""
    units = tuple(Unit(found[0], found.start(), found.end()) for found in re.finditer(r"\S+", text))[:200]
    scores = tuple(1.0 / (at + 1) for at in range(len(units)))
    return {"segments": (SegmentInfo(text),), "units": units, "scores": scores, "without": ((0.0, 0.0),) * len(units)}
