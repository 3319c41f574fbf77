"""Plans: as they are written, mapped, cut down and kept."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.plan_files import SMALL, changed, written

from unmask import Explainer
from unmask.errors import ArgumentError, InputError
from unmask.experiments import plan as plans
from unmask.experiments.plan import DatasetPlan, ModelPlan, Plan
from unmask.methods import registry
from unmask.metrics.faithfulness import CURVE
from unmask.metrics.protocols import resolve_protocol
from unmask.models.huggingface import loading, tokenizer

MINE = """
protocol = "corrected"
baselines = ["mask", "pad"]
operators = ["remove", "mask"]
top = 0.1
curve = [0.1, 0.5, 1]
controls = ["random"]
seed = 3
max_units = { ig = 100 }
methods = ["sig", "ig:steps=50"]

[datasets.mine]
source = "reviews.csv"
column = "review"
label = "gold"
max_characters = 2000
max_tokens = 120
limit = 100
seed = 0

[datasets.theirs]
source = "nyu-mll/glue"
config = "mnli"
split = "validation_matched"
column = ["premise", "hypothesis"]

[datasets.known]
preset = "imdb"
limit = 10

[models]
small = "models/small"

[models.large]
mine = "some/hub-name"
"""


@pytest.fixture
def mine(tmp_path: Path) -> Plan:
    (tmp_path / "models" / "small").mkdir(parents=True)
    return Plan.load(written(tmp_path, MINE))


def test_a_file_says_what_is_in_it(mine: Plan, tmp_path: Path) -> None:
    small = str(tmp_path / "models" / "small")
    assert mine == Plan(
        name="mine",
        methods={"corrected": ("sig", "ig:steps=50"), "paper": ("sig", "ig:steps=50")},
        datasets=(
            DatasetPlan(
                name="mine",
                source=str(tmp_path / "reviews.csv"),
                column=("review",),
                label="gold",
                max_characters=2000,
                max_tokens=120,
                limit=100,
                seed=0,
            ),
            DatasetPlan(
                name="theirs",
                source="nyu-mll/glue",
                config="mnli",
                split="validation_matched",
                column=("premise", "hypothesis"),
            ),
            DatasetPlan(
                name="known",
                source="stanfordnlp/imdb",
                split="test",
                column=("text",),
                max_characters=2000,
                limit=10,
                seed=0,
            ),
        ),
        models=(
            ModelPlan(name="small", sources={"mine": small, "theirs": small, "known": small}),
            ModelPlan(name="large", sources={"mine": "some/hub-name"}),
        ),
        baselines=("mask", "pad"),
        operators=("remove", "mask"),
        top=0.1,
        curve=(0.1, 0.5, 1.0),
        controls=("random",),
        seed=3,
        max_units={"ig": 100},
    )


@pytest.mark.parametrize("source", ["models/absent", "absent/", "../absent", "my model", "a/b/c"])
def test_a_models_path_that_is_missing_is_no_name_on_the_hub(source: str, tmp_path: Path) -> None:
    (tmp_path / "models" / "small").mkdir(parents=True)
    plan = Plan.load(written(tmp_path, MINE.replace("some/hub-name", source)))
    pair = next(pair for pair in plan.pairs() if pair.model == "large")
    assert Path(pair.source) == (tmp_path / source).resolve()
    (tmp_path / "reviews.csv").touch()
    with pytest.raises(InputError, match="model 'large': no such folder") as error:
        pair.check_there()
    assert "--map large=FOLDER; for a model on the hub, add a revision" in str(error.value.hint)


def test_a_plans_revision_makes_it_a_name_on_the_hub(tmp_path: Path) -> None:
    (tmp_path / "models" / "small").mkdir(parents=True)
    named = MINE.replace('"some/hub-name"', '"models/absent"\nrevision = "main"')
    assert Plan.load(written(tmp_path, named)).models[1].sources == {"mine": "models/absent"}


def test_what_is_not_said_is_as_in_an_evaluation(tmp_path: Path) -> None:
    plan = Plan.load(written(tmp_path, SMALL))
    assert (plan.name, plan.protocol, plan.baselines, plan.top, plan.curve) == (
        "mine", "corrected", ("auto",), 0.2, CURVE
    )  # fmt: skip
    assert plan.evaluation_options() == {
        "protocol": "corrected",
        "top": 0.2,
        "controls": ("random", "greedy"),
        "seed": 0,
    }


@pytest.mark.parametrize("protocol", ["corrected", "paper"])
def test_an_evaluation_takes_what_a_plan_says(embedded: Explainer, protocol: str) -> None:
    plan = replace(Plan.load("paper-steps"), protocol_settings={"distilbert": "once"}, unit="token", seed=2).under(
        protocol
    )
    found = embedded.evaluate(
        ["A dull film, and far too long."], methods=["sig"], baseline="pad", **plan.evaluation_options()
    )
    assert (found.protocol, found.top, found.seed) == (protocol, plan.top, 2)
    assert found.operators == (plan.operators if protocol == "corrected" else ("paper",))
    assert [row.name for row in found.rows] == ["sig"]  # and no controls


def test_pairs_come_dataset_by_dataset(mine: Plan) -> None:
    assert [pair.name for pair in mine.pairs()] == ["mine/small", "mine/large", "theirs/small", "known/small"]
    pair = list(mine.pairs())[1]
    assert (pair.dataset.name, pair.model, pair.source) == ("mine", "large", "some/hub-name")


@pytest.mark.parametrize("name", ["paper", "paper-steps"])
def test_a_shipped_plan_is_kept_and_read_again(name: str) -> None:
    plan = Plan.load(name)
    assert plan.name == name
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan
    for protocol in ("corrected", "paper"):
        cut = plan.under(protocol).only(["sst2/bert"]).limited(3)
        assert Plan.from_dict(json.loads(json.dumps(cut.to_dict()))) == cut


def test_a_plan_of_ones_own_is_kept_and_read_again(mine: Plan) -> None:
    assert Plan.from_dict(json.loads(json.dumps(mine.to_dict()))) == mine
    none = replace(mine, controls=(), operators=(), unit="token", target=1, scale="logit", dtype="bfloat16")
    assert Plan.from_dict(json.loads(json.dumps(none.to_dict()))) == none


def test_a_kept_plan_is_read_where_its_methods_are_not_installed(mine: Plan) -> None:
    kept = mine.to_dict() | {"methods": {"corrected": ["somebodys:deep=1"]}}
    assert Plan.from_dict(kept).methods == {"corrected": ("somebodys:deep=1",)}


def test_the_papers_plan() -> None:
    plan = Plan.load("paper")
    assert {pair.name: pair.source for pair in plan.pairs()} == {
        "sst2/bert": "textattack/bert-base-uncased-SST-2",
        "sst2/distilbert": "distilbert-base-uncased-finetuned-sst-2-english",
        "sst2/roberta": "textattack/roberta-base-SST-2",
        "imdb/bert": "textattack/bert-base-uncased-imdb",
        "imdb/distilbert": "textattack/distilbert-base-uncased-imdb",
        "imdb/roberta": "textattack/roberta-base-imdb",
        "rotten_tomatoes/bert": "textattack/bert-base-uncased-rotten-tomatoes",
        "rotten_tomatoes/distilbert": "textattack/distilbert-base-uncased-rotten-tomatoes",
        "rotten_tomatoes/roberta": "textattack/roberta-base-rotten-tomatoes",
    }
    assert plan.methods["paper"] == (*resolve_protocol("paper").methods, "sdig", "sig")
    assert (plan.protocol, plan.baselines, plan.operators) == ("corrected", ("mask", "pad"), ("remove", "mask"))
    assert plan.controls == ("random", "greedy")
    assert plan.evaluation_options()["operators"] == ("remove", "mask")
    assert plan.under("paper").evaluation_options() == {
        "protocol": "paper",
        "top": 0.2,
        "controls": plan.controls,
        "seed": 0,
    }


def test_the_papers_steps() -> None:
    plan = Plan.load("paper-steps")
    assert [pair.name for pair in plan.pairs()] == ["sst2/bert"]
    assert plan.baselines == ("mask",)
    assert plan.methods["paper"] == plan.methods["corrected"]
    assert len(plan.methods["paper"]) == 6


def test_names_are_those_of_the_models_layer() -> None:
    assert plans.BASELINES == tokenizer.NAMED
    assert plans.DTYPES == loading.DTYPES


def test_a_plan_needs_no_torch() -> None:
    script = (
        "import sys; from unmask.experiments.plan import Plan; Plan.load('paper').only(['sst2']).to_dict();"
        "import unmask.experiments.datasets, unmask.studies.sig2023.published;"
        "heavy = {'torch', 'transformers', 'datasets', 'captum'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_limits_cut_down_and_never_up(mine: Plan) -> None:
    assert [one.limit for one in mine.limited(50).datasets] == [50, 50, 10]
    with pytest.raises(ArgumentError, match="limit=0: expected a whole number of at least 1"):
        mine.limited(0)


def test_only_some_pairs() -> None:
    plan = Plan.load("paper")
    assert [pair.name for pair in plan.only(["sst2/bert", "imdb"]).pairs()] == [
        "sst2/bert", "imdb/distilbert", "imdb/roberta", "imdb/bert"
    ]  # fmt: skip
    bert = plan.only(["*/bert"])
    assert [pair.name for pair in bert.pairs()] == ["sst2/bert", "imdb/bert", "rotten_tomatoes/bert"]
    assert [one.name for one in bert.models] == ["bert"]
    assert [one.name for one in plan.only("sst2").datasets] == ["sst2"]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (["sst2/brt"], "unknown pair 'sst2/brt'; did you mean 'sst2/bert'. known pairs: ./bert, sst2, sst2/bert"),
        (["imdb/bert"], "unknown pair 'imdb/bert'"),
        ([], "no pairs given"),
    ],
)
def test_a_pair_that_is_not_there(chosen: list[str], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        Plan.load("paper-steps").only(chosen)


def test_another_protocol_needs_methods(tmp_path: Path) -> None:
    plan = Plan.load(written(tmp_path, SMALL.replace('methods = ["sig"]', 'methods.corrected = ["sig"]')))
    with pytest.raises(ArgumentError, match="no methods for the protocol 'paper', only for corrected"):
        plan.under("paper")
    with pytest.raises(ArgumentError, match=r"unknown protocol 'papr'; did you mean 'paper'?"):
        plan.under("papr")


def test_a_settings_protocol_may_be_the_other_one(tmp_path: Path) -> None:
    lists = '[methods]\ncorrected = ["sig"]\npaper = ["ig"]'
    text = 'distilbert = "twice"\noperators = ["remove"]\n' + SMALL.replace('methods = ["sig"]', lists)
    plan = Plan.load(written(tmp_path, text))
    assert plan.evaluation_options()["operators"] == ("remove",)
    assert plan.under("paper").evaluation_options()["distilbert"] == "twice"
    assert "operators" not in plan.under("paper").evaluation_options()


def test_every_method_of_ours_can_be_in_a_plan(tmp_path: Path) -> None:
    names: list[Any] = list(registry.METHODS)
    text = "controls = ['greedy']\n" + changed('["sig"]', json.dumps(names))  # random is a method here
    assert Plan.load(written(tmp_path, text)).methods["paper"] == tuple(names)
    spelled = Plan.load(written(tmp_path, changed('["sig"]', '["sig, ig:steps=5 ,rule=trapezoid"]')))
    assert spelled.methods["corrected"] == ("sig", "ig:steps=5,rule=trapezoid")
