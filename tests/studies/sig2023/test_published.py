"""The paper's own figures."""

import csv
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest
from support.shared import SHARED, needs_shared

import unmask
from unmask.experiments.plan import Plan
from unmask.metrics.protocols import resolve_protocol
from unmask.studies.sig2023.published import (
    PAPER_METHODS,
    PAPER_STEPS,
    is_published,
    published,
    published_steps,
)

DATASETS, MODELS, BASELINES = ("sst2", "imdb", "rotten_tomatoes"), ("bert", "distilbert", "roberta"), ("mask", "pad")
BETTER = {"log_odds": min, "comprehensiveness": max, "sufficiency": min}
DATA = Path(unmask.__file__).parent / "data" / "published"


def by_metric(*place: str) -> Mapping[str, float]:
    found = published(*place)
    return {} if found is None else found._asdict()


def figures(dataset: str, model: str, baseline: str, method: str) -> Mapping[str, float]:
    found = by_metric(dataset, model, baseline, PAPER_METHODS[method])
    assert found.keys() == BETTER.keys()
    return found


@needs_shared
def test_the_methods_are_those_of_the_papers_tables() -> None:
    with (SHARED / "paper" / "published.csv").open() as file:
        named = list(dict.fromkeys(row["method"] for row in csv.DictReader(file)))
    assert list(PAPER_METHODS) == named
    assert len(resolve_protocol("paper").methods) == len(named) == 6


def test_there_is_a_row_for_every_cell() -> None:
    cells = list(product(DATASETS, MODELS, BASELINES, PAPER_METHODS))
    assert len(cells) == 108
    assert len({tuple(figures(*cell).values()) for cell in cells}) == 108
    assert len((DATA / "published.csv").read_text().splitlines()) == 1 + 108


@pytest.mark.parametrize(("baseline", "best"), [("mask", 23), ("pad", 27)])
def test_in_how_many_columns_sig_is_best(baseline: str, best: int) -> None:
    count = 0
    for dataset, model, (metric, better) in product(DATASETS, MODELS, BETTER.items()):
        column = {method: figures(dataset, model, baseline, method)[metric] for method in PAPER_METHODS}
        count += column["sig"] == better(column.values())
    assert count == best


@pytest.mark.parametrize(
    ("baseline", "better", "worse", "count"), [("mask", "ig", "dig", 26), ("pad", "dig", "ig", 25)]
)
def test_how_often_one_method_beats_another(baseline: str, better: str, worse: str, count: int) -> None:
    found = 0
    for dataset, model, (metric, best) in product(DATASETS, MODELS, BETTER.items()):
        one, other = (figures(dataset, model, baseline, name)[metric] for name in (better, worse))
        found += one != other and best(one, other) == one
    assert found == count


def test_methods_are_spelled_with_the_papers_settings() -> None:
    assert resolve_protocol("paper").methods == (
        "grad_x_input",
        "deeplift",
        "gradient_shap:samples=5,pool=baseline_and_text",
        "ig",
        "dig",
        "sig_path:steps=50",
    )
    sig = by_metric("sst2", "bert", "mask", "sig_path:steps=50")
    assert sig == {"log_odds": -1.19, "comprehensiveness": 0.392, "sufficiency": 0.312}
    assert by_metric("sst2", "bert", "mask", "sig") == {}  # exact, and so another method
    assert by_metric("sst2", "bert", "mask", "sig_path:steps=10") == {}
    assert by_metric("sst2", "bert", "mask", "gradient_shap") == {}
    shap = by_metric("sst2", "bert", "mask", "gradient_shap:pool=baseline_and_text,samples=5,seed=3")
    assert shap == {"log_odds": -0.622, "comprehensiveness": 0.219, "sufficiency": 0.388}
    assert by_metric("sst2", "bert", "mask", "ig:steps=50") == by_metric("sst2", "bert", "mask", "ig") != {}
    for other in ("greedy", "random", "random words", "somebodys:deep=1"):
        assert by_metric("sst2", "bert", "mask", other) == {}
    assert by_metric("mnli", "bert", "mask", "ig") == {}
    assert by_metric("sst2", "bert", "auto", "ig") == {}


@pytest.mark.parametrize(
    ("method", "row"), [("ig", (-0.981, 0.345, 0.352, 0.304)), ("sig_path:steps=10", (-1.14, 0.373, 0.322, 4.93))]
)
def test_a_row_of_the_table_of_steps(method: str, row: tuple[float, ...]) -> None:
    names = (*BETTER, "absolute_delta")
    assert published_steps("sst2", "bert", "mask", method) == dict(zip(names, row, strict=True))


def test_the_table_of_steps() -> None:
    methods = Plan.load("paper-steps").methods["paper"]
    assert sum(published_steps("sst2", "bert", "mask", method) != {} for method in methods) == len(PAPER_STEPS)
    assert published_steps("sst2", "bert", "pad", "ig") == {}
    assert published_steps("sst2", "bert", "mask", "sig") == {}


def test_whether_a_model_is_the_published_one() -> None:
    pairs = list(Plan.load("paper").pairs())
    assert all(is_published(pair.source, pair.dataset.name, pair.model) for pair in pairs)
    assert is_published("distilbert/distilbert-base-uncased-finetuned-sst-2-english", "sst2", "distilbert")
    assert not is_published("textattack/bert-base-uncased-SST-2", "imdb", "bert")
    assert not is_published("textattack/bert-base-uncased-SST-2", "sst2", "roberta")
    assert not is_published("/models/bert-sst2", "sst2", "bert")
    assert not is_published("some/model", "reviews", "mine")


@needs_shared
@pytest.mark.parametrize("name", ["published.csv", "published_steps.csv"])
def test_the_files_are_the_tables(name: str) -> None:
    assert (DATA / name).read_bytes() == (SHARED / "paper" / name).read_bytes()
