"""Tables in Markdown, exactly, and as a parser reads them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.sample_tables import hostile, small

from unmask.render.escape import shown
from unmask.render.tables import Column, Table, TableCell, TableDocument, render

SMALL = """\
# Evaluation

Two methods.

## Agreement

| method | words: AUC | words: n |
| :--- | ---: | ---: |
| sig | **0.912** \\[0.90, 0.92\\] | 200 |
| random | -0.05 | — |

- AUC: higher is better

Bold: the best.

<small>model tiny · seed 1</small>
"""


def tokens(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def lines(token: Token) -> str:
    """What is read there; a line break is a blank."""
    return "".join(" " if one.content == "<br>" else one.content for one in token.children or ())


def of(text: str) -> TableDocument:
    return TableDocument(
        "t", {}, (Table("t", (Column("name"), Column("x")), ((TableCell(text), TableCell(text, is_best=True)),)),)
    )


def test_the_whole_document() -> None:
    assert render(small(), "markdown") == SMALL


def test_facts_and_legends_are_left_out_where_there_are_none() -> None:
    table = replace(small().tables[0], columns=(Column("a"), Column("b"), Column("c")), notes=())
    assert render(TableDocument("d", {}, (table,)), "markdown").endswith("| random | -0.05 | — |\n")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a|b", r"a\|b"),
        ("`x`", r"\`x\`"),
        ("<b>", r"\<b\>"),
        ("two\nlines", "two<br>lines"),
        ("1.5", "1.5"),
        ("+2.5%", "+2.5%"),
        ("a\\", "a\\\\"),
    ],
)
def test_cells_are_escaped(text: str, written: str) -> None:
    assert f"| {written} | **{written}** |\n" in render(of(text), "markdown")


@given(st.text(min_size=1).filter(lambda text: text.strip()))
def test_a_parser_reads_what_was_written(text: str) -> None:
    name, best = [one for one in tokens(render(of(text), "markdown")) if one.type == "inline"][-2:]
    expected = " ".join(shown(text).split())
    assert " ".join(lines(name).split()) == " ".join(lines(best).split()) == expected
    assert "strong_open" in {one.type for one in best.children or ()}


def test_hostile_text_adds_nothing() -> None:
    kinds = [one.type for one in tokens(render(hostile("</td><script>alert(1)</script>\n\n# |x|\n---"), "markdown"))]
    assert kinds == [one.type for one in tokens(render(hostile("x"), "markdown"))]
