"""The registry of metrics: their names, meanings and better directions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

import numpy as np

from ..errors import check_known

PERPLEXITY = "perplexity_change"  # for language models only
TOKENS = "tokens"  # the number of tokens in the answer, passed to `derive` together with the figures


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured quantity: a metric, the operator that deletes units, and the share of units."""

    metric: str
    operator: str | None = None
    share: float | None = None


Figures: TypeAlias = Mapping[Measure, float | tuple[float, float]]  # the figures of one text

# faithfulness: computed at shares of the units; derived: computed from the values at the top share; area: averaged
# over the curve; plausibility: agreement with rationales; error: known errors of a method; deletion: predictions with
# words deleted at random.
Group: TypeAlias = Literal["faithfulness", "derived", "area", "plausibility", "error", "deletion"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric.

    Args:
        title: The heading of its column.
        better: The better direction; None if there is none.
        meaning: A definition in one sentence.
        short: A shorter heading, as in the paper.
        derive: For a derived metric: computes its value, or None, from the faithfulness metrics at the top share.
    """

    name: str
    title: str
    better: Literal["higher", "lower"] | None
    meaning: str
    short: str = ""
    derive: Callable[[Mapping[str, float]], float | None] | None = None
    group: Group = "derived"

    @property
    def arrow(self) -> str:
        """The better direction as an arrow."""
        return {"higher": "↑", "lower": "↓", None: ""}[self.better]


_GROUPS: dict[Group, tuple[Metric, ...]] = {
    "faithfulness": (
        Metric("log_odds", "log-odds", "lower", "log p without the top units minus log p of the whole text", "LO"),
        Metric(
            "comprehensiveness",
            "compr.",
            "higher",
            "p of the whole text minus p without the top units; for language models, log p",
            "Comp",
        ),
        Metric(
            "sufficiency",
            "suff.",
            "lower",
            "p of the whole text minus p of the top units alone; for language models, log p",
            "Suff",
        ),
    ),
    "derived": (
        Metric(
            "sufficiency_clipped",
            "suff. ≥ 0",
            "lower",
            "sufficiency, with negative values counted as 0",
            derive=lambda values: float(np.maximum(0.0, values["sufficiency"])),  # NaN stays NaN
        ),
        Metric(
            PERPLEXITY,
            "perplexity",
            "higher",
            "perplexity of the answer without the top units, divided by its perplexity given the whole prompt",
            derive=lambda values: float(np.exp(-values["log_odds"] / values[TOKENS])) if TOKENS in values else None,
        ),
    ),
    "area": (
        Metric("aopc_log_odds", "log-odds AOPC", "lower", "log-odds, averaged over shares of the units"),
        Metric(
            "aopc_comprehensiveness", "compr. AOPC", "higher", "comprehensiveness, averaged over shares of the units"
        ),
        Metric("aopc_sufficiency", "suff. AOPC", "lower", "sufficiency, averaged over shares of the units"),
    ),
    "plausibility": (
        Metric("auprc", "AUPRC", "higher", "area under the precision-recall curve against the rationale"),
        Metric("token_f1", "token F1", "higher", "agreement with the rationale, unit by unit"),
        Metric("iou_f1", "IOU F1", "higher", "agreement with the rationale, span by span"),
    ),
    "error": (
        Metric(
            "delta",
            "Delta",
            None,
            "sum of the scores minus the change when all units are masked; for SIG, a nonzero Delta is not an error",
        ),
        Metric("absolute_delta", "|Delta|", None, "absolute value of Delta"),
        Metric(
            "residual",
            "residual",
            "lower",
            "the largest error of any unit's score in a text, if the method reports errors",
        ),
    ),
    "deletion": (
        Metric("accuracy", "accuracy", "higher", "share of predictions that match the gold label"),
        Metric(
            "agreement",
            "agreement",
            "higher",
            "share of predictions equal to the prediction for the whole text; for language models, share of tokens",
        ),
        Metric(
            "confidence",
            "confidence",
            "higher",
            "probability of the class predicted for the whole text; for language models, geometric mean over tokens",
        ),
    ),
}
KNOWN = {one.name: replace(one, group=group) for group, metrics in _GROUPS.items() for one in metrics}


def metrics_of(*groups: Group) -> tuple[str, ...]:
    """The names of the metrics of some groups."""
    return tuple(name for group in groups for name, metric in KNOWN.items() if metric.group == group)


PLAUSIBILITY, ERRORS = metrics_of("plausibility"), metrics_of("error")


def derived_figures(
    figures: Figures, operators: Sequence[str], top: float, *, more: Mapping[str, float] | None = None
) -> Figures:
    """The derived metrics of one text, computed from its values at the top share and the named values in `more`."""
    found = dict[Measure, float | tuple[float, float]]()
    for operator in operators:
        own = {one: cast(float, figures[Measure(one, operator, top)]) for one in metrics_of("faithfulness")}
        for name in metrics_of("derived"):
            derive = KNOWN[name].derive
            if derive is not None and (value := derive({**own, **(more or {})})) is not None:
                found[Measure(name, operator, top)] = value
    return found


def resolve_metric(name: str) -> Metric:
    """The metric of that name."""
    check_known("metric", [name], KNOWN)
    return KNOWN[name]


def average(figures: Sequence[Figures]) -> Figures:
    """The mean of each measure."""
    return {measure: np.mean([one[measure] for one in figures], 0) for measure in figures[0]} if figures else {}


def error_figures(delta: float, residual: float | None) -> Figures:
    """The known errors of a method on one text."""
    errors = {Measure("delta"): delta, Measure("absolute_delta"): abs(delta)}
    return errors if residual is None else errors | {Measure("residual"): residual}


def is_better(metric: str, value: float, other: float) -> bool:
    """Whether `value` is better than `other`."""
    better = resolve_metric(metric).better
    return (value > other) if better == "higher" else (value < other) if better == "lower" else False
