"""Hostile texts: each is explained and drawn safely, or refused with an error of ours."""

import io
import json
import math
import re
import unicodedata
from functools import cache
from html.parser import HTMLParser

import pytest
from rich.console import Console
from support import tiny
from support.hostile_texts import hostile_texts
from support.shared import json_lines, needs_shared

from unmask import Explainer, Explanation
from unmask.errors import TextError
from unmask.models.formula import FormulaModel
from unmask.render.formats import FORMATS
from unmask.render.terminal import render

TEXTS = hostile_texts()
STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@cache
def subject(name: str) -> Explainer:
    if name == "formula":
        return Explainer.from_adapter(FormulaModel.weighted_words({"good": 1.0, "film": -2.0}), max_length=64)
    return Explainer(tiny.model(name), tiny.tokenizer(name), max_length=24)


class Tags(HTMLParser):
    """The tags and attributes of a page that could do something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))


def explained(model: str, text: str) -> Explanation | None:
    """The explanation; None if the text is refused, which must be by an error of ours."""
    (attempt,) = subject(model).attempts([text])
    if isinstance(attempt, Explanation):
        return attempt
    assert isinstance(attempt.error, TextError)
    assert re.fullmatch(r"[^\n]+", str(attempt.error))
    return None


def check(text: str) -> None:
    """All that must hold of a text, whatever it is."""
    for model in ("formula", "bert", "gpt2"):
        if (found := explained(model, text)) is None:
            continue
        assert len(found.units) == len(found.scores) > 0
        assert all(map(math.isfinite, found.scores))
        assert all(text[unit.start : unit.end] == unit.text != "" for unit in found.units)
        ends = [0, *(unit.end for unit in found.units)]
        assert all(unit.start >= end for unit, end in zip(found.units, ends, strict=False))  # in order, disjoint
        record = json.dumps(found.to_dict(), allow_nan=False)
        assert Explanation.from_dict(json.loads(record)) == found
    found = explained("formula", text)
    if found is not None:
        check_drawn(found)


def check_drawn(explanation: Explanation) -> None:
    """Nothing in the text steers a terminal or a page."""
    console = Console(file=io.StringIO(), width=100, color_system=None)
    theme = FORMATS["terminal"].theme(palette=None, style=None)
    console.print(render(explanation, theme))
    printed = console.file.getvalue()  # type: ignore[attr-defined]  # it is a StringIO
    left = {character for character in printed if unicodedata.category(character) in STEERING}
    assert left <= set("\n\u200c\u200d")
    page = explanation.to_html()
    plain = subject("formula").explain("good film").to_html()
    allowed = {tag for tag, _ in Tags(plain).found} | {"br", "wbr", "s", "u", "b", "i", "em", "strong", "small", "bdi"}
    assert {tag for tag, _ in Tags(page).found} <= allowed
    assert not [name for _, names in Tags(page).found for name in names if name.startswith("on")]
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]", page)


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text(name: str) -> None:
    check(TEXTS[name])


@needs_shared
def test_texts_that_others_collected() -> None:
    rows = [row["text"] for row in json_lines("unicode/tricky_unicode.jsonl.gz")]
    rows += [row["text"] for row in json_lines("unicode/lone_surrogates.jsonl.gz")]
    assert len(rows) >= 51
    for text in rows:
        check(text)


@pytest.mark.parametrize("code", [0, *range(0xD800, 0xE000, 0x155)])
def test_what_is_no_text_is_refused_with_its_place(code: int) -> None:
    with pytest.raises(TextError, match="character 5"):
        subject("formula").explain(f"good{chr(code)} film")


def test_the_corpus_does_not_shrink() -> None:
    assert len(TEXTS) >= 350
