"""The two pictures of docs/results/paper.md: a forest plot of advantages, and the metrics against passes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from per_text_values import METRICS, Row, Values

from unmask.metrics.registry import resolve_metric

from .claims import Tested, models_by_name
from .statistics import CLEAR
from .tables import CONTROLS

COLORS = {"paper": "#c65a11", "corrected": "#1f6fb2"}
PALETTE = ("#1f6fb2", "#c65a11", "#2e8b57", "#8e44ad", "#7f6a00", "#c2185b", "#00838f", "#555555")
MARKERS = ("o", "s", "^")
TITLES = {"log_odds": "log-odds", "comprehensiveness": "comprehensiveness", "sufficiency": "sufficiency"}


def forest(found: Sequence[Tested], path: Path) -> None:
    """Each claim's advantage by each metric with its interval; filled where clear after Holm's correction."""
    shown = [one for one in found if one.found]
    sentences = list(dict.fromkeys(one.claim.sentence for one in shown))
    figure = _figure(9.5, 0.9 + 0.36 * len(sentences))
    axes = figure.subplots(1, len(METRICS), sharey=True)
    for axis, metric in zip(axes, METRICS, strict=True):
        axis.axvline(0, color="#999999", linewidth=0.8)
        for one in shown:
            own = next((each for each in one.found if each.metric == metric), None)
            if own is None:
                continue
            at = len(sentences) - sentences.index(one.claim.sentence) + (0.15 if one.protocol == "paper" else -0.15)
            color, difference = COLORS[one.protocol], own.difference
            axis.plot([difference.low, difference.high], [at, at], color=color, linewidth=1.2)
            face = color if one.p[metric] < CLEAR else "white"
            axis.plot(difference.mean, at, "o", markersize=4, color=color, markerfacecolor=face)
        axis.set_title(f"advantage by {TITLES[metric]}", fontsize=9)
        axis.tick_params(labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_yticks(range(len(sentences), 0, -1), sentences, fontsize=8)
    for protocol, color in COLORS.items():
        axes[0].plot([], [], "o-", color=color, markersize=4, linewidth=1.2, label=f"protocol {protocol}")
    figure.legend(fontsize=8, frameon=False, loc="outside lower center", ncols=2)
    figure.savefig(path, metadata={"Date": None})


def passes(values: Values, dataset: str, protocol: str, path: Path) -> None:
    """The mean of each metric over the models against the passes per text, for every method with mask."""
    points = sorted(price(values, dataset, protocol).items(), key=lambda one: one[1].passes)
    figure = _figure(9.5, 3.9)
    axes = figure.subplots(1, len(METRICS))
    for axis, metric in zip(axes, METRICS, strict=True):
        for (name, one), (marker, color) in zip(points, product(MARKERS, PALETTE), strict=False):
            face = color if one.is_whole else "white"
            label = f"{_label(name)} ({one.passes:,.0f})"
            axis.plot(one.passes, one.means[metric], marker, color=color, markerfacecolor=face, label=label)
        if resolve_metric(metric).better == "lower":
            axis.invert_yaxis()
        axis.set(xscale="log", xlabel="passes per text")
        axis.xaxis.label.set_size(8)
        axis.set_title(f"{TITLES[metric]}; higher on the picture is better", fontsize=8)
        axis.tick_params(labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    figure.legend(*axes[0].get_legend_handles_labels(), fontsize=8, frameon=False, loc="outside lower center", ncols=5)
    figure.savefig(path, metadata={"Date": None})


def _label(name: str) -> str:
    """A method's name, with its number of steps."""
    method, _, settings = name.partition(":")
    return f"{method}, {settings.replace('_', ' ').replace('=', ' ')}" if "steps" in settings else method


@dataclass(frozen=True, slots=True)
class Price:
    """What a method costs and gives, over texts and models.

    Args:
        is_whole: Whether the method has all texts of SIG. If not, its means are those of SIG plus the paired
            differences on the texts that it has.
    """

    passes: float
    means: dict[str, float]
    is_whole: bool


def price(values: Values, dataset: str, protocol: str) -> dict[str, Price]:
    """Each method's passes per text (a gradient is one more) and metrics."""
    models = models_by_name(values, dataset).values()
    own = [row for row in values.rows if (row.dataset, row.protocol, row.baseline) == (dataset, protocol, "mask")]
    names = sorted({row.method for row in own} - set(CONTROLS))
    rows = {name: [Row(dataset, model, protocol, "mask", name) for model in models] for name in names}
    known = {name: set.intersection(*(set(values.rows.get(one, {})) for one in each)) for name, each in rows.items()}
    texts = known.get("sig", set())
    return {name: _price(values, rows[name], rows["sig"], texts, known[name]) for name in names if texts & known[name]}


def _price(values: Values, rows: Sequence[Row], reference: Sequence[Row], texts: set[str], known: set[str]) -> Price:
    whole, own = sorted(texts), sorted(texts & known)

    def mean(of: Sequence[Row], figure: str, some: Sequence[str]) -> float:
        return float(np.nanmean([values.column(row, figure, some) for row in of]))

    ahead = {metric: mean(rows, metric, own) - mean(reference, metric, own) for metric in METRICS}
    means = {metric: mean(reference, metric, whole) + ahead[metric] for metric in METRICS}
    return Price(mean(rows, "forward", own) + mean(rows, "backward", own), means, own == whole)


def _figure(width: float, height: float) -> "Figure":  # type: ignore[name-defined]  # noqa: F821  # imported below
    import matplotlib

    matplotlib.rcParams |= {"svg.hashsalt": "unmask", "svg.fonttype": "none"}  # the same picture from the same values
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")
