"""What a comparison says below its rows: once where all rows say the same, else with their names."""

import io
from dataclasses import replace

import pytest
from rich.console import Console
from support.explanations import cases, compared_units, rows

from unmask import Comparison
from unmask.render.captions import TAU
from unmask.render.comparison_view import ComparisonRow, ComparisonView, view_comparison
from unmask.render.terminal import Legend
from unmask.render.theme import Theme
from unmask.render.view import view_explanation


def told(
    *, warnings: tuple[tuple[str, ...], ...] = ((), (), ()), sentences: tuple[str | None, ...] = ()
) -> ComparisonView:
    found = rows()
    said = sentences or tuple(row.view.sentence for row in found.rows)
    changed = (
        replace(row, view=replace(row.view, warnings=warned, sentence=sentence))
        for row, warned, sentence in zip(found.rows, warnings, said, strict=True)
    )
    return replace(found, rows=tuple(changed))


def test_what_all_rows_say_is_said_once() -> None:
    found = told(warnings=(("it was cut",),) * 3, sentences=("They add up.",) * 3)
    assert found.remarks == ["They add up."]
    assert found.notes == ["Note: it was cut."]


def test_what_some_rows_say_has_their_names() -> None:
    found = told(warnings=((), ("it was cut", "really?"), ("it was cut",)), sentences=("They add up.", None, None))
    assert found.remarks == ["sig: They add up."]
    assert found.notes == ["Note on <turned>, flat: it was cut.", "Note on <turned>: really?"]


def test_a_row_of_one_unit_has_no_remark() -> None:
    words, one = cases()["short"], cases()["one-word"]
    found = view_comparison(Comparison(over="unit", names=("word", "sentence"), explanations=(words, one)))
    assert found.rows[1].view.remarks == ("The text is one unit.",)
    assert words.interaction is not None
    assert found.remarks == [f"word: {words.interaction.sentence}"]


def test_the_terminal_has_at_most_four_lines_below_a_comparison() -> None:
    found = told(sentences=("They add up.", "They are mixed.", "They depend on each other."))
    written = io.StringIO()
    Console(width=300, file=written, no_color=True).print(Legend(found, Theme()))
    lines = written.getvalue().splitlines()
    assert lines == [
        "sig, <turned>: ▲ supports positive, ▼ opposes it. flat: Every word scores 0.",
        "sig: They add up.",
        "log-odds · word · mask [MASK] · weighted-words · Kendall's tau against sig",
    ]


def test_the_legend_names_rows_that_differ() -> None:
    assert rows().legend("shades") == [
        "sig, <turned>: ▲ supports positive, ▼ opposes it. flat: Every word scores 0. Colors are scaled per row.",
        TAU,
        "model weighted-words 0123456789ab · target positive · scale log_odds · unit word · baseline mask [MASK]",
    ]


def test_what_all_rows_say_stands_once() -> None:
    found = replace(rows(), rows=rows().rows[:2]).legend("shades")
    assert found[0] == "▲ supports positive, ▼ opposes it. Strongest color = 2.5."


@pytest.mark.parametrize("style", ["paper", "signs"])
def test_marks_and_signs_have_no_color(style: str) -> None:
    found = " ".join(rows().legend(style))
    assert ("Bold and underlined" in found) == (style == "paper")
    assert TAU in found
    assert "olor" not in found


def test_an_error_of_zero_is_exact() -> None:
    exact = replace(cases()["short"], standard_errors=(0.0,) * 10)
    assert ComparisonRow("shapley", view_explanation(exact), 1.0, None).errors == ["exact"]


def test_the_list_omits_scores_that_round_to_zero() -> None:
    bars = view_explanation(cases()["short"]).score_bars
    assert [bar.name for bar in bars] == ["gripping", "dull", "beautifully", "Never", "shot", "and 5 smaller"]


def test_the_table_has_a_line_per_unit_in_the_order_of_the_text() -> None:
    found, left = rows().table
    assert [one.name for one in found] == [
        *("A", "gripping", ",", "beautifully", "shot", "film", ". (Never)", "Never", "dull", "."),
    ]
    assert left == 0


def test_units_that_a_row_lacks_have_no_score_there() -> None:
    found, _ = view_comparison(compared_units()).table
    scores = {one.name: [None if span is None else span.number for span in one.scores] for one in found}
    assert scores["gripping"] == ["+2.50", None, None]
    assert scores["grip"] == [None, "-1.00", None]
    assert next(iter(scores)).startswith("A gripping, beautifully shot")  # before the words in it


def test_a_long_text_has_its_strongest_units_in_the_table() -> None:
    long = cases()["long"]
    found, left = view_comparison(Comparison(over="method", names=("a", "b"), explanations=(long, long))).table
    assert len(found) == 24
    assert left == len(long.units) - 24
    assert {one.name.partition(" ")[0] for one in found} == {"gripping", "beautifully", "dull"}
