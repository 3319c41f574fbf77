"""From a folder of results to a report: what is shown does not depend on the disk, nor on how the folder was filled."""

import csv
import io
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import filled_stores
from support.stored import left, plan_of, report, status

from unmask.errors import ArgumentError, InputError
from unmask.experiments.plan import DatasetPlan, ModelPlan, Plan
from unmask.experiments.store import Store
from unmask.methods import IG, GradientShap
from unmask.render.reports import FORMS, layouts, render
from unmask.results.report import Report


def begun(folder: Path, plan: Plan, listed: list[Any], *, models: int = 1, **about: Any) -> Store:
    """A store in which the first pairs have begun; nothing was computed."""
    store = Store(folder)
    for pair in list(plan.pairs())[:models]:
        for base in plan.baselines:
            filled_stores.begun(store, plan, pair, filled_stores.about(pair.model, **about), listed, base)
    return store


def published(source: str) -> Plan:
    """The model of the paper for SST-2, from some source."""
    return filled_stores.plan(
        ("ig", "sig", "gradient_shap", "sig_path:steps=50", "shapley"),
        datasets=(DatasetPlan(name="sst2", source="sst2.jsonl"),),
        models=(ModelPlan(name="bert", sources={"sst2": source}),),
        baselines=("mask",),
    )


@pytest.mark.slow
@pytest.mark.parametrize("layout", layouts())
@pytest.mark.parametrize("form", FORMS)
def test_a_report_does_not_depend_on_the_order_in_which_results_came(tmp_path: Path, form: str, layout: str) -> None:
    plan = filled_stores.plan(controls=("random", "greedy", "random words"), baselines=("mask", "pad"))
    for name, backwards in (("one", False), ("other", True)):
        filled_stores.fill(tmp_path / name, plan, texts=5, backwards=backwards)
    one, other = (render(report(tmp_path / name, plan, reference="sig"), form, layout) for name in ("one", "other"))
    assert one == other
    assert "sig" in one


def test_what_figures_depend_on_comes_from_the_store(tmp_path: Path) -> None:
    plan = filled_stores.plan(max_length=64, seed=3)
    with closing(begun(tmp_path, plan, filled_stores.keys(2), baseline="eos", dtype="float16", warnings=("no mask",))):
        pass
    first, second = report(tmp_path, plan).cells
    assert (first.baseline, first.baseline_used, first.dtype, first.source) == ("auto", "eos", "float16", "some/bert")
    assert first.evaluation is not None
    assert (first.evaluation.max_length, first.evaluation.seed) == (64, 3)
    assert (second.evaluation, second.planned, second.source) == (None, 2, "some/roberta")
    made = report(tmp_path, plan).to_markdown()
    assert "films/bert: no mask" in made
    assert "roberta: not run yet" in made
    assert "bert: computed for 0 of 2 texts; 2 not run yet" in made


def test_a_mapped_folder_is_not_the_published_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "textattack/bert-base-uncased-SST-2"
    folder = tmp_path / name
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)  # a folder of that name is beside us, and must not matter
    for source, is_published in ((name, True), (str(folder), False), (f"./{name}", False)):
        plan = published(source)
        with closing(begun(tmp_path / f"run-{is_published}-{len(source)}", plan, filled_stores.keys(1))) as store:
            found = report(store.path.parent, plan)
            assert found.references is not None
            assert bool(found.references.figures(found.cells[0], "ig")) == is_published
    (unknown,) = report(_empty(tmp_path / "empty"), published(str(folder))).cells
    assert unknown.source == "bert-base-uncased-SST-2"


def test_the_papers_figures_stand_beside_the_papers_settings_alone(tmp_path: Path) -> None:
    plan = published("textattack/bert-base-uncased-SST-2")
    filled_stores.fill(tmp_path, plan, texts=3)
    table = render(report(tmp_path, plan), "csv")
    found = {line.split(",")[5]: line for line in table.splitlines() if ",remove," in line}
    assert ["-0.981" in found[name] for name in ("ig", "sig", "gradient_shap")] == [True, False, False]
    assert ",-1.19," in found["sig_path:steps=50"]
    made = render(report(tmp_path, plan), "markdown").replace("\\", "")
    assert "The paper has no figures for shapley." in made
    said = (
        "The paper uses other settings for sig (sig_path:steps=50), gradient_shap (gradient_shap:samples=5,"
        "pool=baseline_and_text), so its figures are not shown."
    )
    assert said in made


