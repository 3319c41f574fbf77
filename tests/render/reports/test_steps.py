"""Methods that differ in their steps."""

import csv
import io

from support import evaluations

from unmask.render.reports import drawn as written
from unmask.render.reports.steps import drawn
from unmask.render.tables import Table
from unmask.results.report import Report

METHODS = ("ig", "ig:steps=250", "ig:steps_per_token=10", "sig_path:steps=10")


def only(report: Report) -> Table:
    (table,) = drawn(report)
    return table


def paper(*named: str) -> tuple[float, float, float, float] | None:
    return (-0.999, 0.352, 0.355, 0.055) if named[-1] == "ig:steps=250" else None


def test_names_and_steps_stand_apart() -> None:
    cell = evaluations.cell(evaluations.evaluation(5, methods=METHODS))
    table = only(evaluations.report(cell, steps={"ig": "50"}))
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        ("ig", "50"),
        ("ig", "250"),
        ("ig", "10 a token"),
        ("sig_path", "10"),
    ]
    assert [column.title for column in table.columns] == [
        "method",
        "steps",
        "LO ↓",
        "Comp ↑",
        "Suff ↓",
        "|Delta|",
        "passes a text",
    ]
    assert table.rows[3][6].text == "48"


def test_the_paper_s_table_of_steps_stands_beside() -> None:
    cell = evaluations.cell(evaluations.evaluation(5, methods=METHODS), is_published=True)
    table = only(evaluations.report(cell, published_steps=paper))
    assert [one.detail for one in table.rows[1][2:6]] == [
        "paper: -0.999",
        "paper: 0.352",
        "paper: 0.355",
        "paper: 0.055",
    ]
    assert table.rows[0][2].detail is None
    other = only(
        evaluations.report(evaluations.cell(evaluations.evaluation(5, methods=METHODS)), published_steps=paper)
    )
    assert other.rows[1][2].detail is None
    assert any("other models" in note for note in other.notes)


def test_seconds_only_with_times_and_nothing_where_nothing_ran() -> None:
    cell = evaluations.cell(evaluations.evaluation(5, methods=METHODS))
    assert only(evaluations.report(cell, times=True)).columns[-1].title == "seconds a text"
    empty = only(evaluations.report(evaluations.cell(), methods=METHODS))
    assert {one.text for row in empty.rows for one in row[2:]} == {"—"}
    assert "bert: not run yet: 0 of 20 texts" in empty.notes


def test_for_programs_every_row_is_a_line_of_numbers() -> None:
    cell = evaluations.cell(evaluations.evaluation(5, methods=METHODS), is_published=True)
    report = evaluations.report(cell, published_steps=paper, steps={"ig": "50"})
    found = list(csv.DictReader(io.StringIO(written(report, "csv", "steps"))))
    assert [(one["method"], one["steps"]) for one in found] == [
        ("ig", "50"),
        ("ig:steps=250", "250"),
        ("ig:steps_per_token=10", "10 a token"),
        ("sig_path:steps=10", "10"),
    ]
    assert [found[1][f"{one} paper"] for one in ("log_odds", "absolute_delta")] == ["-0.999", "0.055"]
    assert found[3]["passes"] == "48"
    assert all(float(one["sufficiency"]) for one in found)
