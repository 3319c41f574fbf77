"""What a report knows of its cells: rows in order, and how much of them was computed."""

from dataclasses import replace
from pathlib import Path

import pytest
from support import evaluations

from unmask.errors import ArgumentError
from unmask.results.report import agreement_pair, operators
from unmask.results.rows import RowFailure


def test_rows_are_those_of_the_plan_then_those_found_then_controls() -> None:
    cells = (
        evaluations.cell(evaluations.evaluation(4, methods=("ig", "sig"))),
        evaluations.cell(evaluations.evaluation(4, methods=("dig",))),
    )
    assert list(evaluations.report(*cells).kinds) == ["ig", "sig", "dig", "random", "greedy"]
    planned = evaluations.report(*cells, methods=("sdig", "random", "sig"))
    assert list(planned.kinds.items()) == [
        ("sdig", "method"),
        ("sig", "method"),
        ("ig", "method"),
        ("dig", "method"),
        ("random", "control"),
        ("greedy", "control"),
    ]


def test_cells_of_a_dataset_and_baseline_stand_together() -> None:
    found = evaluations.large(2).blocks
    assert [(key, [cell.model for cell in cells]) for key, cells in found.items()][:2] == [
        (("sst2", "mask"), ["bert", "distilbert", "roberta"]),
        (("sst2", "pad"), ["bert", "distilbert", "roberta"]),
    ]


def test_a_standing_tells_failures_from_what_is_to_come() -> None:
    failures = (RowFailure(0, None, "it is empty"), RowFailure(2, "ig", "too long"), RowFailure(0, "ig", "again"))
    found = evaluations.evaluation(6, failures=failures)
    rows = tuple(evaluations.without(row, [0, 2] if row.name == "ig" else [0]) for row in found.rows)
    cell = evaluations.cell(replace(found, rows=rows), planned=20)
    ig = cell.coverage("ig", "remove")
    assert (ig.done, ig.failed, ig.missing, ig.first, ig.is_whole) == (4, 2, 14, failures[0], False)
    assert cell.coverage("sig", "remove").failed == 1
    assert cell.coverage("ig").done == 4  # scored
    assert evaluations.cell(planned=3).coverage("ig", "remove").missing == 3


def test_a_standing_is_of_one_operator() -> None:
    found = evaluations.evaluation(12, failures=(RowFailure(11, "ig", "too long"),))
    rows = tuple(evaluations.without(row, range(2, 12), "mask") if row.name == "ig" else row for row in found.rows)
    cell = evaluations.cell(replace(found, rows=rows))
    by = {operator: cell.coverage("ig", operator) for operator in ("remove", "mask")}
    assert [(one.done, one.failed, one.missing) for one in by.values()] == [(12, 0, 0), (2, 1, 9)]


def test_auto_is_what_the_model_took() -> None:
    assert evaluations.cell(evaluations.evaluation(2), baseline="auto").baseline_used == "mask"
    assert evaluations.cell(baseline="auto").baseline_used == "auto"


@pytest.mark.parametrize("suffix", ["md", "tex", "html", "csv", "json"])
def test_a_report_saves_itself(tmp_path: Path, suffix: str) -> None:
    report, path = evaluations.small(), tmp_path / f"report.{suffix}"
    drawn = {"md": report.to_markdown, "tex": report.to_latex, "html": report.to_html, "json": report.to_json}
    report.save(path)
    assert path.read_bytes().decode() == (report.to_csv("paper") if suffix == "csv" else drawn[suffix]())
    with pytest.raises(ArgumentError, match=r"a picture file must end in \.svg, \.png, \.pdf"):
        report.save(path, picture="curves")


def test_a_report_shows_itself(capsys: pytest.CaptureFixture[str]) -> None:
    evaluations.small().show("long")
    assert "sst2, bert, baseline mask" in capsys.readouterr().out
    assert "<table" in evaluations.small()._repr_html_()
    with pytest.raises(ArgumentError, match=r"no format is known for a file that ends in '\.doc'"):
        evaluations.small().save("report.doc")


def test_operators_begin_with_removal() -> None:
    assert operators([evaluations.cell(evaluations.evaluation(2, operators=("mask", "remove", "pad")))]) == [
        "remove",
        "mask",
        "pad",
    ]
    assert operators([evaluations.cell()]) == []


def test_the_pair_is_the_reference_and_another_method() -> None:
    assert agreement_pair(["dig", "ig", "sig"], reference="dig") == ("dig", "ig")
    assert agreement_pair(["ig", "sig"], reference="ig") == ("ig", "sig")
    assert agreement_pair(["sig_path:steps=50", "ig", "random"], reference="random") == ("sig_path:steps=50", "ig")
    assert agreement_pair(["ig", "dig"]) is None