def test_steps_are_those_of_the_methods(tmp_path: Path) -> None:
    steps = {
        "ig": str(IG().steps),
        "ig:steps_per_token=10": "10 per token",
        "gradient_shap": f"{GradientShap().samples} samples",
        "sig": "",
        "sig_path": "",
        "sig_path:steps=7": "7",
    }
    plan = filled_stores.plan(tuple(steps))
    found = list(csv.DictReader(io.StringIO(report(_empty(tmp_path), plan).to_csv("steps"))))
    assert {line["method"]: line["steps"] for line in found} == steps


def test_texts_that_stand_twice_are_computed_once(tmp_path: Path) -> None:
    plan, (one, other) = filled_stores.plan(("sig",), controls=()), filled_stores.keys(2)
    with closing(begun(tmp_path, plan, [one, other, one, {"error": "no text"}, one])) as store:
        for item in filled_stores.items(plan, filled_stores.about()):
            filled_stores.put(store, item, [one, other], plan, units=6)
    found = report(tmp_path, plan, times=True)
    row = found.cells[0].row("sig")
    assert row is not None
    assert row.texts == 2
    assert found.cells[0].coverage("sig", "remove").done == 4


def test_how_far_a_run_is(tmp_path: Path) -> None:
    plan = filled_stores.plan(("sig", "ig"), controls=("random",))
    keys = filled_stores.keys(5)
    with closing(begun(tmp_path, plan, keys)) as store:
        sig, ig = filled_stores.items(plan, filled_stores.about())[:2]
        filled_stores.put(store, sig, keys[:4], plan)
        store.put({("scores", sig.digest): {keys[4]: {"error": "too long"}}})
        store.put({("scores", ig.digest): {key: {"error": "too long"} for key in (keys[1], keys[3])}})
        store.note("left", 90.0)
    first, second = status(tmp_path, plan)
    assert (first.planned, first.missing, first.is_begun) == (5 * 8, 5 * 8 - 7, True)
    assert first.failures == ("2 texts under ig, first text 2: too long", "text 5 under sig: too long")
    assert (second.name, second.is_begun, second.planned) == ("films/roberta", False, 0)
    assert left(tmp_path) == 90.0
    assert left(_empty(tmp_path / "empty")) is None


def test_a_text_that_fails_everywhere_is_one_failure(tmp_path: Path) -> None:
    plan, keys = filled_stores.plan(("sig", "ig"), controls=()), filled_stores.keys(3)
    with closing(begun(tmp_path, plan, keys)) as store:
        for item in filled_stores.items(plan, filled_stores.about())[:2]:
            store.put({("scores", item.digest): {keys[2]: {"error": "it is blank"}}})
    assert list(next(status(tmp_path, plan)).failures) == ["text 3: it is blank"]


def test_a_reference_is_a_row_of_the_plan(tmp_path: Path) -> None:
    plan = filled_stores.plan(("sig", "ig:steps=7"), controls=("random",))
    assert report(_empty(tmp_path), plan, reference="ig").reference == "ig:steps=7"
    assert report(tmp_path, plan, reference="random").reference == "random"
    for name in ("bogus", "greedy", "random words"):
        with pytest.raises(ArgumentError, match=f"unknown reference '{name}'"):
            report(tmp_path, plan, reference=name)


def test_a_run_that_has_not_begun_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the run in '.*' has not started"):
        plan_of(_empty(tmp_path))
    with pytest.raises(InputError, match="no run in"):
        plan_of(tmp_path / "nowhere")


def test_a_report_draws_itself(tmp_path: Path) -> None:
    plan = filled_stores.plan(baselines=("mask",))
    filled_stores.fill(tmp_path, plan, texts=4)
    found: Report = report(tmp_path, plan)
    assert replace(found, references=None).to_latex().count("\\begin{tabular}") == 2


def _empty(folder: Path) -> Path:
    """A store in its first moment: tables, and nothing in them."""
    Store(folder).close()
    return folder
