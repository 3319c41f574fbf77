"""The page of benchmarks/faithfulness_by_length.py: means by band and model, and corrected differences from SIG."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill

import numpy as np

from unmask.metrics.registry import Measure, resolve_metric
from unmask.metrics.statistics import Difference, comparisons, holm
from unmask.results.evaluation import Evaluation
from unmask.results.report import ReportCell
from unmask.results.rows import GREEDY, RANDOM, EvaluationRow

TOP = 0.2
SHARES = ("log_odds", "comprehensiveness", "sufficiency")  # at the top 20 % of the units
METRICS = (*SHARES, *(f"aopc_{metric}" for metric in SHARES))
HIGHER = ("comprehensiveness", "aopc_comprehensiveness")  # is better
OPERATORS = {"remove": "Words are removed", "mask": "Words are replaced by the mask token"}
REFERENCE = "sig"
NAMED = ("recursive_sig", "two_sided", "shapley")  # of the finding
EXPENSIVE = ("shapley", GREEDY)  # may be measured on fewer texts
ROWS = 9  # besides the expensive ones
CLEAR = 0.05
FLIPS = 200_000  # so that the smallest p stays below 0.05 after the correction

FIRST = (
    "Recursive search optimizes what comprehensiveness by mask measures, so read it by removal, which it never sees."
)
HEAD = """# Faithfulness by the length of the text

{finding}

A figure whose method perturbs as its metric does is marked with °. Of the methods here,
`recursive_sig:operator=remove` removes words; all others mask them.

    .venv/bin/python benchmarks/faithfulness_by_length.py

Texts: SST-2 test from sentence 900 on, and the sentences of Rotten Tomatoes' test set that are not in SST-2; nothing
was tuned on them. The length of a text is its number of units (words and punctuation marks). Metrics are at the top
20 % of the units unless they are AOPC; intervals are 95 % bootstrap intervals over texts; passes are per text. Shapley
values and greedy choices take most of the time: where they were measured on fewer texts, the cell says so, and they are
compared on these.

