"""The report as JSON: its keys, its figures in full, and the same bytes each time."""

import json
from dataclasses import replace
from typing import Any

import pytest
from support import evaluations

from unmask.render.reports import render
from unmask.render.reports.long import as_json
from unmask.results.rows import RowFailure


def read(**fields: Any) -> Any:
    evaluation = evaluations.evaluation(12, methods=("ig", "sig"))
    cells = evaluations.cell(evaluation, dtype="float32"), evaluations.cell(model="roberta")
    return json.loads(as_json(evaluations.report(*cells, **fields)))


def test_the_keys() -> None:
    found = read()
    assert list(found) == ["schema", "kind", "plan", "protocol", "top", "unit", "reference", "facts", "cells"]
    cell = found["cells"][0]
    assert " ".join(cell) == (
        "dataset model source baseline baseline_used planned note verdict hash function unit target scale seed dtype "
        "max_length operators curve truncated warnings rows"
    )
    names = "name kind baseline done failures reason first_failure first_failure_place figures published differences"
    assert all(" ".join(row) == names for row in cell["rows"])
    figure = ["metric", "operator", "share", "mean", "low", "high", "count", "own_operator"]
    assert all(list(one) == figure for row in cell["rows"] for one in row["figures"])


def test_what_figures_depend_on_is_there() -> None:
    found = read()
    assert found["facts"] == {
        "plan": "small",
        "protocol": "corrected",
        "top": "20% of the units",
        "unit": "word",
        "function": "the model",
        "target": "predicted",
        "scale": "log_odds",
        "seed": "0",
        "dtype": "float32",
        "max_length": "the model's limit",
        "texts": "32 in 2 cells",
    }
    first, second = found["cells"]
    names = ("baseline_used", "function", "target", "scale", "seed", "dtype", "max_length")
    assert [first[name] for name in names] == ["mask", "the model", "predicted", "log_odds", 0, "float32", None]
    assert {second[name] for name in names[1:]} == {None}


def test_a_row_says_how_much_of_it_is_there() -> None:
    found = evaluations.evaluation(12, methods=("ig", "sig"), failures=(RowFailure(3, "ig", "too long", "line 5"),))
    rows = tuple(evaluations.without(row, [3, 4], "mask") if row.name == "ig" else row for row in found.rows)
    record = json.loads(as_json(evaluations.report(evaluations.cell(replace(found, rows=rows)))))
    row = record["cells"][0]["rows"][0]
    assert row["done"] == {"remove": 12, "mask": 10}
    assert (row["failures"], row["reason"], row["first_failure"]) == (1, "too long", 4)
    assert row["first_failure_place"] == "line 5"


def test_words_that_are_missing_at_random_are_a_row() -> None:
    report = evaluations.report(evaluations.cell(evaluations.with_missing_words(evaluations.evaluation(6))))
    row = json.loads(as_json(report))["cells"][0]["rows"][-1]
    assert (row["name"], row["kind"]) == ("random words", "robustness")
    found = {(one["metric"], one["share"]): one["mean"] for one in row["figures"]}
    assert found["confidence", 0.5] == 0.75
    assert found["accuracy", 0.5] is None


def test_rows_are_in_the_order_of_the_plan() -> None:
    assert [row["name"] for row in read()["cells"][0]["rows"]] == ["ig", "sig", "random", "greedy"]
    planned = read(methods=("sig", "dig", "ig"))["cells"][1]["rows"]
    assert [row["name"] for row in planned] == ["sig", "dig", "ig", "random", "greedy"]
    assert all(one["mean"] is None for row in planned for one in row["figures"])


def test_figures_have_all_their_digits() -> None:
    evaluation = evaluations.evaluation(12, methods=("ig", "sig"))
    row = read()["cells"][0]["rows"][1]
    assert row["figures"][0]["mean"] == evaluation.row("sig").values[evaluations.LOG_ODDS].mean()
    found = evaluation.summary("sig", "log_odds", "remove", evaluations.TOP)
    assert found is not None
    assert row["figures"][0]["low"] == pytest.approx(found.low)


def test_differences_from_the_reference() -> None:
    first, reference, *_ = read(reference="sig")["cells"][0]["rows"]
    assert reference["differences"] == []
    names = ["metric", "operator", "share", "mean", "low", "high", "p", "count"]
    assert [list(one) for one in first["differences"]] == [names] * 3
    expected = evaluations.evaluation(12, methods=("ig", "sig")).difference("ig", evaluations.LOG_ODDS, reference="sig")
    assert expected is not None
    assert first["differences"][0]["p"] == expected.p


def test_seconds_are_there_only_when_asked_for() -> None:
    assert "seconds" not in json.dumps(read())
    timed = read(times=True)["cells"][0]["rows"][1]["figures"]
    assert {one["metric"]: one["mean"] for one in timed}["seconds"] == pytest.approx(0.02)


@pytest.mark.slow
def test_the_same_report_gives_the_same_bytes() -> None:
    one, again = (evaluations.large(9, baselines=("mask",)) for _ in range(2))
    assert as_json(one) == as_json(again) == render(one, "json", "long")


def test_the_published_figures_are_there() -> None:
    found = read(references=evaluations.Elsewhere("paper", {"ig": (-1.0, 0.5, 0.25)}))
    assert found["cells"][0]["rows"][0]["published"] == {
        "log_odds": -1.0,
        "comprehensiveness": 0.5,
        "sufficiency": 0.25,
    }
    assert found["cells"][0]["rows"][1]["published"] is None


def test_words_that_are_missing_at_random_were_done() -> None:
    cell = evaluations.cell(evaluations.with_missing_words(evaluations.evaluation(6)))
    *_, row = json.loads(render(evaluations.report(cell), "json"))["cells"][0]["rows"]
    assert (row["name"], row["done"]) == ("random words", {"remove": 6, "mask": 0})
