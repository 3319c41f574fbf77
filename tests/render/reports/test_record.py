"""The report as JSON: its keys, its figures in full, and the same bytes each time."""

import json
from typing import Any

import judged
import pytest

from unmask.render.reports import as_json, drawn


def read(**fields: Any) -> Any:
    evaluation = judged.evaluation(12, methods=("ig", "sig"))
    return json.loads(as_json(judged.report(judged.cell(evaluation), judged.cell(model="roberta"), **fields)))


def test_the_keys() -> None:
    found = read()
    assert list(found) == ["schema", "kind", "plan", "protocol", "top", "unit", "reference", "facts", "cells"]
    cell = found["cells"][0]
    assert list(cell) == ["dataset", "model", "source", "baseline", "planned", "note", "hash", "rows"]
    names = ["name", "kind", "baseline", "done", "failures", "reason", "figures", "published", "differences"]
    assert all(list(row) == names for row in cell["rows"])
    figure = ["metric", "operator", "share", "mean", "low", "high", "count", "own_operator"]
    assert all(list(one) == figure for row in cell["rows"] for one in row["figures"])


def test_rows_are_in_the_order_of_the_plan() -> None:
    assert [row["name"] for row in read()["cells"][0]["rows"]] == ["ig", "sig", "random", "greedy"]
    planned = read(methods=("sig", "dig", "ig"))["cells"][1]["rows"]
    assert [row["name"] for row in planned] == ["sig", "dig", "ig", "random", "greedy"]
    assert all(one["mean"] is None for row in planned for one in row["figures"])


def test_figures_have_all_their_digits() -> None:
    evaluation = judged.evaluation(12, methods=("ig", "sig"))
    row = read()["cells"][0]["rows"][1]
    assert row["figures"][0]["mean"] == evaluation.row("sig").values[judged.LOG_ODDS].mean()
    found = evaluation.summary("sig", "log_odds", "remove", judged.TOP)
    assert found is not None
    assert row["figures"][0]["low"] == pytest.approx(found.low)


def test_differences_from_the_reference() -> None:
    first, reference, *_ = read(reference="sig")["cells"][0]["rows"]
    assert reference["differences"] == []
    names = ["metric", "operator", "share", "mean", "low", "high", "p", "count"]
    assert [list(one) for one in first["differences"]] == [names] * 3
    expected = judged.evaluation(12, methods=("ig", "sig")).difference("ig", judged.LOG_ODDS, reference="sig")
    assert expected is not None
    assert first["differences"][0]["p"] == expected.p


def test_seconds_are_there_only_when_asked_for() -> None:
    assert "seconds" not in json.dumps(read())
    timed = read(times=True)["cells"][0]["rows"][1]["figures"]
    assert {one["metric"]: one["mean"] for one in timed}["seconds"] == pytest.approx(0.02)


def test_the_same_report_gives_the_same_bytes() -> None:
    one, again = (judged.large(9, baselines=("mask",)) for _ in range(2))
    assert as_json(one) == as_json(again) == drawn(one, "json", "long")


def test_the_published_figures_are_there() -> None:
    found = read(published=lambda *named: (-1.0, 0.5, 0.25) if named[-1] == "ig" else None)
    assert found["cells"][0]["rows"][0]["published"] == {
        "log_odds": -1.0,
        "comprehensiveness": 0.5,
        "sufficiency": 0.25,
    }
    assert found["cells"][0]["rows"][1]["published"] is None
