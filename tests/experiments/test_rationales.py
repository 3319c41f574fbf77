"""People's marks in a run: the agreement that an evaluation finds, from scores that are kept."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import tiny
from support.stored import status

from unmask import Explainer, Request
from unmask.errors import ArgumentError
from unmask.experiments import runner
from unmask.experiments.examples import Example, annotations_of
from unmask.experiments.plan import DatasetPlan, Plan
from unmask.experiments.scheduler import Run, RunProgress
from unmask.experiments.store import NAME
from unmask.metrics.registry import PLAUSIBILITY, Measure

PLAN = """
methods = ["sig", "grad_x_input"]
operators = ["remove"]
controls = ["random", "greedy"]
[datasets.films]
source = "films.jsonl"
label = "label"
rationale = "annotations"
[models]
bert = "bert"
"""
TEXTS = ["the film is not bad", "a lovely film", "junk food cinema at its greasiest!", "a film"]
MARKS = [[0, 0, 0, 1, 1], [0, 1, 0], [1, 1, 0, 0, 0, 1], []]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models") / "bert"
    tiny.model("bert").float().save_pretrained(place)
    tiny.tokenizer("bert").save_pretrained(place)
    return place


@pytest.fixture(scope="module")
def explainer(bert: Path) -> Explainer:
    return Explainer.from_pretrained(bert, device="cpu")


@pytest.fixture(scope="module")
def records(explainer: Explainer) -> list[dict[str, Any]]:
    """Texts of which the model gets the first three right; the third stands twice, the second time with no label."""
    said = [explainer.explain(text) for text in TEXTS]
    labels = [one.prediction.label for one in said]
    found = [
        {"text": text, "label": label, "annotations": [{"mask": marks, "label": label}] if marks else []}
        for text, label, marks in zip(TEXTS, labels, MARKS, strict=True)
    ]
    other = next(label for label in said[0].outputs if label != labels[0])
    wrong = {"text": TEXTS[0], "label": other, "annotations": [{"mask": MARKS[0], "label": other}]}
    return [*found, wrong, {**found[2], "label": None}]


@pytest.fixture
def plan(bert: Path, records: list[dict[str, Any]], tmp_path: Path) -> Plan:
    write(tmp_path, records)
    (tmp_path / "plan.toml").write_text(PLAN)
    return Plan.load(tmp_path / "plan.toml").mapped({"bert": str(bert)})


def write(folder: Path, records: list[dict[str, Any]]) -> None:
    (folder / "films.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))


@pytest.mark.parametrize("protocol", ["corrected", "paper"])
def test_a_run_finds_the_agreement_that_an_evaluation_finds(
    plan: Plan, records: list[dict[str, Any]], explainer: Explainer, tmp_path: Path, protocol: str
) -> None:
    plan = replace(plan, operators=() if protocol == "paper" else ("remove",)).under(protocol)
    Run(tmp_path / "run", plan, device="cpu").go()
    (cell,) = Run(tmp_path / "run", plan).report().cells
    settings: dict[str, Any] = {} if protocol == "paper" else {"operators": "remove"}
    methods = ["sig", "grad_x_input"]
    examples = [Example(Request(one["text"]), one["label"], annotations_of(one["annotations"])) for one in records]
    expected = explainer.evaluate(examples, methods=methods, protocol=protocol, **settings)
    assert cell.evaluation is not None
    assert cell.evaluation.rationale_length == expected.rationale_length == 3  # "greasiest!" is two units
    for row in ("sig", "grad_x_input", "random"):
        for measure in map(Measure, PLAUSIBILITY):
            ours, theirs = cell.evaluation.row(row).values[measure], expected.row(row).values[measure]
            assert ours.shape == theirs.shape
            assert ours == pytest.approx(theirs, abs=1e-6, nan_ok=True), (row, measure)
    summary = cell.evaluation.summary("sig", "auprc")
    assert summary is not None
    assert summary.count > 1  # under `paper` it is another function, which says other things
    (note,) = (one for one in cell.evaluation.warnings if "rationale" in one)
    assert note == "1 text with a rationale has no gold label; agreement is not computed for it"


def test_other_marks_cost_no_scores(plan: Plan, records: list[dict[str, Any]], tmp_path: Path) -> None:
    Run(tmp_path / "run", plan, device="cpu").go()
    before = kept(tmp_path / "run")
    changed = [{**records[0], "annotations": [[1, 1, 1, 1, 0]]}, *records[1:]]
    write(tmp_path, changed)
    done: list[RunProgress] = []
    Run(tmp_path / "run", plan, device="cpu").go(progress=done.append)
    assert [one.what for one in done] == ["films/bert people's marks (auto)"]
    assert [now - then for now, then in zip(kept(tmp_path / "run"), before, strict=True)] == [0, 1]


def kept(folder: Path) -> list[int]:
    """How many scores and judgments there are."""
    with closing(sqlite3.connect(folder / NAME)) as database:
        tables = ("scores", "judgments")
        return [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]


def test_marks_that_do_not_fit_fail_alone(plan: Plan, records: list[dict[str, Any]], tmp_path: Path) -> None:
    write(tmp_path, [{**records[0], "annotations": [[1, 0]]}, {**records[1], "annotations": "all"}, records[2]])
    run = Run(tmp_path / "run", plan, device="cpu")
    run.go()
    (cell,) = run.report().cells
    assert cell.evaluation is not None
    found = {one.example: (one.row, one.name, one.reason) for one in cell.evaluation.failures}
    assert found[0][:2] == ("people's marks", "line 1")
    assert "a rationale has 2 marks, but the text has 5 words" in found[0][2]
    assert found[1][:2] == (None, "line 2")  # which has no marks at all
    assert cell.coverage("sig", "remove").done == 2
    (progressed,) = status(tmp_path / "run", plan)
    assert progressed.missing == 0
    first, _ = map(str, progressed.failures)
    assert first.startswith("line 1 under people's marks: a rationale has")


def test_labels_that_the_model_does_not_know_are_told(
    plan: Plan, records: list[dict[str, Any]], tmp_path: Path
) -> None:
    write(tmp_path, [{**one, "label": "bogus"} for one in records[:2]])
    run = Run(tmp_path / "run", plan, device="cpu")
    run.go()
    (cell,) = run.report().cells
    assert cell.evaluation is not None
    assert any(
        "2 texts with rationales have a gold label that the model does not have" in one
        for one in cell.evaluation.warnings
    )
    assert cell.evaluation.rationale_length is None
    assert "agreement with rationales" not in run.report().to_markdown()


def test_a_run_that_is_cut_off_goes_on_to_the_same_agreement(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "TEXTS", 2)
    Run(tmp_path / "whole", plan, device="cpu").go()
    cuts = 0

    def cut(_: RunProgress) -> None:
        raise KeyboardInterrupt

    for _ in range(50):
        try:
            Run(tmp_path / "run", plan, device="cpu").go(progress=cut)
            break
        except KeyboardInterrupt:
            cuts += 1
    assert cuts == 7  # chunks of two texts, of cheap methods and of controls
    reports = [Run(tmp_path / name, plan).report() for name in ("whole", "run")]
    for drawn in (lambda one: one.to_json(), lambda one: one.to_markdown(), lambda one: one.to_csv("long")):
        whole, resumed = map(drawn, reports)
        assert whole == resumed
        assert "auprc" in whole or "AUPRC" in whole


def test_the_table_of_people(plan: Plan, tmp_path: Path) -> None:
    run = Run(tmp_path / "run", replace(plan, rationale_length=1), device="cpu")
    run.go()
    found = run.report().to_markdown()
    table = found.split("agreement with rationales")[1]
    assert "| method | bert: AUPRC ↑ | bert: token F1 ↑ | bert: IOU F1 ↑ |" in table
    assert table.count("| sig |") == table.count("| random |") == 1
    assert "greedy" not in table
    assert "bert: 3 texts on which annotators agree and the model is right; chosen for F1: 1 unit\n" in table
    assert Plan.from_dict(run.plan.to_dict()) == run.plan


def test_marks_without_labels_are_refused() -> None:
    with pytest.raises(ArgumentError, match="needs label: agreement is computed only if the prediction is right"):
        DatasetPlan(name="films", source="films.jsonl", rationale="marks")
