"""What a report knows of its cells: rows in order, and how much of them was computed."""

import judged

from unmask.evaluation import Unjudged
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
    cell = judged.cell(judged.evaluation(6, failures=failures), planned=20)
    assert (cell.standing("ig").done, cell.standing("ig").failed, cell.standing("ig").missing) == (6, 2, 12)
    assert cell.standing("sig").failed == 1
    assert cell.standing("ig").reason == "it is empty"
    assert not cell.standing("ig").is_whole
    assert judged.cell(planned=3).standing("ig").missing == 3


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
