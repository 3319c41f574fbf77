"""Several named segments in every output format: each text is drawn, and each unit says where it stands."""

import io
import json

import pytest
from rich.console import Console
from support.explanations import cases, explanation

from unmask import Comparison, Explanation, Request
from unmask.render import formats
from unmask.render.figure import draw
from unmask.render.formats import FORMATS, Item
from unmask.render.theme import Theme
from unmask.render.view import view_explanation

NAMES = ("question", "<context>", "note")
TEXTS = ("gripping or dull", "beautifully shot", "Never lovely")
THREE: Explanation = explanation(Request(segments=list(zip(NAMES, TEXTS, strict=True))))
TWICE = Comparison(over="method", names=("one", "other"), explanations=(THREE, THREE))
WORDS = [word for text in TEXTS for word in text.split()]


def drawn(subject: Explanation | Comparison, name: str) -> str | bytes:
    if name != "terminal":
        content: str | bytes = formats.render(subject, name, FORMATS[name].theme())
        return content
    file = io.StringIO()
    Console(file=file, width=100, highlight=False).print(formats.printable(subject, Theme()))
    return file.getvalue()


@pytest.mark.parametrize("subject", [THREE, TWICE], ids=["explanation", "comparison"])
@pytest.mark.parametrize("name", formats.names("explanation"))
def test_three_segments_are_drawn(name: str, subject: Explanation | Comparison) -> None:
    content = drawn(subject, name)
    assert content
    if isinstance(content, str):
        assert all(word in content for word in WORDS if name != "svg")
        assert "<context>" not in content or name in ("json", "terminal")


@pytest.mark.parametrize("name", formats.names("collection"))
def test_three_segments_stand_in_a_collection(name: str) -> None:
    items: list[Item] = [(1, THREE), (2, cases()["short"])]
    content = FORMATS[name].write("collection", items, FORMATS[name].theme())
    assert all((word.encode() if FORMATS[name].is_binary else word) in content for word in WORDS)


def test_units_say_in_which_segment_they_stand() -> None:
    page, printed = str(drawn(THREE, "html")), str(drawn(THREE, "terminal"))
    assert '<p class="um-place">&lt;context&gt;</p>' in page
    assert "<td>note</td>" in page
    assert all(name in printed for name in NAMES)
    labels = [text.get_text() for text in draw(view_explanation(THREE), Theme()).figure.axes[0].texts]
    assert {"question", "note"} <= set(labels)
    assert json.loads(drawn(THREE, "json"))["segments"][1]["name"] == "<context>"


def test_a_pair_is_called_first_and_second() -> None:
    view = view_explanation(explanation(Request(segments=[("premise", "gripping"), ("hypothesis", "dull")])))
    assert view.segments == ("first text", "second text")
    assert {view.place(span.segment) for span in view.top} == {"first", "second"}
