"""Deciding sets in every drawing: two sentences, outlined units, and the answer after each step."""

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console
from support.deciding import DECIDED, RANKED, UNDECIDED, decided_rows, with_sets
from support.explanations import cases, explanation

from unmask import Explanation
from unmask.render import paper
from unmask.render.figure import draw, svg
from unmask.render.html import collection, fragment, page
from unmask.render.terminal import FileLegend, render, render_listed
from unmask.render.theme import Theme
from unmask.render.view import view_explanation
from unmask.results.deciding_sets import DecidingSet, DecidingSets, SetStep
from unmask.results.metadata import Passes
from unmask.tasks.targets import Head

NECESSARY = 'Without "gripping" and "beautifully": negative 86.4% (no single word does this).'
SUFFICIENT = '"gripping" alone: positive 92.4%.'
OUTLINED = ": decisive together."


def printed(drawing: Any, *, color: Any = None, width: int = 100) -> str:
    file = io.StringIO()
    Console(file=file, width=width, color_system=color, force_terminal=bool(color), highlight=False).print(drawing)
    return file.getvalue()


def sentences(found: Explanation) -> list[str]:
    return view_explanation(found).decisions


def test_two_sentences_say_which_words_decide() -> None:
    assert sentences(DECIDED) == [NECESSARY, SUFFICIENT]


def test_a_set_says_whether_fewer_words_may_do() -> None:
    three = with_sets(cases()["short"], (1, 3, 4), is_smallest=True)
    four = with_sets(cases()["short"], (1, 3, 4, 5), is_smallest=True)
    early = with_sets(cases()["short"], (1, 3), is_minimal=False, stopped="budget")
    assert sentences(three)[0].endswith("(no two words do this).")
    assert sentences(four)[0].endswith("(no smaller set does this).")
    assert sentences(early)[0].endswith("negative 86.4% (search stopped early; fewer words may be enough).")


def test_equal_words_are_told_apart_and_long_sets_are_cut() -> None:
    found = with_sets(cases()["long"], tuple(range(1, 127, 14)))
    assert sentences(found)[0].startswith('Without "gripping" (#1), "gripping" (#2), ')
    assert '"gripping" (#8) and 1 more word: ' in sentences(found)[0]


def test_a_value_stands_beside_those_of_the_whole_text_and_the_baseline() -> None:
    found = with_sets(cases()["value"], (0,), (0,), question="value")
    assert sentences(found) == [
        'Without "gripping": value 3.25 → 0.75 (all words masked: 0.75).',
        '"gripping" alone: value 3.00 (whole text: 3.25; all words masked: 0.75).',
    ]
    assert view_explanation(found).outline == ": responsible for most of the change."


def test_a_text_of_one_word_says_only_what_changes_without_it() -> None:
    one = with_sets(explanation("gripping"), (0,), (0,), question="value")
    assert sentences(one) == ['Without "gripping": log-odds 2.50 → 0.00.']


def test_a_multi_label_model_is_asked_for_the_target() -> None:
    found = explanation("dull gripping film", Head(("comedy", "drama"), "sigmoid"), target="drama")
    step = SetStep(1, "drama", -1.75, 0.148)
    necessary = DecidingSet((1,), "label", (step,), "drama", 0.148, is_minimal=True)
    shown = view_explanation(replace(found, sets=DecidingSets(necessary, None, Passes(3))))
    assert shown.decisions == ['Without "gripping": drama 14.8%.']
    assert [step.number for step in shown.sets[0].steps] == ["67.9%", "14.8%"]


def test_the_steps_show_the_way() -> None:
    necessary, sufficient = view_explanation(DECIDED).sets
    assert [(step.name, step.number) for step in necessary.steps] == [
        ("Whole text", "87.0%"),
        ("gripping", "35.4%"),
        ("beautifully", "13.6%"),
    ]
    assert necessary.steps[1].sentence == 'Without "gripping": positive 35.4% (prediction: negative).'
    assert [step.number for step in sufficient.steps] == ["50.0%", "92.4%"]
    assert [step.strength for step in sufficient.steps] == pytest.approx([0.5, 1 / (1 + 2.718281828**-2.5)], abs=1e-6)


def test_the_top_units_have_the_answer_without_them() -> None:
    bars = view_explanation(DECIDED).score_bars
    assert [bar.change for bar in bars[:2]] == ["87.0% → 35.4% without it", "87.0% → 97.5% without it"]
    assert view_explanation(DECIDED.toward("negative")).effects[0] == "13.0% → 64.6%"
    assert view_explanation(cases()["contrast"]).effects[0] == "positive 87.0% → 35.4%"
    assert view_explanation(cases()["value"]).effects[0] == "3.25 → 0.75"
    assert view_explanation(replace(DECIDED, without=None)).effects == ()


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("short", "positive 87.0% (all words masked: 50.0%)"),
        ("sentences", "positive 65.7% (all sentences masked: 50.0%)"),
        ("value", "3.25 (all words masked: 0.75)"),
        ("several-labels", "drama 92.4% (all words masked: 50.0%)"),
        ("no-label", "no label (all words masked: comedy 50.0%)"),
    ],
)
def test_the_prediction_carries_its_base(name: str, base: str) -> None:
    found = view_explanation(cases()[name])
    assert f"{found.answer} ({found.base})" == base


