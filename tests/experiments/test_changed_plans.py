"""A plan that changed in a folder that was used before: the numbers are those of a folder of its own."""

import gc
import json
import shutil
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from support import tiny
from support.stored import plan_of, status
from transformers import BertForSequenceClassification

from unmask.experiments import Plan, Run
from unmask.experiments.plan import ModelPlan
from unmask.experiments.reporting import pair_results
from unmask.experiments.store import Store
from unmask.metrics.registry import Measure
from unmask.results.rows import WORDS

LABELS = 3  # of the tiny models
ROWS: list[dict[str, Any]] = [
    {"text": "the film is not bad", "label": 2, "marks": [0, 0, 0, 1, 1]},
    {"text": "a lovely film", "label": 0, "marks": [0, 1, 0]},
    {"text": "junk food cinema at its greasiest!", "label": 1, "marks": [1, 1, 0, 0, 0, 1]},
]
PLAN = Plan.from_dict(
    {
        "name": "tried",
        "methods": {"corrected": ["sig", "gradient_shap:samples=2"], "paper": ["sig", "gradient_shap:samples=2"]},
        "baselines": ["mask"],
        "operators": ["remove"],
        "controls": ["random"],
        "datasets": {"films": {"source": "films.jsonl"}},
        "models": {"bert": {"films": "bert"}},
    }
)
CHANGES: dict[str, Any] = {
    "baselines": ("pad",),
    "controls": ("greedy", "random words"),
    "curve": (0.3,),
    "dtype": "float64",
    "max_length": 5,
    "methods": {"corrected": ("sig", "gradient_shap:samples=3")},
    "operators": ("mask",),
    "protocol": "paper",
    "rationale_length": 1,
    "scale": "logit",
    "seed": 1,
    "target": 0,
    "top": 0.5,
    "unit": "token",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("changed")
    model = tiny.model("bert").float()
    model.save_pretrained(made / "bert")
    tiny.tokenizer("bert").save_pretrained(made / "bert")
    (made / "films.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return made


def there(place: Path, plan: Plan = PLAN, **dataset: Any) -> Plan:
    """The plan with its file and its model."""
    (films,) = plan.datasets
    (bert,) = plan.models
    films = replace(films, source=str(place / "films.jsonl"), **dataset)
    return replace(plan, datasets=(films,), models=(replace(bert, sources={"films": str(place / "bert")}),))


def found(folder: Path, plan: Plan) -> Any:
    """All that a run says, but for the time it took."""
    store = Store(folder, reading=True)
    try:
        (pair,) = plan.pairs()
        (baseline,) = plan.baselines
        one = pair_results(store, plan, pair, baseline)
    finally:
        store.close()
    assert one is not None
    assert one.missing == 0
    record = one.evaluation.to_dict()
    for row in record["rows"]:
        row.pop("seconds")
    return record, one.scores


def test_every_setting_of_a_plan_is_tried() -> None:
    others = {"name", "datasets", "models", "protocol_settings", "max_units"}  # of the last two below
    assert {field.name for field in fields(Plan)} - others == set(CHANGES)


@pytest.mark.slow
@pytest.mark.parametrize("setting", CHANGES)
def test_a_setting_that_changed_is_as_in_a_folder_of_its_own(setting: str, place: Path, tmp_path: Path) -> None:
    marked: dict[str, Any] = {"label": "label", "rationale": "marks"}
    before = there(place, **marked)
    Run(tmp_path / "used", before, device="cpu").go()
    after = there(place, replace(PLAN, **{setting: CHANGES[setting]}), **marked)
    for folder in ("used", "fresh"):
        Run(tmp_path / folder, after, device="cpu").go()
    assert found(tmp_path / "used", after) == found(tmp_path / "fresh", after)
    assert found(tmp_path / "used", before) != found(tmp_path / "used", after)
    said: list[Any] = []
    Run(tmp_path / "used", before, device="cpu").go(progress=said.append)  # and what was there is there
    assert not said


def test_a_method_leaves_out_what_is_too_long_for_it(place: Path, tmp_path: Path) -> None:
    plan = there(place, replace(PLAN, max_units={"gradient_shap": 5}))
    run = Run(tmp_path, plan, device="cpu")
    run.go()
    (cell,) = run.report().cells
    assert cell.lengths == (5, 3, 7)
    standing = cell.coverage("gradient_shap:samples=2", "remove")
    assert (standing.done, standing.long, standing.missing, standing.failed) == (2, 1, 0, 0)
    assert cell.coverage("sig", "remove").done == 3
    assert "samples=2 computed for 2 of 3 texts; 1 exceeds the limit of 5 units" in run.report().to_markdown()
    (progressed,) = status(tmp_path, plan)
    assert (progressed.planned, progressed.missing) == (3 + 3 + 2 + 2 + 3, 0)  # scores and judgments of both, random
    all_of_it, fewer = (next(Run(tmp_path, one, device="cpu").estimate()) for one in (there(place), plan))
    samples, ends, whole, counts = 2, 2, 1, 2  # of 7 units 1 is taken or 4; the rest without these, and these alone
    assert all_of_it.passes - fewer.passes == samples + ends + whole + 2 * counts


def test_what_is_too_long_now_is_left_out_though_it_is_there(place: Path, tmp_path: Path) -> None:
    exact = replace(PLAN, dtype="float64")  # the batches differ, and with them the last bits
    before, after = there(place, exact), there(place, replace(exact, max_units={"gradient_shap": 4}))
    Run(tmp_path / "used", before, device="cpu").go()
    for folder in ("used", "fresh"):
        Run(tmp_path / folder, after, device="cpu").go()
    (used,), (fresh,) = (Run(tmp_path / folder, after).report().cells for folder in ("used", "fresh"))
    row = "gradient_shap:samples=2"
    assert (
        [one is None for one in used.scores[row]] == [one is None for one in fresh.scores[row]] == [True, False, True]
    )
    assert used.evaluation is not None
    assert used.scores[row][1] == pytest.approx(fresh.scores[row][1], rel=1e-12)
    assert used.coverage(row, "remove") == fresh.coverage(row, "remove")
    assert [one.texts for one in used.evaluation.rows if one.name == row] == [1]
    assert Run(tmp_path / "used", before).report().cells[0].coverage(row, "remove").is_whole


def done(folder: Path, plan: Plan) -> int:
    """How many chunks a run does."""
    said: list[Any] = []
    Run(folder, plan, device="cpu").go(progress=said.append)
    return len(said)


@pytest.mark.parametrize(("controls", "change"), [(("greedy",), {"seed": 1}), (("greedy", WORDS), {"curve": (0.3,)})])
def test_a_control_is_not_done_again_for_what_does_not_change_it(
    controls: tuple[str, ...], change: dict[str, Any], place: Path, tmp_path: Path
) -> None:
    plan = there(place, replace(PLAN, controls=controls, methods={"corrected": ("sig",)}))
    assert done(tmp_path, plan)
    judged_again = int("curve" in change)  # of sig, by one operator
    assert done(tmp_path, replace(plan, **change)) == judged_again
    assert found(tmp_path, replace(plan, **change))


def test_the_order_of_a_curve_is_nothing_new(place: Path, tmp_path: Path) -> None:
    plan = there(place, replace(PLAN, curve=(0.1, 0.5)))
    assert done(tmp_path, plan)
    assert not done(tmp_path, replace(plan, curve=(0.5, 0.1, 0.5)))


def test_a_label_is_not_the_place_of_an_output(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "bert", tmp_path / "bert")
    config = json.loads((tmp_path / "bert" / "config.json").read_text())
    labels = {"0": "1", "1": "2", "2": "3"}
    config |= {"id2label": labels, "label2id": {label: int(at) for at, label in labels.items()}}
    (tmp_path / "bert" / "config.json").write_text(json.dumps(config))
    shutil.copy(place / "films.jsonl", tmp_path)
    first, second = (there(tmp_path, replace(PLAN, target=one)) for one in ("1", 1))
    for plan in (first, second):
        Run(tmp_path / "used", plan, device="cpu").go()
    Run(tmp_path / "fresh", second, device="cpu").go()
    assert found(tmp_path / "used", second) == found(tmp_path / "fresh", second)
    assert found(tmp_path / "used", first)[1] != found(tmp_path / "used", second)[1]


def test_a_tokenizer_that_reads_less_has_results_of_its_own(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "bert", tmp_path / "bert")
    shutil.copy(place / "films.jsonl", tmp_path)
    plan = there(tmp_path)
    Run(tmp_path / "used", plan, device="cpu").go()
    settings = tmp_path / "bert" / "tokenizer_config.json"
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "model_max_length": 6}))
    for folder in ("used", "fresh"):
        Run(tmp_path / folder, plan, device="cpu").go()
    used, fresh = (found(tmp_path / folder, plan) for folder in ("used", "fresh"))
    assert used == fresh
    assert used[0]["truncated"] > 0


