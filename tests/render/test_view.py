"""What a comparison says below its rows: once where all rows say the same, else with their names."""

from dataclasses import replace

from support.explanations import cases, compared_units, rows

from unmask import Comparison
from unmask.render.captions import RANKS, TAU
from unmask.render.view import ComparisonView, view_comparison


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


def test_the_legend_says_what_a_score_is_in_each_row() -> None:
    found = rows().legend("shades")
    assert found[0].startswith('sig: Score = log-odds of "positive"')
    assert found[0].endswith("(replaced by [MASK]). ▲ supports positive, ▼ opposes it. Strongest color = 2.5.")
    assert [one.partition(":")[0] for one in found[1:3]] == ["<turned>", "flat"]
    assert found[2].endswith("Every word scores 0, so nothing is colored.")
    assert found[3] == RANKS
    assert found[4].startswith("model weighted-words")


def test_what_all_rows_say_stands_once() -> None:
    found = replace(rows(), rows=rows().rows[:2]).legend("shades")
    assert found[0] == "▲ supports positive, ▼ opposes it. Strongest color = 2.5."


def test_marks_have_no_full_color() -> None:
    found = " ".join(rows().legend("paper"))
    assert "Bold and underlined" in found
    assert TAU in found
    assert "color" not in found


def test_rows_that_agree_in_all_need_no_names() -> None:
    first = rows().rows[0]
    found = ComparisonView("target", (first, replace(first, name="other"))).legend("shades")
    assert found[0] == f"{first.view.meaning} {first.view.key('shades')}"
    assert found[1] == TAU


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
