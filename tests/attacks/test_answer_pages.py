"""Hostile prompts, answers and names in every output format of an answer: no script, no raw control character."""

import re
import warnings
from io import StringIO

import pytest
from rich.console import Console
from support.hostile import TEXTS, steering
from support.written_answers import hostile

from unmask.errors import UnmaskWarning
from unmask.render import formats


def written(text: str, form: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnmaskWarning)  # of fonts, which differ from machine to machine
        drawing = formats.render(hostile(text), form, formats.FORMATS[form].theme())
    if form != "terminal":
        return str(drawing)
    printed = StringIO()
    Console(file=printed, width=100, color_system=None).print(drawing)
    return printed.getvalue()


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("form", ["html", "terminal", "svg", "markdown", "latex"])
def test_no_text_reaches_a_reader_raw(kind: str, form: str) -> None:
    assert steering(written(TEXTS[kind], form)) == set()


@pytest.mark.parametrize("kind", TEXTS)
def test_a_page_has_the_elements_of_any_page(kind: str) -> None:
    page, like = (written(text, "html") for text in (TEXTS[kind], "y" * len(TEXTS[kind])))
    scripts = [re.findall(r"<script>.*?</script>", one, re.DOTALL) for one in (page, like)]
    assert scripts[0] == scripts[1]
    assert page.count("<script") == like.count("<script") == 2  # ours, and its data
    assert page.count("</script") == 2
    state = page[page.index('class="um-state">') :].partition("</script")[0].partition(">")[2]
    assert not set(state) & set("<>&")
    assert state.isascii()
    markup = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"<[^>]*\son\w+\s*=|<(img|iframe|object|svg\s+onload)", re.sub(r'"[^"]*"', '""', markup))
