"""Units that the tokenizer does not know are drawn as such, and the legend says so."""

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console
from support.explanations import cases

from unmask import Comparison
from unmask.render import colored_spans, view
from unmask.render.figure import draw, svg
from unmask.render.html import collection, page
from unmask.render.terminal import FileLegend, render
from unmask.render.theme import Theme

SHORT = cases()["short"]
SAYS = "= unknown to the tokenizer."


@pytest.fixture(autouse=True)
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `gripping` unknown."""
    known = colored_spans.colored_units

    def units(explanation: Any) -> Any:
        return tuple(replace(span, is_unknown=span.text == "gripping") for span in known(explanation))

    monkeypatch.setattr(colored_spans, "colored_units", units)
    monkeypatch.setattr(view, "colored_units", units)
    monkeypatch.setattr("unmask.render.terminal.colored_units", units)


def printed(drawing: Any) -> str:
    file = io.StringIO()
    Console(file=file, width=160, color_system=None, highlight=False).print(drawing)
    return file.getvalue()


@pytest.mark.parametrize("style", ["shades", "paper"])
def test_in_the_terminal(style: str) -> None:
    twice = Comparison(over="method", names=("one", "two"), explanations=(SHORT, SHORT))
    for subject in (SHORT, twice):
        found = printed(render(subject, Theme(style=style)))
        assert "gripping?" in found
        assert found.count(f"? {SAYS}") == 1
    legend = FileLegend(Theme(style=style))
    legend.add(SHORT)
    assert printed(legend).count(f"? {SAYS}") == 1


def test_in_html() -> None:
    for made in (page(SHORT), collection([(1, SHORT)])):
        assert 'class="um-u um-f4 um-unknown um-right"' in made
        assert ", unknown to the tokenizer" in made
        assert SAYS in made


def test_in_figures() -> None:
    lines = draw(view.view_explanation(SHORT), Theme()).figure.axes[0].lines
    assert [line.get_linestyle() for line in lines] == [":"]
    assert "Dotted underline" not in svg(cases()["against"], Theme())


def test_known_units_need_no_word() -> None:
    assert SAYS not in printed(render(cases()["against"], Theme()))
    assert SAYS not in page(cases()["against"])