def test_several_predicted_labels_have_a_base_each() -> None:
    found = view_explanation(replace(cases()["several-labels"], whole=(1.0, 2.5)))
    assert found.answer == "comedy 73.1%, drama 92.4%"
    assert found.base == "all words masked: comedy 50.0%, drama 50.0%"


def test_every_drawing_says_the_base_and_the_sets() -> None:
    drawn = [printed(render(DECIDED, Theme())), printed(render_listed(DECIDED, Theme())), paper.markdown(DECIDED)]
    for text in (*drawn, draw(view_explanation(DECIDED), Theme()).description):
        assert "(all words masked: 50.0%)" in text
        assert NECESSARY in text
        assert text.index(NECESSARY) < text.index(SUFFICIENT)
    for html in (page(DECIDED), fragment(DECIDED), collection([(1, DECIDED)])):
        assert "(all words masked: 50.0%)" in html
        assert "Without &quot;gripping&quot; and &quot;beautifully&quot;: negative 86.4%" in html
    assert "86.4\\%" in paper.latex(DECIDED)


def test_a_terminal_underlines_the_necessary_words() -> None:
    assert "\x1b[4;38;2;255;255;255;48;2;33;102;172mgripping▲" in printed(render(DECIDED, Theme()), color="truecolor")
    marked = printed(render(DECIDED, Theme(style="paper")), color="truecolor")
    assert "\x1b[1;3;4mgripping" in marked  # underlined is the largest score, so italic
    assert "\x1b[1;3mbeautifully" in marked


def test_the_legend_says_what_the_outline_means() -> None:
    assert f"Underlined{OUTLINED}" in printed(render(DECIDED, Theme()), color="truecolor", width=200)
    assert f"Italic{OUTLINED}" in printed(render(DECIDED, Theme(style="paper")), color="truecolor", width=200)
    assert "Underlined" not in printed(render(DECIDED, Theme()))  # no styles without color
    assert "nderlined" not in printed(render(cases()["short"], Theme()), color="truecolor")
    legend = FileLegend(Theme())
    legend.add(DECIDED)
    assert f"Underlined{OUTLINED}" in printed(legend, color="truecolor", width=200)


def test_one_word_is_decisive_by_itself() -> None:
    assert view_explanation(with_sets(cases()["short"], (1,))).outline == ": decisive."
    assert view_explanation(with_sets(cases()["short"], (), (1,))).outline == ""


def test_a_figure_boxes_the_necessary_words() -> None:
    def boxes(found: Explanation) -> int:
        return sum(patch.get_linewidth() > 0 for patch in draw(view_explanation(found), Theme()).axes.patches)

    assert boxes(DECIDED) == 2
    assert boxes(cases()["short"]) == 0
    assert 'stroke-width="1.3"' in svg(DECIDED, Theme())


def test_a_note_says_why_there_are_no_sets() -> None:
    says = "Note: the answer stays the same with every word masked."
    assert says in printed(render(UNDECIDED, Theme()))
    assert f"<small>{says}</small>" in paper.markdown(UNDECIDED)
    assert f'<p class="um-decision um-quiet">{says}</p>' in page(UNDECIDED)
    assert says not in printed(render_listed(UNDECIDED, Theme()))  # sets were not searched
    assert says not in collection([(1, UNDECIDED)])
    assert says in printed(render_listed(with_sets(UNDECIDED), Theme()))  # searched in vain


def test_rows_of_a_comparison_have_their_own_sets() -> None:
    text = printed(render(decided_rows(), Theme()))
    assert text.index("sig") < text.index(NECESSARY) < text.index("two_sided")
    assert "not requested" not in text
    assert f"sig: {NECESSARY}" in paper.markdown(decided_rows())
    assert page(decided_rows()).count('class="um-sets"') == len(DECIDED.outputs)


def test_a_method_with_a_ranking_lists_units_in_its_order() -> None:
    found = view_explanation(RANKED)
    assert found.names == ("beautifully", "gripping", "dull", "shot")
    assert found.rest == "and 6 more"
    assert "Top words, in the method's own order" in printed(render(RANKED, Theme()))
    assert "<caption>Top words, in the method&#x27;s own order</caption>" in page(RANKED)


def test_redundancy_is_a_column_and_a_remark() -> None:
    assert "<th scope=col class=um-number>redundancy</th>" in page(RANKED)
    assert "<td class=um-number>+0.38</td>" in page(RANKED)
    assert 'Most redundant: "." (+1.12).' in printed(render(RANKED, Theme()))
    assert "redundan" not in page(cases()["short"]).split("</style>")[1]


def test_a_fragment_has_no_script() -> None:
    assert "<script>" in page(DECIDED)
    assert "<script>" not in fragment(DECIDED)


def test_hostile_words_are_escaped_in_sets() -> None:
    found = with_sets(explanation("gripping <img src=x onerror=alert(1)> \x1b[31m dull"), (0, 2, 4), (0, 3))
    assert "<img" not in page(found)
    assert "\x1b" not in printed(render(found, Theme()))
    assert "\x1b" not in page(found)
