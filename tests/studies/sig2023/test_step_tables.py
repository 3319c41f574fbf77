"""Methods that differ in their steps."""

import csv
import io

from support import evaluations

from unmask.render.reports import render
from unmask.render.tables import Table
from unmask.results.report import Report
from unmask.studies.sig2023.published import PublishedFigures
from unmask.studies.sig2023.tables import step_tables

PUBLISHED = PublishedFigures(frozenset({("sst2", "bert")}))
METHODS = ("ig", "ig:steps=250", "ig:steps_per_token=10", "sig_path:steps=10")


def only(report: Report) -> Table:
    (table,) = step_tables(report)
    return table


def test_names_and_steps_stand_apart() -> None:
    cell = evaluations.cell(evaluations.evaluation(5, methods=METHODS))
    table = only(evaluations.report(cell))
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        ("ig", "50"),
        ("ig", "250"),
        ("ig", "10 per token"),
        ("sig_path", "10"),
    ]
    assert [column.title for column in table.columns] == [
        "method",
        "steps",
        "LO ↓",
        "Comp ↑",
        "Suff ↓",
        "|Delta|",
        "passes per text",
    ]
    assert table.rows[3][6].text == "48"


def test_the_paper_s_table_of_steps_stands_beside() -> None:
    cell = evaluations.cell(evaluations.evaluation(5, methods=(*METHODS, "sig")))
    table = only(evaluations.report(cell, references=PUBLISHED))
    assert [one.detail for one in table.rows[1][2:6]] == [
        "paper: -0.999",
        "paper: 0.352",
        "paper: 0.355",
        "paper: 0.055",
    ]
    assert table.rows[4][2].detail is None
    none = PublishedFigures(frozenset())
    other = only(evaluations.report(evaluations.cell(evaluations.evaluation(5, methods=METHODS)), references=none))
    assert other.rows[1][2].detail is None
    assert any("not the published models" in note for note in other.notes)


def test_seconds_only_with_times_and_nothing_where_nothing_ran() -> None:
    cell = evaluations.cell(evaluations.evaluation(5, methods=METHODS))
    assert only(evaluations.report(cell, times=True)).columns[-1].title == "seconds per text"
    empty = only(evaluations.report(evaluations.cell(), methods=METHODS))
    assert {one.text for row in empty.rows for one in row[2:]} == {"—"}
    assert "bert: not run yet: 0 of 20 texts" in empty.notes


def test_for_programs_every_row_is_a_line_of_numbers() -> None:
    cell = evaluations.cell(evaluations.evaluation(5, methods=METHODS))
    report = evaluations.report(cell, references=PUBLISHED)
    found = list(csv.DictReader(io.StringIO(render(report, "csv", "steps"))))
    assert [(one["method"], one["steps"]) for one in found] == [
        ("ig", "50"),
        ("ig:steps=250", "250"),
        ("ig:steps_per_token=10", "10 per token"),
        ("sig_path:steps=10", "10"),
    ]
    assert [found[1][f"{one} paper"] for one in ("log_odds", "absolute_delta")] == ["-0.999", "0.055"]
    assert found[3]["passes"] == "48"
    assert all(float(one["sufficiency"]) for one in found)
