"""What the tables of judged methods have in common: how a figure is written, which is the best, and what is said."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..metrics.greedy import UNITS
from ..metrics.perturbations import OPERATORS
from ..metrics.registry import KNOWN, Measure, is_better, metrics_of
from ..metrics.statistics import Difference, Summary
from ..results.evaluation import Evaluation
from ..results.rows import GREEDY, RANDOM, EvaluationRow
from .tables import Cell, Column

OWN = "°"
OWN_SAID = f"{OWN} judged by its own operator: what it is made of is what is measured, so it is no headline"
OWN_COMPARED = f"{OWN} one of the two is judged by its own operator: what it is made of is what is measured"
NOTHING = Cell("—", is_faint=True)
AREAS = metrics_of("area")
SAID = {
    RANDOM: "random: scores by chance, the mean of 10 draws; the floor",
    GREEDY: "greedy: units chosen one at a time for the metric itself; a strong reference, not an upper bound; not "
    f"computed for texts of more than {UNITS} units",
}
RIGHT = dict.fromkeys(("predicted", "max"), " and the model is right")
RIGHT_ABOUT_IT = f"{RIGHT['max']}, where the gold label is what is explained"
PAIRED = "Paired over texts: mean, 95 % bootstrap interval, and p of a two-sided permutation test by sign flips."
DELTA = (
    "Delta is an error only of methods whose scores promise to add up (ig, shapley, dig); SIG promises one "
    "identity for each unit, whose residual is its error: none for sig, which is exact."
)


def by(operator: str) -> str:
    """How words are taken away, in words."""
    if operator == "paper":
        return "Log-odds by the attribution's baseline, the others by removal"
    known = OPERATORS.get(operator)
    return f"Units are taken out by {operator}" if known is None else known.sentence


def as_published(function: str) -> str:
    """What the protocol `paper` is."""
    return (
        "The protocol 'paper' repeats the published code, faults included: what it explains is "
        f"{function}. Whether the published figures are met can be told only with the published models."
    )


def is_own(row: EvaluationRow, measure: Measure) -> bool:
    """Whether a figure takes units away as the method itself does."""
    if row.baseline is None or measure.operator is None:
        return False
    if measure.operator == "paper":
        by_baseline = measure.metric.removeprefix("aopc_") == "log_odds"
        return by_baseline if row.baseline != "remove" else not by_baseline
    return row.baseline == measure.operator


def name(row: EvaluationRow) -> Cell:
    """A row's name; controls are faint."""
    return Cell(row.name, is_faint=row.kind == "control")


def column(measure: Measure, group: str | None) -> Column:
    """What stands above the figures of a measure."""
    metric = KNOWN[measure.metric]
    is_area = measure.metric in AREAS
    title = metric.title.removesuffix(" AOPC") if is_area else metric.title
    return Column(f"{title} {metric.arrow}".strip(), group, hint=None if is_area else metric.meaning)


def best(metric: str, fair: Sequence[float], *, judged: int) -> float | None:
    """The best of the figures that may be the best; none where they are not most of those that were judged."""
    if not 2 * len(fair) > judged > 1:
        return None
    return next(one for one in fair if not any(is_better(metric, other, one) for other in fair))


def figure(found: Summary | None, *, is_best: bool = False, is_faint: bool = False, mark: str = "") -> Cell:
    """A mean with its interval."""
    if found is None:
        return NOTHING
    interval = f"[{found.low:.3f}, {found.high:.3f}]" if found.count > 1 else None
    return Cell(f"{found.mean:.3f}{mark}", interval, is_best, is_faint)


def compared(evaluation: Evaluation, rows: Sequence[EvaluationRow], measure: Measure) -> Iterator[Cell]:
    """A column: each row's mean and interval; the best of what is not judged by its own operator is bold."""
    found = list(evaluation.summaries((row.name, measure) for row in rows).values())
    most = max((one.count for one in found if one is not None), default=0)
    fair = [
        one.mean
        for row, one in zip(rows, found, strict=True)
        if one is not None and row.kind != "control" and not is_own(row, measure) and one.count == most
    ]
    largest = best(measure.metric, fair, judged=sum(row.kind != "control" for row in rows))
    for row, one in zip(rows, found, strict=True):
        own = is_own(row, measure)
        is_best = one is not None and row.kind != "control" and not own and one.mean == largest and one.count == most
        yield figure(one, is_best=is_best, is_faint=row.kind == "control", mark=OWN if own else "")


def agreed(evaluation: Evaluation, texts: int) -> str:
    """Of how many texts agreement with people is, and which these are."""
    right = RIGHT.get(evaluation.target, RIGHT_ABOUT_IT) if evaluation.plausibility == "correct" else ""
    return f"{texts:,} text{'s' * (texts != 1)}, those on which people agree{right}"


def chosen(length: int) -> str:
    """How many units a method may choose where people marked words."""
    return f"{length} unit{'s' * (length != 1)}"


def count(row: EvaluationRow, measure: Measure) -> int:
    """How many texts have the figure."""
    return int((~np.isnan(row.values[measure])).sum()) if measure in row.values else 0


def difference(found: Difference | None, *, mark: str = "") -> Cell:
    """A mean of paired differences with its interval and its chance."""
    if found is None:
        return NOTHING
    p = f"p = {found.p:.3f}" if found.p >= 0.001 else "p < 0.001"
    return Cell(f"{found.mean:+.3f}{mark}", f"[{found.low:+.3f}, {found.high:+.3f}], {p}")


def row(evaluation: Evaluation, called: str) -> EvaluationRow | None:
    """The row of that name, where there is one."""
    return next((one for one in evaluation.rows if one.name == called), None)
