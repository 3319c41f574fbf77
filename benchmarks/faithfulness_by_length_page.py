"""Write the page of benchmarks/faithfulness_by_length.py: means by band and model, and differences from SIG."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

from faithfulness_by_length_cells import (
    CLEAR,
    FLIPS,
    METRICS,
    NAMED,
    OPERATORS,
    REFERENCE,
    SHARES,
    Cell,
    Corrected,
    ahead_and_behind,
    by_band,
    measure_of,
    passes,
)
from faithfulness_by_length_reading import pools, reading

from unmask.metrics.registry import Measure, resolve_metric
from unmask.metrics.statistics import comparisons, holm
from unmask.results.evaluation import Evaluation
from unmask.results.rows import GREEDY, RANDOM

HEAD = """# Faithfulness by text length

{finding}

Compare methods in the tables with words removed. Recursive SIG searches by masking words, so metrics that mask words
favor it. A result is marked ° if the method perturbs the text in the same way as the metric. Of the methods here,
`recursive_sig:operator=remove` removes words; all others mask them.

    .venv/bin/python benchmarks/faithfulness_by_length.py

{texts}

"""
TEXTS = """Texts: SST-2 test from sentence 900 on, and the sentences of Rotten Tomatoes' test set that are not in SST-2;
nothing was tuned on them. A text's length is its number of units (words and punctuation marks). Metrics other than AOPC
remove or keep the top 20% of the units. Intervals are 95% bootstrap intervals over texts; passes are per text."""
FEWER = """Shapley values and greedy choices take most of the time, so some of their results cover fewer texts. In that
case, the cell gives the number of texts, and comparisons use only these texts."""


def page(found: Iterable[Cell]) -> str:
    """Write the page in Markdown."""
    cells = list(found)
    corrected = {operator: _corrected(cells, operator) for operator in OPERATORS}
    parts = [HEAD.format(finding=_finding(cells, corrected["remove"]), texts=_head(cells)), *_texts(cells)]
    parts += [*reading(cells, corrected["remove"]), *pools(cells), *_counts(corrected, cells)]
    for operator, title in OPERATORS.items():
        parts += [f"## {title}\n\n", *_means(cells, operator)]
    parts += _differences(cells, corrected["remove"])
    for operator, title in OPERATORS.items():
        parts += _clear(corrected[operator], title)
    return "".join(parts)


def _head(cells: Sequence[Cell]) -> str:
    """Which texts there are, and, if so, that some rows have fewer."""
    measure = measure_of("log_odds", "remove")
    has_fewer = any(row.count(measure) < cell.evaluation.examples for cell in cells for row in cell.evaluation.rows)
    return fill(" ".join(f"{TEXTS} {FEWER if has_fewer else ''}".split()), 120, break_on_hyphens=False)


def _methods(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(row.name for cell in cells for row in cell.evaluation.rows))


def _texts(cells: Sequence[Cell]) -> Iterator[str]:
    """The number of texts that the figures cover."""
    models = list(dict.fromkeys(cell.model for cell in cells))
    yield f"| texts | {' | '.join(models)} |\n| :--- |{' ---: |' * len(models)}\n"
    for band, columns in by_band(cells).items():
        counts = {cell.model: str(cell.evaluation.examples) for cell in columns}
        yield f"| {band} words | {' | '.join(counts.get(model, '—') for model in models)} |\n"
    yield "\n"


def _counts(corrected: dict[str, Corrected], cells: Sequence[Cell]) -> Iterator[str]:
    """For each method, on how many combinations of model and band it is clearly ahead of SIG, and clearly behind."""
    yield "## Ahead of SIG and behind\n\n"
    yield f"Each cell shows on how many of the {len(cells)} combinations of model and length a method is clearly ahead "
    yield f"of SIG / clearly behind it. A difference is clear if p < {CLEAR} after Holm's correction over the "
    yield f"{len(corrected['remove']):,} comparisons with the same operator.\n\n"
    columns = [(operator, metric) for operator in OPERATORS for metric in SHARES]
    titles = [f"{operator}: {resolve_metric(metric).title}" for operator, metric in columns]
    yield f"| method | passes | {' | '.join(titles)} |\n| :--- | ---: |{' ---: |' * len(columns)}\n"
    for name in _methods(cells):
        if name not in (REFERENCE, GREEDY, RANDOM):
            shown = [ahead_and_behind(corrected[operator], metric, name) for operator, metric in columns]
            figures = " | ".join(f"{ahead} / {behind}" for ahead, behind in shown)
            yield f"| {_escaped(name)} | {passes(cells, name)} | {figures} |\n"
    yield "\n"


def _means(cells: Sequence[Cell], operator: str) -> Iterator[str]:
    """Write a table for each metric and band, with methods in rows and models in columns; passes come first."""
    for metric in METRICS:
        known = resolve_metric(metric)
        yield f"### {_title(metric)} {known.arrow}\n\n"
        for band, columns in by_band(cells).items():
            yield f"| {band} words | passes | {' | '.join(cell.model for cell in columns)} |\n"
            yield f"| :--- | ---: |{' ---: |' * len(columns)}\n"
            for name in _methods(columns):
                figures = [_mean(cell.evaluation, name, measure_of(metric, operator)) for cell in columns]
                yield f"| {_escaped(name)} | {passes(columns, name)} | {' | '.join(figures)} |\n"
            yield "\n"


def _mean(evaluation: Evaluation, name: str, measure: Measure) -> str:
    if name not in {row.name for row in evaluation.rows}:
        return "—"
    row, summary = evaluation.row(name), evaluation.summary(name, measure.metric, measure.operator, measure.share)
    if summary is None:
        return "—"
    fewer = f" ({summary.count} texts)" if summary.count < evaluation.examples else ""
    return f"{summary.mean:.3f}{'°' * row.is_own(measure)} [{summary.low:.3f}, {summary.high:.3f}]{fewer}"


def _corrected(cells: Sequence[Cell], operator: str) -> Corrected:
    """Paired differences from SIG, with p corrected over all methods, metrics, models and bands."""
    found = {}
    for cell in cells:
        rows = [row for row in cell.evaluation.rows if row.name not in (REFERENCE, RANDOM, GREEDY)]
        measures = [measure_of(metric, operator) for metric in METRICS]
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
    """Every difference from SIG at the top 20%, with words removed."""
    yield "## Each method minus SIG, words removed\n\n"
    yield "Each cell shows the mean difference, paired over texts, with its 95% bootstrap interval. "
    yield f"**Bold**: p < {CLEAR} after Holm's correction.\n\n"
    for metric in SHARES:
        yield f"### {_title(metric)} {resolve_metric(metric).arrow}, minus SIG\n\n"
        for band, columns in by_band(cells).items():
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
    yield f"The differences with p < {CLEAR} after Holm's correction, out of {len(corrected):,} comparisons.\n\n"
    yield "| metric | words | model | method | minus sig | 95% interval | p |\n"
    yield "| :--- | :--- | :--- | :--- | ---: | :--- | ---: |\n"
    for (metric, band, model, name), (one, p) in corrected.items():
        if p < CLEAR:
            shown = " | ".join((_title(metric), band, model, _escaped(name)))
            yield f"| {shown} | {one.mean:+.3f} | [{one.low:+.3f}, {one.high:+.3f}] | {p:.3f} |\n"
    yield "\n"


def _finding(cells: Sequence[Cell], corrected: Corrected) -> str:
    """How often recursive SIG, two-sided scores and Shapley values are clearly ahead of SIG."""
    (first, most), *others = ((name, ahead_and_behind(corrected, "log_odds", name)[0]) for name in NAMED)
    listed = " and ".join(f"{name} on {count}" for name, count in others)
    alone = sum(sum(ahead_and_behind(corrected, "sufficiency", name)) for name in NAMED)
    found = (
        f"By log-odds with words removed, {first} is clearly ahead of SIG on {most} of {len(cells)} combinations of "
        f"model and length, {listed}. Measured by sufficiency, {alone or 'none'} of the "
        f"{len(NAMED) * len(cells)} differences between these methods and SIG {'is' if alone < 2 else 'are'} clear."
    )
    return fill(f"**{found}**", 120, break_long_words=False, break_on_hyphens=False)


def _title(metric: str) -> str:
    return resolve_metric(metric).title


def _escaped(name: str) -> str:
    return name.replace("_", "\\_")
