"""What is bold and what is marked in the tables of `evaluate`, on figures that are known."""

from dataclasses import replace

import pytest
from support import evaluations

from unmask.render.reports.full import full_tables
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
    assert "sig: 3 texts, not 4" in table.notes


@pytest.mark.parametrize(("own", "shapley"), [("sig", "+0.250"), ("ig", "+0.250°")])
def test_differences_by_an_own_operator_are_marked(own: str, shapley: str) -> None:
    """The method's own, or that of the reference: then all are."""
    found = moved(evaluations.constant(FIGURES, reference="ig"), own, "remove")
    table = next(one for one in tables(found) if one.title == "Each method minus ig")
    texts = {line[0].text: [cell.text for cell in line[1:]] for line in table.rows}
    assert texts["sig"] == ["-0.500°", "+0.125°", "-0.062°"]
    assert texts["shapley"][1] == shapley
    assert any(note.startswith("° one of the two is evaluated by its own operator") for note in table.notes)
