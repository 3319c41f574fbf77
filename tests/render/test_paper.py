"""The paper's style, against what was written by hand."""

from dataclasses import replace

import pytest
from support.explanations import cases, compared, explanation, failure

from unmask import Explanation
from unmask.render import paper
from unmask.render.formats import Item
from unmask.render.paper import latex_collection, markdown_collection
from unmask.results.metadata import SegmentInfo, Unit


def told(text: str, *units: tuple[str, float]) -> Explanation:
    """An explanation of a text with these units, found in order, and their scores."""
    found, end = [], 0
    for part, _ in units:
        start = text.index(part, end)
        end = start + len(part)
        found.append(Unit(part, start, end))
    base = explanation("gripping")
    return replace(
        base, segments=(SegmentInfo(text),), units=tuple(found), scores=tuple(score for _, score in units), without=None
    )


def markdown(explanation: Explanation) -> str:
    """The text alone, without the prediction above and what is said below it in small."""
    return paper.markdown(explanation).partition("\n\n<small>")[0].partition("\n\n")[2]


def latex(explanation: Explanation) -> str:
    return paper.latex(explanation).partition("\n\n{\\small ")[0].partition("\n\n")[2]


def test_the_most_important_unit_and_the_top_fifth() -> None:
    found = cases()["short"]  # ten units: two are marked
    assert markdown(found) == "A <u>**gripping**</u>, **beautifully** shot film. Never dull."
    assert latex(found) == "A \\underline{\\textbf{gripping}}, \\textbf{beautifully} shot film. Never dull."


def test_a_pair_is_two_paragraphs() -> None:
    assert markdown(cases()["pair"]) == "A <u>**gripping**</u> film.\n\nNever dull, **beautifully** shot."


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
        ("3.5 stars", "3.5 stars", "3.5 stars"),
        ("a\nb", "a\\\nb", "a\\newline\nb"),
        ("a\n\n\nb", "a\n\nb", "a\n\nb"),
        ("\x1b[0m", r"\\x1b\[0m", r"\textbackslash{}x1b[0m"),
    ],
)
def test_characters_that_mean_something_are_escaped(text: str, in_markdown: str, in_latex: str) -> None:
    found = told(f"{text} $!", ("$!", 1.0))
    assert markdown(found) == rf"{in_markdown} <u><b>\$\!</b></u>"
    assert latex(found) == rf"{in_latex} \underline{{\textbf{{\$!}}}}"


def test_the_prediction_stands_above_the_text() -> None:
    assert paper.markdown(cases()["short"]).startswith("Prediction: positive 87.0% (all words masked: 50.0%).\n\nA <u>")
    assert paper.latex(cases()["short"]).startswith(
        "Prediction: positive 87.0\\% (all words masked: 50.0\\%).\n\nA \\underline"
    )


def test_punctuation_is_never_marked() -> None:
    found = told("Good, fine...", ("Good", 0.5), (",", 2.0), ("fine", 1.0), ("...", 3.0))
    assert markdown(found) == "Good, <u>**fine**</u>..."
    assert latex(found) == "Good, \\underline{\\textbf{fine}}..."
    assert "the word with the largest score. Bold: the top fifth, excluding punctuation." in paper.latex(found)
    only = told("No !", ("No", -1.0), ("!", 1.0))
    assert markdown(only) == "No \\!"
    assert "Only punctuation supports positive, so nothing is marked." in paper.markdown(only)


def test_marks_stand_beside_the_letters_and_end_with_the_line() -> None:
    found = told("It is so.\nGood.", (" is so.\nGood", 1.0))
    assert markdown(found) == "It <u><b>is so.</b></u>\\\n<u>**Good**</u>."


def test_escapes_only_where_they_are_needed() -> None:
    found = told("well-made, +1 and seed=0\n- no list\n---", ("seed", 1.0))
    assert markdown(found).replace("<u>**seed**</u>", "seed") == (
        "well-made, +1 and seed=0\\\n\\- no list\\\n\\-\\-\\-"
    )


def test_what_is_underlined_can_break_in_latex() -> None:
    words = r"\underline{\textbf{It}} \underline{\textbf{is}} \underline{\textbf{100\%.}}"
    assert latex(told("It is 100%. No.", ("It is 100%.", 1.0))) == f"{words} No."
    signs = r"\underline{\textbf{很}}\allowbreak{}\underline{\textbf{好。}}\allowbreak{}\underline{\textbf{ok}}"
    assert latex(told("很好。ok", ("很好。ok", 1.0))) == signs


def test_below_stands_what_the_numbers_mean() -> None:
    assert paper.markdown(cases()["short"]).split("\n\n")[2:] == [
        "<small>The words add up: sum +1.90, together +1.90. Bold and "
        "underlined: the word with the largest score. Bold: the top fifth, excluding punctuation.</small>",
        "<small>model weighted-words 0123456789ab · target positive · scale log\\_odds · unit word · baseline mask "
        "\\[MASK\\] · method sig · passes 12 forward</small>\n",
    ]
    assert paper.latex(cases()["short"]).endswith("method sig · passes 12 forward\\par}\n")


def test_warnings_are_said() -> None:
    assert "\n\nNote: the text was truncated to 8 tokens: its last 12 characters were not read.\n\n" in paper.markdown(
        cases()["warned"]
    )
    assert r"Note: evil \textbackslash{}x1b[31m baseline." in paper.latex(cases()["warned"])


def test_several_texts_have_numbers_and_say_once_what_they_share() -> None:
    items: list[Item] = [(3, cases()["short"]), (4, failure("it is <empty>")), (9, cases()["against"])]
    found = markdown_collection(items)
    assert [line for line in found.splitlines() if line.startswith("#")] == ["### line 3", "### line 4", "### line 9"]
    assert "### line 4\n\nFailed: it is \\<empty\\>\n\n" in found
    assert found.count("model weighted-words") == 1
    assert found.count("Bold and underlined") == 1
    assert [found.count(f"target {label}") for label in ("positive", "negative")] == [1, 1]
    assert r"\paragraph{line 4}" in latex_collection(items)
    assert r"Failed: it is \textless{}empty\textgreater{}" in latex_collection(items)


def test_a_comparison_is_a_table() -> None:
    prediction, table, below = paper.markdown(compared()).split("\n\n", maxsplit=2)
    assert prediction == "Prediction: positive 87.0% (all words masked: 50.0%)."
    assert table == (
        "| method | text | Kendall's tau |\n"
        "| --- | --- | --- |\n"
        "| sig | A <u>**gripping**</u>, **beautifully** shot film. Never dull. | +1.00 |\n"
        "| \\<turned\\> | A gripping, beautifully shot **film**. Never <u>**dull**</u>. | -0.51 |\n"
        "| flat | A gripping, beautifully shot film. Never dull. | – |"
    )
    for part in ("sig: The words add up", "sig, \\<turned\\>: Bold", "Kendall's tau: agreement"):
        assert f"<small>{part}" in below
    assert paper.latex(compared()).splitlines()[6] == (
        r"sig & A \underline{\textbf{gripping}}, \textbf{beautifully} shot film. Never dull. & +1.00 \\"
    )


def test_a_comparison_says_its_warnings() -> None:
    first, second, last = compared().explanations
    warned = replace(compared(), explanations=(first, second, replace(last, warnings=("it was cut",))))
    assert "\n\nNote on flat: it was cut.\n\n" in paper.latex(warned)


def test_a_name_is_no_argument_of_the_end_of_a_row() -> None:
    named = replace(compared(), names=tuple(f"[{name}]" for name in compared().names))
    assert paper.latex(named).splitlines()[6].startswith("{}[sig] & ")
