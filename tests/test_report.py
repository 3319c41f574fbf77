"""What a report knows of its cells: rows in order, and how much of them was computed."""

from dataclasses import replace
from pathlib import Path

import judged
import pytest

from unmask.errors import ArgumentError
from unmask.judged import Unjudged
from unmask.report import operators, paired


def test_rows_are_those_of_the_plan_then_those_found_then_controls() -> None:
    cells = (
        judged.cell(judged.evaluation(4, methods=("ig", "sig"))),
        judged.cell(judged.evaluation(4, methods=("dig",))),
    )
    assert list(judged.report(*cells).kinds) == ["ig", "sig", "dig", "random", "greedy"]
    planned = judged.report(*cells, methods=("sdig", "random", "sig"))
    assert list(planned.kinds.items()) == [
        ("sdig", "method"),
        ("sig", "method"),
        ("ig", "method"),
        ("dig", "method"),
        ("random", "control"),
        ("greedy", "control"),
    ]


def test_cells_of_a_dataset_and_baseline_stand_together() -> None:
    found = judged.large(2).blocks
    assert [(key, [cell.model for cell in cells]) for key, cells in found.items()][:2] == [
        (("sst2", "mask"), ["bert", "distilbert", "roberta"]),
        (("sst2", "pad"), ["bert", "distilbert", "roberta"]),
    ]


def test_a_standing_tells_failures_from_what_is_to_come() -> None:
    failures = (Unjudged(0, None, "it is empty"), Unjudged(2, "ig", "too long"), Unjudged(0, "ig", "again"))
    found = judged.evaluation(6, failures=failures)
    rows = tuple(judged.without(row, [0, 2] if row.name == "ig" else [0]) for row in found.rows)
    cell = judged.cell(replace(found, rows=rows), planned=20)
    ig = cell.standing("ig", "remove")
    assert (ig.done, ig.failed, ig.missing, ig.first, ig.is_whole) == (4, 2, 14, failures[0], False)
    assert cell.standing("sig", "remove").failed == 1
    assert cell.standing("ig").done == 4  # scored
    assert judged.cell(planned=3).standing("ig", "remove").missing == 3


def test_a_standing_is_of_one_operator() -> None:
    found = judged.evaluation(12, failures=(Unjudged(11, "ig", "too long"),))
    rows = tuple(judged.without(row, range(2, 12), "mask") if row.name == "ig" else row for row in found.rows)
    cell = judged.cell(replace(found, rows=rows))
    by = {operator: cell.standing("ig", operator) for operator in ("remove", "mask")}
    assert [(one.done, one.failed, one.missing) for one in by.values()] == [(12, 0, 0), (2, 1, 9)]


def test_auto_is_what_the_model_took() -> None:
    assert judged.cell(judged.evaluation(2), baseline="auto").baseline_used == "mask"
    assert judged.cell(baseline="auto").baseline_used == "auto"


@pytest.mark.parametrize("suffix", ["md", "tex", "html", "csv", "json"])
def test_a_report_saves_itself(tmp_path: Path, suffix: str) -> None:
    report, path = judged.small(), tmp_path / f"report.{suffix}"
    drawn = {"md": report.to_markdown, "tex": report.to_latex, "html": report.to_html, "json": report.to_json}
    report.save(path)
    assert path.read_bytes().decode() == (report.to_csv("paper") if suffix == "csv" else drawn[suffix]())
    with pytest.raises(ArgumentError, match=r"a picture goes into a file that ends in \.svg, \.png, \.pdf"):
        report.save(path, picture="curves")


def test_a_report_shows_itself(capsys: pytest.CaptureFixture[str]) -> None:
    judged.small().show("long")
    assert "sst2, bert, baseline mask" in capsys.readouterr().out
    assert "<table" in judged.small()._repr_html_()
    with pytest.raises(ArgumentError, match=r"no form is known for a file that ends in '\.doc'"):
        judged.small().save("report.doc")


def test_operators_begin_with_removal() -> None:
    assert operators([judged.cell(judged.evaluation(2, operators=("mask", "remove", "pad")))]) == [
        "remove",
        "mask",
        "pad",
    ]
    assert operators([judged.cell()]) == []


def test_the_pair_is_the_reference_and_another_method() -> None:
    assert paired(["dig", "ig", "sig"], reference="dig") == ("dig", "ig")
    assert paired(["ig", "sig"], reference="ig") == ("ig", "sig")
    assert paired(["sig_path:steps=50", "ig", "random"], reference="random") == ("sig_path:steps=50", "ig")
    assert paired(["ig", "dig"]) is None