def test_how_often_distilbert_is_embedded_is_as_in_a_folder_of_its_own(tmp_path: Path) -> None:
    tiny.model("distilbert").float().save_pretrained(tmp_path / "bert")
    tiny.tokenizer("distilbert").save_pretrained(tmp_path / "bert")
    (tmp_path / "films.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    plan = replace(PLAN, protocol="paper")
    once, twice = (
        there(tmp_path, replace(plan, protocol_settings={"distilbert": times})) for times in ("once", "twice")
    )
    Run(tmp_path / "used", once, device="cpu").go()
    for folder in ("used", "fresh"):
        Run(tmp_path / folder, twice, device="cpu").go()
    assert found(tmp_path / "used", twice) == found(tmp_path / "fresh", twice)
    assert found(tmp_path / "used", twice) != found(tmp_path / "used", once)


def accuracies(folder: Path, plan: Plan) -> list[float]:
    """Of each whole text."""
    (cell,) = Run(folder, plan).report().cells
    row = cell.row(WORDS)
    assert row is not None
    values: list[float] = row.values[Measure("accuracy", "remove", 0.0)].tolist()
    return values


def labelled(place: Path, copy: Path, rows: list[tuple[str, Any]]) -> Plan:
    """A plan whose texts have these labels."""
    copy.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in rows))
    plan = there(place, replace(PLAN, controls=(WORDS,)), label="label")
    return replace(plan, datasets=(replace(plan.datasets[0], source=str(copy)),))


