"""The paper's results, shown next to those of a run with the published models (Enguehard 2023, arXiv 2305.15853)."""

import csv
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ...experiments.plan_file import shipped_plans
from ...methods.registry import ALIASES, METHODS, method_class
from ...methods.spec import format_value, parse_specs
from ...metrics.faithfulness import METRICS

if TYPE_CHECKING:
    from ...experiments.plan import Plan
    from ...results.report import Report, ReportCell

FOLDER = "data/published"
OTHERS = "figures are not comparable with the paper's"
OTHER_MODELS = f"These are not the published models, so their {OTHERS}."

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
class PublishedFigures:
    """The paper's results for these pairs of a dataset and a published model."""

    label: ClassVar[str] = "paper"

    pairs: frozenset[tuple[str, str]]

    def is_published(self, cell: "ReportCell") -> bool:
        """Whether the model is the published one for this dataset."""
        return (cell.dataset, cell.model) in self.pairs

    def figures(self, cell: "ReportCell", row: str) -> Mapping[str, float]:
        """The published log-odds, comprehensiveness and sufficiency of a row, if there are any."""
        found = published(cell.dataset, cell.model, cell.baseline_used, row) if self.is_published(cell) else None
        return {} if found is None else found._asdict()

    def step_figures(self, cell: "ReportCell", row: str) -> Mapping[str, float]:
        """The numbers that the paper's table of steps reports for a row, including |Delta|; empty if there are none."""
        return published_steps(cell.dataset, cell.model, cell.baseline_used, row) if self.is_published(cell) else {}

    def notes(self, report: "Report", cells: "Sequence[ReportCell]") -> Iterator[str]:
        """Say what the published results can be compared with, or why there are none."""
        if not any(has_figures(cell.dataset, cell.model) for cell in cells):
            return
        others = [cell.model for cell in cells if not self.is_published(cell)]
        if len(others) == len(cells):
            yield OTHER_MODELS
            return
        texts = max(cell.planned for cell in cells)
        ours = "the one text" if texts == 1 else f"the {texts:,} texts"
        yield f"paper: the published figure, over all texts in the paper; ours is over {ours} of this run."
        if report.protocol != "paper":
            yield f"The published figures use the protocol 'paper'; ours use {report.protocol!r}."
        if others:
            said = "model, so its" if len(others) == 1 else "models, so their"
            yield f"{', '.join(others)}: not the published {said} {OTHERS}."
        methods = [name for name, kind in report.kinds.items() if kind == "method"]
        without = [name for name in methods if not any(self.figures(cell, name) for cell in cells)]
        settings = {name: theirs for name in without if (theirs := papers_settings(name))}
        if absent := [name for name in without if name not in settings]:
            yield f"The paper has no figures for {', '.join(absent)}."
        if settings:
            listed = ", ".join(f"{name} ({theirs})" for name, theirs in settings.items())
            yield f"The paper uses other settings for {listed}, so its figures are not shown."


def references_of(plan: "Plan") -> PublishedFigures | None:
    """Return the paper's results, if it has any for a dataset and a model of the plan."""
    pairs = [(pair.dataset.name, pair.model, pair.source) for pair in plan.pairs()]
    if not any(has_figures(dataset, model) for dataset, model, _ in pairs):
        return None
    known = ((dataset, model) for dataset, model, source in pairs if is_published(source, dataset, model))
    return PublishedFigures(frozenset(known))


class Figures(NamedTuple):
    """One method's results in the paper's main tables."""

    log_odds: float
    comprehensiveness: float
    sufficiency: float


def published(dataset: str, model: str, baseline: str, method: str) -> Figures | None:
    """Return the paper's results; None if it has none.

    Args:
        method: An unmask method with the paper's settings. The paper's tables call `sig_path:steps=50` SIG; they do not
            include `sig`, which is exact.

    >>> published("sst2", "bert", "mask", "sig_path:steps=50")
    Figures(log_odds=-1.19, comprehensiveness=0.392, sufficiency=0.312)
    """
    figures = _figures("published.csv").get((dataset, model, baseline, _meant(method)))
    return None if figures is None else Figures(**figures)


def published_steps(dataset: str, model: str, baseline: str, method: str) -> Mapping[str, float]:
    """Return the numbers that the paper reports in its table of steps, including `absolute_delta`."""
    return _figures("published_steps.csv").get((dataset, model, baseline, _meant(method)), {})


def papers_settings(method: str) -> str | None:
    """Return the paper's settings for a method if they differ; None if they match or the paper lacks the method.

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
    """Whether the paper has results for a model of that name on that dataset."""
    return dataset in _sources().get(model, {})


@cache
def _sources() -> dict[str, dict[str, str]]:
    models: dict[str, dict[str, str]] = tomllib.loads(shipped_plans()["paper"].read_text("utf-8"))["models"]
    return models


@cache
def _figures(table: str) -> dict[tuple[Any, ...], dict[str, float]]:
    """Return the numbers of a table by dataset, model, baseline and method."""
    found = {}
    for row in csv.DictReader(files("unmask").joinpath(FOLDER, table).read_text("utf-8").splitlines()):
        spec = PAPER_STEPS[row["method"], row["steps"]] if "steps" in row else PAPER_METHODS[row["method"]]
        figures = {metric: float(row[metric]) for metric in METRICS}
        figures |= {"absolute_delta": float(row["delta"])} if "delta" in row else {}
        found[row["dataset"], row["model"], row["baseline"], _meant(spec)] = figures
    return found


def _meant(method: str) -> tuple[str, frozenset[tuple[str, Any]]] | None:
    """Return a method's name and its non-default settings, without the seed, which the paper does not give."""
    specs = parse_specs(method)
    name = ALIASES.get(specs[0].name, specs[0].name)
    if len(specs) != 1 or name not in METHODS:
        return None
    kind = method_class(name)
    usual = {field.name: field.default for field in fields(kind)}
    settings = {key: format_value(kind, key, value) for key, value in specs[0].settings.items() if key != "seed"}
    return name, frozenset((key, value) for key, value in settings.items() if value != usual[key])