"""


@dataclass(frozen=True, slots=True)
class Cell:
    """One model on one band."""

    band: str
    model: str
    evaluation: Evaluation


Corrected = dict[tuple[str, str, str, str], tuple[Difference, float]]  # by metric, band, model and method


def is_complete(cell: ReportCell, texts: int) -> bool:
    """Whether every row but the expensive ones has every figure of that many texts."""
    if cell.evaluation is None or not {RANDOM, REFERENCE} <= {row.name for row in cell.evaluation.rows}:
        return False
    rows = [row for row in cell.evaluation.rows if row.name.partition(":")[0] not in EXPENSIVE]
    return len(rows) >= ROWS and all(_count(row, operator) == texts for row in rows for operator in OPERATORS)


def _count(row: EvaluationRow, operator: str = "remove") -> int:
    return row.count(_measure("log_odds", operator))


def page(found: Sequence[ReportCell]) -> str:
    """The page in Markdown, of what is stored."""
    cells = [Cell(one.dataset, one.model, one.evaluation) for one in found if one.evaluation is not None]
    corrected = {operator: _corrected(cells, operator) for operator in OPERATORS}
    parts = [HEAD.format(finding=_finding(cells, corrected["remove"])), *_texts(cells)]
    parts += [*_reading(cells, corrected["remove"]), *_counts(corrected, cells)]
    for operator, title in OPERATORS.items():
        parts += [f"## {title}\n\n", *_means(cells, operator)]
    parts += _differences(cells, corrected["remove"])
    for operator, title in OPERATORS.items():
        parts += _clear(corrected[operator], title)
    return "".join(parts)


def _measure(metric: str, operator: str) -> Measure:
    return Measure(metric, operator, None if metric.startswith("aopc") else TOP)


def _bands(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    return {band: [cell for cell in cells if cell.band == band] for band in dict.fromkeys(cell.band for cell in cells)}


def _methods(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(row.name for cell in cells for row in cell.evaluation.rows))


def _texts(cells: Sequence[Cell]) -> Iterator[str]:
    """How many texts stand behind the figures."""
    models = list(dict.fromkeys(cell.model for cell in cells))
    yield f"| texts | {' | '.join(models)} |\n| :--- |{' ---: |' * len(models)}\n"
    for band, columns in _bands(cells).items():
        counts = {cell.model: str(cell.evaluation.examples) for cell in columns}
        yield f"| {band} words | {' | '.join(counts.get(model, '—') for model in models)} |\n"
    yield "\n"


def _counts(corrected: dict[str, Corrected], cells: Sequence[Cell]) -> Iterator[str]:
    """For each method, on how many pairs of a model and a band it is clearly ahead of SIG, and clearly behind."""
    yield "## Ahead of SIG and behind\n\n"
    yield f"Of {len(cells)} pairs of a model and a length: on how many a method is clearly ahead of SIG / behind "
    yield f"(p < {CLEAR} after Holm's correction over the {len(corrected['remove']):,} comparisons by an operator).\n\n"
    columns = [(operator, metric) for operator in OPERATORS for metric in SHARES]
    titles = [f"{operator}: {resolve_metric(metric).title}" for operator, metric in columns]
    yield f"| method | passes | {' | '.join(titles)} |\n| :--- | ---: |{' ---: |' * len(columns)}\n"
    for name in _methods(cells):
        if name not in (REFERENCE, GREEDY, RANDOM):
            shown = [_ahead_and_behind(corrected[operator], metric, name) for operator, metric in columns]
            figures = " | ".join(f"{ahead} / {behind}" for ahead, behind in shown)
            yield f"| {_escaped(name)} | {_passes(cells, name)} | {figures} |\n"
    yield "\n"


def _ahead_and_behind(corrected: Corrected, metric: str, name: str) -> tuple[int, int]:
    clear = [
        one.mean for (own, _, _, method), (one, p) in corrected.items() if (own, method) == (metric, name) and p < CLEAR
    ]
    better = [(mean > 0) == (metric in HIGHER) for mean in clear]
    return sum(better), len(better) - sum(better)


def _means(cells: Sequence[Cell], operator: str) -> Iterator[str]:
    """A table for each metric and band: methods down, models across, passes first."""
    for metric in METRICS:
        known = resolve_metric(metric)
        yield f"### {_title(metric)} {known.arrow}\n\n"
        for band, columns in _bands(cells).items():
            yield f"| {band} words | passes | {' | '.join(cell.model for cell in columns)} |\n"
            yield f"| :--- | ---: |{' ---: |' * len(columns)}\n"
            for name in _methods(columns):
                figures = [_mean(cell.evaluation, name, _measure(metric, operator)) for cell in columns]
                yield f"| {_escaped(name)} | {_passes(columns, name)} | {' | '.join(figures)} |\n"
            yield "\n"


def _mean(evaluation: Evaluation, name: str, measure: Measure) -> str:
    if name not in {row.name for row in evaluation.rows}:
        return "—"
    row, summary = evaluation.row(name), evaluation.summary(name, measure.metric, measure.operator, measure.share)
    if summary is None:
        return "—"
    fewer = f" ({summary.count} texts)" if summary.count < evaluation.examples else ""
    return f"{summary.mean:.3f}{'°' * row.is_own(measure)} [{summary.low:.3f}, {summary.high:.3f}]{fewer}"


def _passes(columns: Sequence[Cell], name: str) -> str:
    rows = [row for cell in columns for row in cell.evaluation.rows if row.name == name and row.texts]
    texts = sum(row.texts for row in rows)
    if not texts:
        return "—"
    forward, backward = (sum(getattr(row.passes, part) for row in rows) / texts for part in ("forward", "backward"))
    return f"{forward:.0f} ({backward:.0f} with gradients)" if backward else f"{forward:.0f}"


def _corrected(cells: Sequence[Cell], operator: str) -> Corrected:
    """Paired differences from SIG, with p corrected over all methods, metrics, models and bands."""
    found = {}
    for cell in cells:
        rows = [row for row in cell.evaluation.rows if row.name not in (REFERENCE, RANDOM, GREEDY)]
        measures = [_measure(metric, operator) for metric in METRICS]
        reference = cell.evaluation.row(REFERENCE).values
        pairs = {
            (row.name, measure): (row.values[measure], reference[measure])
            for row in rows
            for measure in measures
            if measure in row.values
        }
        for (name, measure), one in zip(pairs, comparisons(list(pairs.values()), flips=FLIPS), strict=True):
            if one is not None:
                found[measure.metric, cell.band, cell.model, name] = one
    return dict(zip(found, zip(found.values(), holm([one.p for one in found.values()]), strict=True), strict=True))


def _differences(cells: Sequence[Cell], corrected: Corrected) -> Iterator[str]:
    """Every difference from SIG at the top 20 %, with words removed."""
    yield "## Each method minus SIG, words removed\n\n"
    yield "Paired over texts: mean and 95 % bootstrap interval. **Bold**: clear after the correction.\n\n"
    for metric in SHARES:
        yield f"### {_title(metric)} {resolve_metric(metric).arrow}, minus SIG\n\n"
        for band, columns in _bands(cells).items():
            yield f"| {band} words | {' | '.join(cell.model for cell in columns)} |\n"
            yield f"| :--- |{' ---: |' * len(columns)}\n"
            for name in _methods(columns):
                if name not in (REFERENCE, RANDOM, GREEDY):
                    figures = [_difference(corrected, (metric, band, cell.model, name)) for cell in columns]
                    yield f"| {_escaped(name)} | {' | '.join(figures)} |\n"
            yield "\n"


def _difference(corrected: Corrected, key: tuple[str, str, str, str]) -> str:
    if key not in corrected:
        return "—"
    one, p = corrected[key]
    mean = f"**{one.mean:+.3f}**" if p < CLEAR else f"{one.mean:+.3f}"
    return f"{mean} [{one.low:+.3f}, {one.high:+.3f}]"


def _clear(corrected: Corrected, title: str) -> Iterator[str]:
    """One table: every difference from SIG that is clear after the correction."""
    yield f"## Clear differences from SIG: {title[0].lower()}{title[1:]}\n\n"
    yield f"Those of {len(corrected):,} comparisons with p < {CLEAR} after Holm's correction.\n\n"
    yield "| metric | words | model | method | minus sig | 95 % interval | p |\n"
    yield "| :--- | :--- | :--- | :--- | ---: | :--- | ---: |\n"
    for (metric, band, model, name), (one, p) in corrected.items():
        if p < CLEAR:
            shown = " | ".join((_title(metric), band, model, _escaped(name)))
            yield f"| {shown} | {one.mean:+.3f} | [{one.low:+.3f}, {one.high:+.3f}] | {p:.3f} |\n"
    yield "\n"


def _finding(cells: Sequence[Cell], corrected: Corrected) -> str:
    """How often recursive SIG, two-sided scores and Shapley values are clearly ahead of SIG."""
    counts = {name: _ahead_and_behind(corrected, "log_odds", name)[0] for name in NAMED}
    listed = ", ".join(f"{name} on {count}" for name, count in counts.items())
    alone = sum(sum(_ahead_and_behind(corrected, "sufficiency", name)) for name in NAMED)
    found = (
        f"With words removed, of {len(cells)} pairs of a model and a length, these are clearly ahead of SIG by "
        f"log-odds: {listed}; by sufficiency, {alone or 'none'} of their {len(NAMED) * len(cells)} differences "
        f"from SIG {'is' if alone < 2 else 'are'} clear."
    )
    return fill(f"**{FIRST} {found}**", 120, break_long_words=False, break_on_hyphens=False)


def _reading(cells: Sequence[Cell], corrected: Corrected) -> Iterator[str]:
    """What holds and what does not, with its counts."""

    def ahead(name: str, other: str = "sig", metric: str = "log_odds", operator: str = "remove") -> str:
        return _ahead(cells, name, other, _measure(metric, operator))

    clear = {name: _ahead_and_behind(corrected, "log_odds", name)[0] for name in NAMED}
    listed = ", ".join(f"`{name}` on {ahead(name)} (clearly on {clear[name]})" for name in NAMED)
    recursive, removing = "recursive_sig", "recursive_sig:operator=remove"
    points = (
        f"**What costs most to lose.** By log-odds, ahead of SIG: {listed}.",
        f"**At what cost.** `recursive_sig` takes {_passes(cells, recursive)} passes a text, SIG "
        f"{_passes(cells, 'sig')}, Shapley values {_passes(cells, 'shapley')}. "
        f"It is ahead of Shapley values on {ahead(recursive, 'shapley')}.",
        "**The pool.** The default, chosen by two-sided scores, is ahead of a pool chosen by SIG on "
        f"{ahead(recursive, 'recursive_sig:two_sided=false')}; searching all units is ahead of the default on "
        f"{ahead('recursive_sig:pool=none', recursive)}.",
        "**Recursion by removal** (`operator=remove`, its own operator here) is ahead of the default on "
        f"{ahead(removing, recursive)}; with words masked, on {ahead(removing, recursive, operator='mask')}.",
        f"**What says most by itself.** By sufficiency, the best mean is that of {_leaders(cells)}. Ahead of SIG: "
        f"`recursive_sig` on {ahead(recursive, metric='sufficiency')}, `leave_one_in` on "
        f"{ahead('leave_one_in', metric='sufficiency')}. What costs most to lose and what says most by itself are two "
        "questions; [deciding sets](../../explanation/deciding-sets.md) answer both.",
    )
    yield "## What holds and what does not\n\n"
    yield f"Counted over the {len(cells)} pairs of a model and a length, by means with words removed:\n\n"
    for point in points:
        yield fill(f"- {point}", 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + "\n"
    yield "\n"


def _ahead(cells: Sequence[Cell], name: str, other: str, measure: Measure) -> str:
    """On how many of the pairs one method has the better mean, over the texts that both have: `7 of 12`."""
    differences = [
        difference for cell in cells if (difference := _mean_difference(cell, name, other, measure)) is not None
    ]
    return f"{sum((one > 0) == (measure.metric in HIGHER) for one in differences if one)} of {len(differences)}"


def _mean_difference(cell: Cell, name: str, other: str, measure: Measure) -> float | None:
    rows = {row.name: row.values.get(measure) for row in cell.evaluation.rows}
    mine, others = rows.get(name), rows.get(other)
    if mine is None or others is None or np.isnan(mine - others).all():
        return None
    return float(np.nanmean(mine - others))


def _leaders(cells: Sequence[Cell]) -> str:
    """The methods with the lowest sufficiency, words removed, and on how many pairs; of those with every text."""
    measure, best = _measure("sufficiency", "remove"), Counter[str]()
    for cell in cells:
        rows = [row for row in cell.evaluation.rows if row.name not in (RANDOM, GREEDY) and not row.is_own(measure)]
        means = {row.name: row.mean(measure) for row in rows if row.count(measure) == cell.evaluation.examples}
        best[min(means, key=lambda name: means[name] or 0.0)] += 1
    return ", ".join(f"`{name}` on {count}" for name, count in best.most_common())


def _title(metric: str) -> str:
    return resolve_metric(metric).title


def _escaped(name: str) -> str:
    return name.replace("_", "\\_")