def test_a_gold_label_that_changed_changes_what_depends_on_it(place: Path, tmp_path: Path) -> None:
    seen = []
    for label in range(LABELS):
        plan = labelled(place, tmp_path / "films.jsonl", [(row["text"], label) for row in ROWS])
        Run(tmp_path / "used", plan, device="cpu").go()
        seen.append(accuracies(tmp_path / "used", plan))
    assert [sum(of_one) for of_one in zip(*seen, strict=True)] == [1] * len(ROWS)  # one of the labels is right


def test_the_same_text_with_two_labels_has_two_accuracies(place: Path, tmp_path: Path) -> None:
    plan = labelled(place, tmp_path / "films.jsonl", [("a lovely film", label) for label in range(LABELS)])
    Run(tmp_path / "run", plan, device="cpu").go()
    assert sorted(accuracies(tmp_path / "run", plan)) == [0, 0, 1]


def test_a_label_that_the_model_does_not_know_costs_its_accuracy_alone(place: Path, tmp_path: Path) -> None:
    plan = labelled(place, tmp_path / "films.jsonl", [("a lovely film", "splendid")])
    Run(tmp_path / "run", plan, device="cpu").go()
    record, _ = found(tmp_path / "run", plan)
    assert not record["failures"]


def test_a_dataset_that_was_never_run_has_no_figures(place: Path, tmp_path: Path) -> None:
    plan = there(place)
    Run(tmp_path / "run", plan, device="cpu").go()
    other = replace(plan, datasets=(replace(plan.datasets[0], limit=1),))
    assert Run(tmp_path / "run", other).report().cells[0].evaluation is None


