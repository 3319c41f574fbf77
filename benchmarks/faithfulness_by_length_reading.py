"""Write the section "What holds and what does not" of the page of benchmarks/faithfulness_by_length.py."""

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import fill

import numpy as np
from faithfulness_by_length_cells import HIGHER, NAMED, Cell, Corrected, ahead_and_behind, by_band, measure_of, passes

from unmask.metrics.registry import Measure
from unmask.metrics.statistics import compare_paired
from unmask.results.rows import GREEDY, RANDOM

POOLS = {
    "two-sided scores minus SIG": ("recursive_sig", "recursive_sig:two_sided=false"),
    "all units minus two-sided scores": ("recursive_sig:pool=none", "recursive_sig"),
}


def reading(cells: Sequence[Cell], corrected: Corrected) -> Iterator[str]:
    """Write the section, with counts over all combinations of model and band."""

    def ahead(name: str, other: str = "sig", metric: str = "log_odds", operator: str = "remove") -> str:
        return _ahead(cells, name, other, measure_of(metric, operator))

    clear = {name: ahead_and_behind(corrected, "log_odds", name)[0] for name in NAMED}
    listed = ", ".join(f"`{name}` on {ahead(name)} ({clear[name] or 'none'} of them clearly)" for name in NAMED)
    recursive, removing = "recursive_sig", "recursive_sig:operator=remove"
    points = (
        "**Words whose removal lowers the probability most.** Measured by log-odds, these methods are ahead of SIG: "
        f"{listed}.",
        f"**Cost.** For the three lengths, SIG takes {passes(cells, 'sig')} passes per text, `recursive_sig` "
        f"{passes(cells, recursive)} and Shapley values {passes(cells, 'shapley')}. `recursive_sig` is ahead of "
        f"Shapley values on {ahead(recursive, 'shapley')}.",
        "**Candidate pool.** A pool chosen by two-sided scores (the default) is ahead of one chosen by SIG on "
        f"{ahead(recursive, 'recursive_sig:two_sided=false')}; searching all units is ahead of the default on "
        f"{ahead('recursive_sig:pool=none', recursive)}.",
        f"**Recursion by removal** (`operator=remove`) beats the default on {ahead(removing, recursive)} when the "
        f"metric removes words, and on {ahead(removing, recursive, operator='mask')} when it masks them.",
        "**Words that support the prediction most on their own.** These methods have the best mean sufficiency: "
        f"{_leaders(cells)}. By sufficiency, `recursive_sig` is ahead of SIG on "
        f"{ahead(recursive, metric='sufficiency')}, and `leave_one_in` on "
        f"{ahead('leave_one_in', metric='sufficiency')}. The words whose removal lowers the probability most are not "
        "always the words that support the prediction most on their own; [deciding "
        "sets](../../explanation/deciding-sets.md) show both.",
    )
    yield "## What holds and what does not\n\n"
    counted = (
        f"With words removed, we count on how many of the {len(cells)} combinations of model and length one method has "
        "a better mean than another. A difference is clear if it is significant after Holm's correction (see below)."
    )
    yield fill(counted, 120) + "\n\n"
    for point in points:
        yield fill(f"- {point}", 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + "\n"
    yield "\n"


def _ahead(cells: Sequence[Cell], name: str, other: str, measure: Measure) -> str:
    """Return on how many combinations one method has the better mean, over the texts that both have: `7 of 12`."""
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
    """Return how often each method has the lowest sufficiency with words removed, among methods with all texts."""
    measure, best = measure_of("sufficiency", "remove"), Counter[str]()
    for cell in cells:
        rows = [row for row in cell.evaluation.rows if row.name not in (RANDOM, GREEDY) and not row.is_own(measure)]
        means = {row.name: row.mean(measure) for row in rows if row.count(measure) == cell.evaluation.examples}
        best[min(means, key=lambda name: means[name] or 0.0)] += 1
    return ", ".join(f"`{name}` on {count}" for name, count in best.most_common())


def pools(cells: Sequence[Cell]) -> Iterator[str]:
    """Compare the pools of recursive SIG on the mean of the models, for bands that all models have."""
    models = len({cell.model for cell in cells})
    bands = {band: own for band, own in by_band(cells).items() if len(own) == models}
    yield "## The pool of recursive SIG\n\n"
    compared = (
        f"We compare log-odds with words removed, averaged over the {models} models for each text. Each cell shows the "
        "mean difference, paired over texts, with its 95% bootstrap interval and an uncorrected p. Lower is better."
    )
    yield fill(compared, 120) + "\n\n"
    yield f"| pool | {' | '.join(f'{band} words' for band in bands)} |\n| :--- |{' :--- |' * len(bands)}\n"
    for title, names in POOLS.items():
        yield f"| {title} | {' | '.join(_pool(own, *names) for own in bands.values())} |\n"
    yield "\n"


def _pool(cells: Sequence[Cell], name: str, other: str) -> str:
    measure, fewest = measure_of("log_odds", "remove"), min(cell.evaluation.examples for cell in cells)
    mine, others = (
        np.mean([cell.evaluation.row(one).values[measure][:fewest] for cell in cells], 0) for one in (name, other)
    )
    found = compare_paired(mine, others)
    assert found is not None
    chance = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.3f}"
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}], {chance} ({found.count} texts)"
