"""The paper's style, against what was written by hand."""

from dataclasses import replace

import pytest
from drawn import cases, explanation, rows

from unmask import Explanation
from unmask.parts import Unit
from unmask.render.paper import latex, latex_rows, markdown, markdown_rows


def told(text: str, *units: tuple[str, float]) -> Explanation:
    """An explanation of a text with these units, found in order, and their scores."""
    found, end = [], 0
    for part, _ in units:
        start = text.index(part, end)
        end = start + len(part)
        found.append(Unit(part, start, end))
    base = explanation("gripping")
    return replace(base, text=text, units=tuple(found), scores=tuple(score for _, score in units), without=None)


def test_the_most_important_unit_and_the_top_fifth() -> None:
    found = cases()["short"]  # ten units: two are marked
    assert markdown(found) == "A <u>**gripping**</u>, **beautifully** shot film. Never dull.\n"
    assert latex(found) == "A \\underline{\\textbf{gripping}}, \\textbf{beautifully} shot film. Never dull.\n"


def test_a_pair_is_two_paragraphs() -> None:
    assert markdown(cases()["pair"]) == "A <u>**gripping**</u> film.\n\nNever dull, **beautifully** shot.\n"


@pytest.mark.parametrize(
    ("text", "in_markdown", "in_latex"),
    [
        ("a_b *c* [d](e)", r"a\_b \*c\* \[d\](e)", r"a\_b *c* [d](e)"),
        ("<b> & $5 100%", r"\<b\> \& \$5 100%", r"\textless{}b\textgreater{} \& \$5 100\%"),
        (
            r"\x #1 {y} ~z^2",
            r"\\x \#1 \{y\} \~z^2",
            r"\textbackslash{}x \#1 \{y\} \textasciitilde{}z\textasciicircum{}2",
        ),
        ("a -- b `c`", r"a \-\- b \`c\`", r"a -{}- b \textasciigrave{}c\textasciigrave{}"),
        ("1. naïve 中文", r"1\. naïve 中文", "1. naïve 中文"),
        ("a\nb", "a\\\nb", "a\\newline\nb"),
        ("a\n\n\nb", "a\n\nb", "a\n\nb"),
        ("\x1b[0m", r"\\x1b\[0m", r"\textbackslash{}x1b[0m"),
    ],
)
def test_characters_that_mean_something_are_escaped(text: str, in_markdown: str, in_latex: str) -> None:
    found = told(f"{text} !", ("!", 1.0))
    assert markdown(found) == rf"{in_markdown} <u><b>\!</b></u>" + "\n"
    assert latex(found) == rf"{in_latex} \underline{{\textbf{{!}}}}" + "\n"


def test_marks_stand_beside_the_letters_and_end_with_the_line() -> None:
    found = told("It is so.\nGood.", (" is so.\nGood", 1.0))
    assert markdown(found) == "It <u><b>is so.</b></u>\\\n<u>**Good**</u>.\n"


def test_a_comparison_is_a_table() -> None:
    assert markdown_rows(rows()) == (
        "| method | text |\n"
        "| --- | --- |\n"
        "| sig | A <u>**gripping**</u>, **beautifully** shot film. Never dull. |\n"
        "| \\<turned\\> | A gripping, beautifully shot film<b>.</b> Never <u>**dull**</u>. |\n"
        "| flat | A gripping, beautifully shot film. Never dull. |\n"
    )
    assert latex_rows(rows()).splitlines()[4] == (
        r"sig & A \underline{\textbf{gripping}}, \textbf{beautifully} shot film. Never dull. \\"
    )