def test_a_plan_that_cannot_be_read_leaves_the_one_before(place: Path, tmp_path: Path) -> None:
    from unmask.errors import InputError

    plan = there(place)
    Run(tmp_path / "run", plan, device="cpu").go()
    gone = replace(plan, models=(replace(plan.models[0], sources={"films": str(tmp_path / "gone")}),))
    with pytest.raises(InputError, match="no such folder"):
        Run(tmp_path / "run", gone, device="cpu").go()
    lost = replace(plan, datasets=(replace(plan.datasets[0], source=str(tmp_path / "gone.txt")),))
    with pytest.raises(InputError, match="no such file"):
        Run(tmp_path / "run", lost, device="cpu").go()
    assert plan_of(tmp_path / "run") == plan


def test_tokenizers_that_choose_other_texts_are_told(place: Path, tmp_path: Path) -> None:
    tiny.model("roberta").float().save_pretrained(tmp_path / "roberta")
    tiny.tokenizer("roberta").save_pretrained(tmp_path / "roberta")
    plan = there(place, max_tokens=7)  # of which a text has 7 tokens for BERT, and 8 for RoBERTa
    plan = replace(plan, models=(*plan.models, ModelPlan(name="other", sources={"films": str(tmp_path / "roberta")})))
    run = Run(tmp_path / "run", plan, device="cpu")
    run.go()
    assert [(cell.planned, cell.note) for cell in run.report().cells] == [
        (2, None),
        (
            1,
            "not the same texts as for bert, because max_tokens depends on the tokenizer: 1 in common, out of 1 and 2",
        ),
    ]


def test_what_the_hub_does_not_give_can_be_put_in_its_place(place: Path, tmp_path: Path) -> None:
    from unmask.errors import ModelError

    plan = there(place)
    away = replace(plan, models=(replace(plan.models[0], sources={"films": "nobody/no-such-model"}),))
    with pytest.raises(ModelError, match="the hub cannot be reached") as error:
        Run(tmp_path / "run", away, device="cpu").go()
    name = plan.models[0].name
    assert error.value.hint == f"give a folder, or connect to the network once; with a plan: --map {name}=FOLDER"


def test_failures_of_other_plans_are_not_forgotten(place: Path, tmp_path: Path) -> None:
    copy = tmp_path / "films.jsonl"
    copy.write_text(json.dumps({"text": "a lovely film"}) + "\n" + json.dumps({"text": " "}) + "\n")
    plan = there(place)
    plan = replace(plan, datasets=(replace(plan.datasets[0], source=str(copy)),))
    both = replace(plan, baselines=("mask", "pad"))
    Run(tmp_path / "run", both, device="cpu").go()
    Run(tmp_path / "run", plan, device="cpu").go(retry_failed=True)
    said: list[Any] = []
    Run(tmp_path / "run", both, device="cpu").go(progress=said.append)
    assert not said


@pytest.mark.slow
def test_one_model_is_in_memory_at_a_time(place: Path, tmp_path: Path) -> None:
    def models() -> int:
        gc.collect()
        return sum(type(one) is BertForSequenceClassification for one in gc.get_objects())

    names = ("first", "second", "third")
    for name in names:
        shutil.copytree(place / "bert", tmp_path / name)
    plan = replace(
        there(place), models=tuple(ModelPlan(name=one, sources={"films": str(tmp_path / one)}) for one in names)
    )
    before, seen = models(), list[int]()
    Run(tmp_path / "run", plan, device="cpu").go(progress=lambda _: seen.append(models() - before))
    assert {*seen} == {1}
