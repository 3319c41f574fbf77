"""What is measured of an explanation, how each figure is named, and which way is good."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ..errors import unknown


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure: a metric, by which operator units were taken away, and at which share of them."""

    metric: str
    operator: str | None = None
    share: float | None = None


Figures: TypeAlias = Mapping[Measure, float | tuple[float, float]]  # of one text


@dataclass(frozen=True, slots=True)
class Metric:
    """What a metric is called, which way is good, and what it says."""

    title: str
    better: Literal["higher", "lower"] | None
    meaning: str

    @property
    def arrow(self) -> str:
        """The good direction as a sign."""
        return {"higher": "↑", "lower": "↓", None: ""}[self.better]


KNOWN = {
    "log_odds": Metric("log-odds", "lower", "log p without the top units minus log p of the whole text"),
    "comprehensiveness": Metric("compr.", "higher", "p of the whole text minus p without the top units"),
    "sufficiency": Metric("suff.", "lower", "p of the whole text minus p of the top units alone"),
    "sufficiency_clipped": Metric("suff. ≥ 0", "lower", "sufficiency, counted as 0 where it is below"),
    "aopc_log_odds": Metric("log-odds AOPC", "lower", "log-odds, averaged over shares of the units"),
    "aopc_comprehensiveness": Metric("compr. AOPC", "higher", "comprehensiveness, averaged over shares of the units"),
    "aopc_sufficiency": Metric("suff. AOPC", "lower", "sufficiency, averaged over shares of the units"),
    "auprc": Metric("AUPRC", "higher", "area under precision over recall against the words that people marked"),
    "token_f1": Metric("token F1", "higher", "agreement with people, unit by unit"),
    "iou_f1": Metric("IOU F1", "higher", "agreement with people, span by span"),
    "delta": Metric("Delta", None, "sum of all scores minus what all units carry together; for SIG not an error"),
    "absolute_delta": Metric("|Delta|", None, "the same without its sign"),
    "residual": Metric("residual", "lower", "the largest known error of a unit's score"),
    "accuracy": Metric("accuracy", "higher", "against the gold labels"),
    "agreement": Metric("agreement", "higher", "with what the model says of the whole text"),
    "confidence": Metric("confidence", "higher", "the probability of what the model says of the whole text"),
}
PLAUSIBILITY = ("auprc", "token_f1", "iou_f1")
ERRORS = ("delta", "absolute_delta", "residual")


def resolve_metric(name: str) -> Metric:
    """The metric of that name."""
    if name not in KNOWN:
        raise unknown("metric", name, KNOWN)
    return KNOWN[name]


def average(figures: Sequence[Figures]) -> Figures:
    """The mean of each figure."""
    return {measure: np.mean([one[measure] for one in figures], 0) for measure in figures[0]} if figures else {}


def error_figures(delta: float, residual: float | None) -> Figures:
    """What is known of a method's own errors on one text."""
    found = {Measure("delta"): delta, Measure("absolute_delta"): abs(delta)}
    return found if residual is None else found | {Measure("residual"): residual}


def is_better(metric: str, value: float, other: float) -> bool:
    """Whether a value is better than another one."""
    better = resolve_metric(metric).better
    return (value > other) if better == "higher" else (value < other) if better == "lower" else False
