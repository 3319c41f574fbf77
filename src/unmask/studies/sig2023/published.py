"""The paper's own figures, to compare with those of a run (Enguehard 2023, arXiv 2305.15853)."""

import csv
import dataclasses
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ...experiments.plan_file import shipped_plans
from ...methods.registry import ALIASES, METHODS, method_class
from ...methods.spec import format_value, parse_specs

FOLDER = "data/published"
SOURCE = "Enguehard 2023, arXiv 2305.15853, Findings of ACL 2023"

# The names of methods in the paper's tables, each with the paper's settings as an unmask spec.
PAPER_METHODS = {
    "grad_x_input": "grad_x_input",
    "deeplift": "deeplift",
    "gradient_shap": "gradient_shap:samples=5,pool=baseline_and_text",
    "ig": "ig",
    "dig": "dig",
    "sig": "sig_path:steps=50",
}
PAPER_STEPS = {
    ("ig", "50"): "ig:steps=50",
    ("ig", "250"): "ig:steps=250",
    ("ig", "10*N"): "ig:steps_per_token=10",
    ("sig", "10"): "sig_path:steps=10",
    ("sig", "50"): "sig_path:steps=50",
}

# Names on the hub to which published models have moved since.
MOVED = {
    "distilbert/distilbert-base-uncased-finetuned-sst-2-english": "distilbert-base-uncased-finetuned-sst-2-english"
}


@dataclass(frozen=True, slots=True)
class Figures:
    """One method's figures in one of the paper's tables."""

    log_odds: float
    comprehensiveness: float
    sufficiency: float


@dataclass(frozen=True, slots=True)
class StepFigures(Figures):
    """The same in its table of steps."""

    delta: float
    time: str  # in words of the paper: t and t' are the times of `ig` with 50 and 250 steps, N the tokens


def published(dataset: str, model: str, baseline: str, method: str) -> Figures | None:
    """The paper's figures, or None if it has none.

    Args:
        method: As unmask spells it, with the paper's settings: `sig_path:steps=50` is what its tables call SIG, and
            `sig`, which is exact, is not in them.

    >>> published("sst2", "bert", "mask", "sig_path:steps=50")
    Figures(log_odds=-1.19, comprehensiveness=0.392, sufficiency=0.312)
    """
    return _figures().get((dataset, model, baseline, _meant(method)))


def published_steps(dataset: str, model: str, baseline: str, method: str) -> StepFigures | None:
    """The figures of the paper's table of steps, or None where it has none; methods are spelled as above."""
    return _steps().get((dataset, model, baseline, _meant(method)))


def papers_settings(method: str) -> str | None:
    """The paper's settings for a method, if they differ; None if they match or the paper lacks the method.

    >>> papers_settings("sig"), papers_settings("sig_path:steps=50"), papers_settings("shapley")
    ('sig_path:steps=50', None, None)
    """
    meant = _meant(method)
    if meant is None:
        return None
    for name, theirs in PAPER_METHODS.items():
        if meant[0] in (name, parse_specs(theirs)[0].name) and meant != _meant(theirs):
            return theirs
    return None


def is_published(model_source: str, dataset: str, model: str) -> bool:
    """Whether a source is the hub name of the paper's model for that pair."""
    return MOVED.get(model_source, model_source) == _sources().get(model, {}).get(dataset)


def has_figures(dataset: str, model: str) -> bool:
    """Whether the paper has figures for a model of that name on that dataset."""
    return dataset in _sources().get(model, {})


@cache
def _sources() -> dict[str, dict[str, str]]:
    models: dict[str, dict[str, str]] = tomllib.loads(shipped_plans()["paper"].read_text("utf-8"))["models"]
    return models


@cache
def _figures() -> dict[Any, Figures]:
    return {_key(row, PAPER_METHODS[row["method"]]): Figures(**_numbers(row)) for row in _rows("published.csv")}


@cache
def _steps() -> dict[Any, StepFigures]:
    figures = {}
    for row in _rows("published_steps.csv"):
        key = _key(row, PAPER_STEPS[row["method"], row["steps"]])
        figures[key] = StepFigures(**_numbers(row), delta=float(row["delta"]), time=row["time"])
    return figures


def _rows(name: str) -> Iterator[dict[str, str]]:
    return csv.DictReader(files("unmask").joinpath(FOLDER, name).read_text("utf-8").splitlines())


def _key(row: dict[str, str], method: str) -> tuple[Any, ...]:
    return (row["dataset"], row["model"], row["baseline"], _meant(method))


def _numbers(row: dict[str, str]) -> dict[str, float]:
    return {field.name: float(row[field.name]) for field in dataclasses.fields(Figures)}


def _meant(method: str) -> tuple[str, frozenset[tuple[str, Any]]] | None:
    """A method's name and its settings that are not defaults, without the seed, which the paper does not give."""
    specs = parse_specs(method)
    name = ALIASES.get(specs[0].name, specs[0].name)
    if len(specs) != 1 or name not in METHODS:
        return None
    kind = method_class(name)
    usual = {field.name: field.default for field in dataclasses.fields(kind)}
    settings = {key: format_value(kind, key, value) for key, value in specs[0].settings.items() if key != "seed"}
    return name, frozenset((key, value) for key, value in settings.items() if value != usual[key])
