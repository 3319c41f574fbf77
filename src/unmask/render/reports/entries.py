"""All figures of a cell, one by one, with what names them and how many texts they are of. Writes nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...metrics.faithfulness import METRICS
from ...metrics.random_deletion import FADING
from ...metrics.registry import ERRORS, KNOWN, PLAUSIBILITY, Measure, metrics_of
from ...metrics.statistics import Summary
from ...results.report import Report, ReportCell, Standing, operators
from ...results.rows import WORDS
from ..judged import AREAS
from .figures import mark

COSTS = {"passes": "passes a text", "gradient_passes": "passes with gradients", "seconds": "seconds a text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One figure of a row; None where nothing was computed."""

    name: str
    measure: Measure
    standing: Standing
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0
    mark: str = ""  # that it was judged by its own operator

    @property
    def title(self) -> str:
        """The metric, for people."""
        metric = KNOWN.get(self.measure.metric)
        if metric is None:
            return COSTS[self.measure.metric]
        share = "" if self.measure.share is None else f", {self.measure.share:.0%}"
        return f"{metric.title} {metric.arrow}".strip() + share + (" taken" if self.measure.metric in FADING else "")


def entries(report: Report, cell: ReportCell) -> Iterator[Entry]:
    """All figures of a cell in the order of the plan; of rows that were not computed, that they were not."""
    asked = {name: _measures(report, cell, name) for name in report.kinds} | _missing_words(cell)
    known = [(name, measure) for name, measures in asked.items() if cell.row(name) for measure in measures]
    found = cell.evaluation.summaries(known) if cell.evaluation else {}
    for name, measures in asked.items():
        standings = {one: cell.standing(name, one) for one in dict.fromkeys(measure.operator for measure in measures)}
        for measure in measures:
            own, standing = mark(cell.row(name), measure), standings[measure.operator]
            yield _entry(Entry(name=name, measure=measure, standing=standing, mark=own), found.get((name, measure)))
        if report.times:
            yield from costs(cell, name)


def costs(cell: ReportCell, name: str) -> Iterator[Entry]:
    """What a method took for each text that it scored; a text in several places is one."""
    row, standing = cell.row(name), cell.standing(name)
    if row is None or row.kind != "method" or not row.texts:
        return
    sums = {"passes": row.passes.forward, "gradient_passes": row.passes.backward, "seconds": row.seconds}
    for metric, total in sums.items():
        yield Entry(name=name, measure=Measure(metric), standing=standing, mean=total / row.texts, count=row.texts)


def _measures(report: Report, cell: ReportCell, name: str) -> list[Measure]:
    """The three metrics always, so that it is seen what is missing; the others where there are any."""
    row, own = cell.row(name), operators([cell]) or operators(report.cells)
    at_top = metrics_of("faithfulness", "derived")
    found = [
        Measure(metric, operator, share)
        for operator in own
        for metric in (*at_top, *AREAS)
        for share in (_shares(report, cell, metric) if metric in at_top else (None,))
    ]
    known = row.values if row else {}
    always = [Measure(metric, operator, report.top) for operator in own for metric in METRICS]
    return [one for one in (*found, *map(Measure, (*PLAUSIBILITY, *ERRORS))) if one in known or one in always]


def _shares(report: Report, cell: ReportCell, metric: str) -> list[float]:
    """At which a metric is taken: the top, and those of the curve."""
    curve = cell.evaluation.curve if cell.evaluation and metric in METRICS else ()
    return [report.top, *(share for share in curve if share != report.top)]


def _missing_words(cell: ReportCell) -> dict[str, list[Measure]]:
    """What the model says with words missing at random, where it was asked."""
    row = cell.row(WORDS)
    return {} if row is None else {WORDS: list(row.values)}


def _entry(entry: Entry, found: Summary | None) -> Entry:
    if found is None:
        return entry
    return replace(entry, mean=found.mean, low=found.low, high=found.high, count=found.count)
