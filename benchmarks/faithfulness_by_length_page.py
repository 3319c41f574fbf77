"""The page of benchmarks/faithfulness_by_length.py: means by band and model, and corrected differences from SIG."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unmask.metrics.registry import Measure, resolve_metric
from unmask.metrics.statistics import Difference, holm
from unmask.results.evaluation import Evaluation
from unmask.results.report import Report
from unmask.results.rows import GREEDY, RANDOM

TOP = 0.2
METRICS = (
    *("log_odds", "comprehensiveness", "sufficiency"),
    *("aopc_log_odds", "aopc_comprehensiveness", "aopc_sufficiency"),
)

OPERATORS = {"remove": "Words are removed", "mask": "Words are replaced by the mask token"}
REFERENCE = "sig"
CLEAR = 0.05

HEAD = """# Faithfulness by the length of the text

**{finding}**

Recursive search optimizes what comprehensiveness by mask measures, so the headline is by *removal*, which no method
here but `leave_one_out` and `recursive_sig:operator=remove` uses. A figure whose method perturbs as its metric does is
marked with °.

Texts: SST-2 test from sentence 900 on, and the sentences of Rotten Tomatoes' test set that are not in SST-2; nothing
was tuned on them. The length of a text is its number of units (words and punctuation marks).

    .venv/bin/python benchmarks/faithfulness_by_length.py

"""


@dataclass(frozen=True, slots=True)
class Cell:
    """One model on one band."""

    band: str
    model: str
    evaluation: Evaluation


def page(report: Report) -> str:
    """The page in Markdown, of what is stored."""
    cells = [Cell(one.dataset, one.model, one.evaluation) for one in report.cells if one.evaluation is not None]
    corrected = {operator: _corrected(cells, operator) for operator in OPERATORS}
    parts = [HEAD.format(finding=_finding(cells, corrected["remove"])), *_sizes(cells)]
    for operator, title in OPERATORS.items():
        parts += [f"## {title}\n\n", *_means(cells, operator), *_differences(corrected[operator])]
    return "".join(parts)


def _measure(metric: str, operator: str) -> Measure:
    return Measure(metric, operator, None if metric.startswith("aopc") else TOP)


def _bands(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    return {band: [cell for cell in cells if cell.band == band] for band in dict.fromkeys(cell.band for cell in cells)}


def _methods(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(row.name for cell in cells for row in cell.evaluation.rows))


def _sizes(cells: Sequence[Cell]) -> Iterator[str]:
    """Texts of every model and band."""
    yield "Texts with every method: "
    yield ", ".join(f"{cell.band} {cell.model} {_complete(cell.evaluation)}" for cell in cells) + ".\n\n"


def _complete(evaluation: Evaluation) -> int:
    rows = [row for row in evaluation.rows if row.kind == "method"]
    return min(row.count(_measure("log_odds", "remove")) for row in rows) if rows else 0


def _means(cells: Sequence[Cell], operator: str) -> Iterator[str]:
    """A table for each metric and band: methods down, models across, passes first."""
    for metric in METRICS:
        known = resolve_metric(metric)
        yield f"### {known.title} {known.arrow}\n\n"
        for band, columns in _bands(cells).items():
            yield f"| {band} words | passes | {' | '.join(cell.model for cell in columns)} |\n"
            yield f"| :--- | ---: |{' ---: |' * len(columns)}\n"
            for name in _methods(columns):
                figures = [_mean(cell.evaluation, name, _measure(metric, operator)) for cell in columns]
                yield f"| {name.replace('_', chr(92) + '_')} | {_passes(columns, name)} | {' | '.join(figures)} |\n"
            yield "\n"


def _mean(evaluation: Evaluation, name: str, measure: Measure) -> str:
    if name not in {row.name for row in evaluation.rows}:
        return "—"
    row, summary = evaluation.row(name), evaluation.summary(name, measure.metric, measure.operator, measure.share)
    if summary is None:
        return "—"
    return f"{summary.mean:.3f}{'°' * row.is_own(measure)} [{summary.low:.3f}, {summary.high:.3f}]"


def _passes(columns: Sequence[Cell], name: str) -> str:
    rows = [row for cell in columns for row in cell.evaluation.rows if row.name == name and row.texts]
    texts = sum(row.texts for row in rows)
    return f"{sum(row.passes.forward for row in rows) / texts:.0f}" if texts else "—"


Corrected = dict[tuple[str, str, str, str], tuple[Difference, float]]  # by metric, band, model and method


def _corrected(cells: Sequence[Cell], operator: str) -> Corrected:
    """Paired differences from SIG, with p corrected over all methods, metrics, models and bands."""
    found = {}
    for cell in cells:
        names = [row.name for row in cell.evaluation.rows if row.name not in (REFERENCE, GREEDY)]
        figures = [(name, _measure(metric, operator)) for name in names for metric in METRICS]
        for (name, measure), one in cell.evaluation.differences(figures, reference=REFERENCE).items():
            if one is not None:
                found[measure.metric, cell.band, cell.model, name] = one
    return dict(zip(found, zip(found.values(), holm([one.p for one in found.values()]), strict=True), strict=True))


def _differences(corrected: Corrected) -> Iterator[str]:
    """One table: every difference from SIG that is clear after the correction."""
    yield f"### Differences from SIG that are clear (Holm over {len(corrected):,} comparisons, p < {CLEAR})\n\n"
    yield "| metric | words | model | method | minus sig | 95 % interval | p |\n"
    yield "| :--- | :--- | :--- | :--- | ---: | :--- | ---: |\n"
    for (metric, band, model, name), (one, p) in sorted(corrected.items()):
        if p < CLEAR and name != RANDOM:
            shown = " | ".join((resolve_metric(metric).title, band, model, name.replace("_", "\\_")))
            yield f"| {shown} | {one.mean:+.3f} | [{one.low:+.3f}, {one.high:+.3f}] | {p:.3f} |\n"
    yield "\n"


def _finding(cells: Sequence[Cell], corrected: Corrected) -> str:
    """For each of three metrics, how often which method is ahead of SIG, in how many of the cells."""
    sentences = []
    for metric, words in (("log_odds", "log-odds"), ("sufficiency", "sufficiency")):
        counts: dict[str, list[bool]] = {}
        for (one, _, _, name), (difference, p) in corrected.items():
            if one == metric and name != RANDOM and "operator=remove" not in name:
                counts.setdefault(name, []).append(p < CLEAR and difference.mean < 0)
        ahead = {name: sum(values) for name, values in counts.items() if any(values)}
        listed = ", ".join(f"{name} on {n}" for name, n in sorted(ahead.items(), key=lambda pair: -pair[1]))
        sentences.append(f"by {words}, clearly ahead of SIG: {listed or 'no method'}")
    return f"With words removed, of {len(cells)} pairs of a model and a length: {'; '.join(sentences)}."
