"""What is bold and what is marked in the tables of `evaluate`, on figures that are known."""

import json
from dataclasses import replace

import pytest
from support import evaluations

from unmask.render.reports import render
from unmask.render.reports.full import full_tables, summary_tables
from unmask.render.tables import Table
from unmask.results.evaluation import Evaluation
from unmask.results.report import Report

FIGURES = {
    "ig": (-1.0, 0.25, 0.125),
    "shapley": (-1.25, 0.5, 0.25),
    "sig": (-1.5, 0.375, 0.0625),
    "random": (-9.0, 0.9, 0.03125),
    "greedy": (-9.5, 0.95, 0.01),
}


def tables(found: Evaluation) -> list[Table]:
    return list(full_tables(Report.of(found)))


def bold(table: Table) -> list[tuple[str, int]]:
    """Row and column of each bold cell."""
    return [(line[0].text, at) for line in table.rows for at, cell in enumerate(line) if cell.is_best]


def moved(found: Evaluation, name: str, baseline: str) -> Evaluation:
    rows = [replace(row, baseline=baseline) if row.name == name else row for row in found.rows]
    return replace(found, rows=tuple(rows))


def test_the_best_method_of_a_column_is_bold_and_no_control_is() -> None:
    found = evaluations.constant(FIGURES)
    assert bold(tables(found)[0]) == [("shapley", 2), ("sig", 1), ("sig", 3)]


def test_what_is_judged_by_its_own_operator_is_marked_and_never_bold() -> None:
    table = tables(moved(evaluations.constant(FIGURES), "sig", "remove"))[0]
    assert bold(table) == [("ig", 3), ("shapley", 1), ("shapley", 2)]
    marked = [line[0].text for line in table.rows if any(cell.text.endswith("°") for cell in line)]
    assert marked == ["sig"]
    assert any(note.startswith("° evaluated by its own operator") for note in table.notes)


def test_a_mean_over_fewer_texts_is_not_bold() -> None:
    found = evaluations.constant(FIGURES)
    rows = [evaluations.without(row, [0]) if row.name == "sig" else row for row in found.rows]
    table = tables(replace(found, rows=tuple(rows)))[0]
    assert bold(table) == [("ig", 3), ("shapley", 1), ("shapley", 2)]
    assert "sig: 3 of 4 texts" in table.notes


@pytest.mark.parametrize(("own", "shapley"), [("sig", "+0.250"), ("ig", "+0.250°")])
def test_differences_by_an_own_operator_are_marked(own: str, shapley: str) -> None:
    """The method's own, or that of the reference: then all are."""
    found = moved(evaluations.constant(FIGURES, reference="ig"), own, "remove")
    table = next(one for one in tables(found) if one.title == "Each method minus ig")
    texts = {line[0].text: [cell.text for cell in line[1:]] for line in table.rows}
    assert texts["sig"] == ["-0.500°", "+0.125°", "-0.062°"]
    assert texts["shapley"][1] == shapley
    assert any(
        note.startswith("° the metric deletes units in the same way as one of the two methods") for note in table.notes
    )


def test_the_summary_is_the_headline_operator_at_the_top_share() -> None:
    found = evaluations.evaluation(20, operators=("mask", "remove"))
    (table,) = summary_tables(Report.of(found))
    assert table.title == "Units are removed" == tables(found)[0].title
    assert [column.title for column in table.columns] == ["method", "log-odds ↓", "compr. ↑", "suff. ↓", "seconds"]
    _, differences = summary_tables(Report.of(replace(found, reference="sig")))
    assert {column.group for column in differences.columns[1:]} == {"remove"}


@pytest.mark.parametrize("form", ["html", "markdown", "latex"])
def test_the_verdict_is_above_the_tables(form: str) -> None:
    found = evaluations.evaluation(20, methods=("ig", "sig"))
    text = render(found, form).replace("\\%", "%")
    start = found.verdict.partition(" (")[0].replace("leads: ", "")[-40:]
    assert 0 < text.index(start) < text.index("Units are removed")


def test_the_report_of_a_plan_has_a_verdict_on_every_cell() -> None:
    found = evaluations.evaluation(20, methods=("ig", "sig"))
    report = evaluations.report(evaluations.cell(found), evaluations.cell(model="roberta"))
    assert f"\n\nsst2, bert, baseline mask: {found.verdict}\n" in render(report, "markdown", "summary").replace(
        "\\", ""
    )
    records = json.loads(report.to_json())["cells"]
    assert [record["verdict"] for record in records] == [found.verdict, None]


@pytest.mark.parametrize(("operator", "words"), [("remove", "so it is not ranked"), ("paper", "which favors it")])
def test_the_mark_says_whether_such_figures_are_ranked(operator: str, words: str) -> None:
    found = evaluations.evaluation(20, methods=("ig", "leave_one_out"), operators=(operator,))
    note = f"° evaluated by its own operator: metric and method perturb alike, {words}"
    assert note in tables(found)[0].notes
