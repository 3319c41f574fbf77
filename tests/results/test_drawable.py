"""Explanations and comparisons draw themselves, by name and by a file's suffix."""

import sys
from pathlib import Path

import pytest
from support.explanations import cases, explanation

from unmask import Comparison, Explanation
from unmask.errors import ArgumentError
from unmask.render import figure, formats, html, paper
from unmask.render.theme import Theme

SHORT = cases()["short"]
BOTH = Comparison(over="method", names=("one", "other"), explanations=(SHORT, SHORT))
BEGINS = {
    "html": b"<!doctype html>",
    "htm": b"<!doctype html>",
    "svg": b"<svg",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "md": b"",
    "tex": b"",
    "json": b"{",
}


def test_the_methods_are_the_writers() -> None:
    assert SHORT.to_html(palette="red-green") == html.page(SHORT, Theme("red-green"))
    assert SHORT.to_svg(style="paper") == figure.svg(SHORT, Theme(style="paper"))
    assert SHORT.to_svg(mode="dark") != SHORT.to_svg()
    assert SHORT.to_pdf().startswith(BEGINS["pdf"])
    assert SHORT.to_png().startswith(BEGINS["png"])
    assert SHORT.to_markdown() == paper.markdown(SHORT)
    assert SHORT.to_latex() == paper.latex(SHORT)
    assert SHORT._repr_html_() == html.fragment(SHORT)
    assert BOTH._repr_html_() == html.fragment(BOTH)


@pytest.mark.parametrize("what", [SHORT, BOTH], ids=["explanation", "comparison"])
@pytest.mark.parametrize("suffix", BEGINS)
def test_a_files_name_tells_its_form(what: Explanation | Comparison, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{suffix}"
    what.save(path)
    content = path.read_bytes()
    assert content.lower().startswith(BEGINS[suffix].lower())
    assert content
    if suffix in ("html", "svg"):
        assert content.decode() == formats.render(SHORT, suffix, Theme()) or what is BOTH


@pytest.mark.parametrize("what", [SHORT, BOTH], ids=["explanation", "comparison"])
@pytest.mark.parametrize(
    ("suffix", "given", "message"),
    [
        ("md", {"palette": "default"}, "markdown has no colors: remove palette='default'"),
        ("tex", {"style": "shades"}, "latex supports style='paper' only: remove style='shades'"),
        ("json", {"style": "paper"}, "json contains data only"),
        ("json", {"palette": "red-green"}, "json contains data only"),
        ("html", {"mode": "dark"}, "mode='dark' does not apply to html"),
        ("svg", {"mode": "drak"}, "unknown mode 'drak'; did you mean 'dark'"),
        ("json", {"palette": "blue"}, "unknown palette 'blue'"),
    ],
)
def test_what_does_not_apply_is_refused(
    what: Explanation | Comparison, suffix: str, given: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ArgumentError, match=message):
        what.save(tmp_path / f"x.{suffix}", **given)
    assert not list(tmp_path.iterdir())


def test_what_applies_is_taken(tmp_path: Path) -> None:
    SHORT.save(tmp_path / "x.md", style="paper")
    assert (tmp_path / "x.md").read_text(encoding="utf-8") == SHORT.to_markdown()
    SHORT.save(tmp_path / "x.svg", style="paper", palette="red-green")
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == SHORT.to_svg(style="paper", palette="red-green")


@pytest.mark.parametrize("what", [SHORT, BOTH], ids=["explanation", "comparison"])
def test_unknown_forms_palettes_and_styles_are_refused(what: Explanation | Comparison, tmp_path: Path) -> None:
    with pytest.raises(
        ArgumentError, match=r"no format is known for a file that ends in '\.docx'; use \.json, \.html, \.htm"
    ):
        what.save(tmp_path / "x.docx")
    with pytest.raises(ArgumentError, match="unknown palette 'blue'"):
        what.to_html(palette="blue")
    with pytest.raises(ArgumentError, match="unknown style 'papre'; did you mean 'paper'"):
        what.to_svg(style="papre")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("what", [SHORT, BOTH], ids=["explanation", "comparison"])
def test_it_is_shown_in_the_terminal(what: Explanation | Comparison, capsys: pytest.CaptureFixture[str]) -> None:
    what.show()
    assert "gripping" in capsys.readouterr().out


def test_it_is_displayed_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    class Notebook:
        class display:  # noqa: N801  as IPython calls it
            display = staticmethod(seen.append)
            HTML = str

        @staticmethod
        def get_ipython() -> object:
            return type("Shell", (), {"kernel": object()})()

    monkeypatch.setitem(sys.modules, "IPython", Notebook)
    SHORT.show(palette="red-green")
    BOTH.show(style="paper")
    assert seen == [html.fragment(SHORT, Theme("red-green")), html.fragment(BOTH, Theme(style="paper"))]


def test_a_table_for_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    table = SHORT.to_pandas()
    assert list(table["text"]) == [unit.text for unit in SHORT.units]
    assert list(table["score"]) == list(SHORT.scores)
    assert list(table["score of negative"]) == pytest.approx([-score for score in SHORT.scores])
    assert (
        "".join(explanation("a  b").text[row.start : row.end] for row in explanation("a  b").to_pandas().itertuples())
        == "ab"
    )
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ArgumentError, match="needs pandas") as error:
        SHORT.to_pandas()
    assert error.value.hint == "pip install 'unmask[data]'"


def test_a_comparison_is_one_long_table() -> None:
    table = BOTH.to_pandas()
    assert list(table) == ["name", "text", "start", "end", "segment", "score", "normalized"]
    assert list(table["name"]) == ["one"] * len(SHORT.units) + ["other"] * len(SHORT.units)
    assert list(table["score"]) == list(SHORT.scores) * 2
    assert list(table["normalized"]) == pytest.approx(list(SHORT.normalized) * 2)
    assert list(table.index) == list(range(2 * len(SHORT.units)))


def test_in_a_notebook_a_comparison_is_a_piece_of_html() -> None:
    found = BOTH._repr_html_()
    assert found.startswith('<div class="um">\n<style>')
    assert found.count('class="um-row"') == 2 * len(SHORT.outputs)  # once for each output
    assert "<html" not in found
    assert html.fragment(BOTH, Theme("red-green", "paper")) != found
