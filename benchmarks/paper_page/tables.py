"""The tables of docs/results/paper.md in the paper's layout: three metrics per model, published figures beside ours."""

from collections.abc import Iterator, Sequence

import numpy as np
from per_text_values import METRICS, Row, Values

from unmask.studies.sig2023.published import published

from .claims import models_by_name
from .statistics import signed

ORDER = ("distilbert", "roberta", "bert")  # as in the paper
DATASETS = {"sst2": "SST-2", "rotten_tomatoes": "Rotten Tomatoes", "imdb": "IMDB"}
SHORT = {"log_odds": "LO ↓", "comprehensiveness": "Comp ↑", "sufficiency": "Suff ↓"}
RANKED = (  # the order of rows
    *("grad_x_input", "deeplift", "gradient_shap", "ig", "dig", "sig", "sig_path", "sdig"),
    *("leave_one_in", "two_sided", "recursive_sig", "shapley", "random", "greedy"),
)
CONTROLS = ("random", "greedy")
PUBLISHED = {"sig": "sig_path:steps=50", "gradient_shap:samples=5": "gradient_shap:samples=5,pool=baseline_and_text"}


def blocks(values: Values, dataset: str) -> list[tuple[str, str]]:
    """The protocols and baselines for which a dataset has values, without protocols of single parts."""
    found = {(row.protocol, row.baseline) for row in values.rows if row.dataset == dataset and ":" not in row.protocol}
    return sorted(found, key=lambda one: (one[0] != "paper", one[1]))


def table(values: Values, dataset: str, protocol: str, baseline: str) -> list[str]:
    """One table; a row's texts are those that all three models have."""
    models = models_by_name(values, dataset)
    own = [row for row in values.rows if (row.dataset, row.protocol, row.baseline) == (dataset, protocol, baseline)]
    names = sorted({row.method for row in own}, key=lambda name: (RANKED.index(name.partition(":")[0]), name))
    shown = [model for model in ORDER if model in models]
    means, counts = {}, {}
    for name in names:
        rows = {model: Row(dataset, models[model], protocol, baseline, name) for model in shown}
        texts = set.intersection(*(set(values.rows.get(row, {})) for row in rows.values()))
        if not texts:  # on some models only
            texts = set.union(*(set(values.rows.get(row, {})) for row in rows.values()))
        counts[name] = len(texts)
        for model, row in rows.items():
            for metric in METRICS:
                figures = values.column(row, metric, sorted(texts))
                means[name, model, metric] = float(np.nanmean(figures)) if (~np.isnan(figures)).any() else None
    columns = [(model, metric) for model in shown for metric in METRICS]
    best = {column: _best(means, counts, names, column) for column in columns}
    header = " | ".join(f"{model}: {SHORT[metric]}" for model, metric in columns)
    lines = [f"| method | texts | {header} |", f"| :--- | ---: |{' ---: |' * len(columns)}"]
    for name in names:
        cells = [
            _cell(means[name, *column], best[column] == name, _published(dataset, column, baseline, name, protocol))
            for column in columns
        ]
        lines.append(f"| {escaped(name)} | {counts[name]} | {' | '.join(cells)} |")
    return lines


def _best(
    means: dict[tuple[str, str, str], float | None],
    counts: dict[str, int],
    names: Sequence[str],
    column: tuple[str, str],
) -> str | None:
    """The method with the best mean among those with all texts."""
    most = max(counts.values())
    known = {name: means[name, *column] for name in names if name not in CONTROLS and counts[name] == most}
    ranked = {name: mean for name, mean in known.items() if mean is not None}
    return max(ranked, key=lambda name: signed(column[1], ranked[name], 0.0), default=None)


def _published(dataset: str, column: tuple[str, str], baseline: str, name: str, protocol: str) -> float | None:
    if protocol != "paper" or name in CONTROLS:
        return None
    figures = published(dataset, column[0], baseline, PUBLISHED.get(name, name))
    return None if figures is None else float(getattr(figures, column[1]))


def _cell(mean: float | None, is_best: bool, theirs: float | None) -> str:
    if mean is None:
        return "—"
    own = f"**{mean:.3f}**" if is_best else f"{mean:.3f}"
    return own if theirs is None else f"{own} ({theirs:g})"


def leaders(values: Values, dataset: str, protocol: str, baseline: str) -> Iterator[str]:
    """The method in bold in each column of a table."""
    header, _, *rows = table(values, dataset, protocol, baseline)
    for column in range(2, header.count("|") - 1):
        for row in rows:
            cells = [cell.strip() for cell in row.strip("|").split(" | ")]
            if cells[column].startswith("**"):
                yield cells[0].replace("\\", "")


def escaped(name: str) -> str:
    """A name for Markdown."""
    return name.replace("_", "\\_")
