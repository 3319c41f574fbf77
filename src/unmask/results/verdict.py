"""The verdict on an evaluation, in words: which method leads, and which differences are clear (significant).

Methods are ranked by comprehensiveness at the top share, with the headline operator, over their common texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..metrics.registry import Measure
from ..metrics.statistics import ROUNDING, Difference, compare_paired, comparisons, holm
from ..questions import Numbers
from .rows import GREEDY, NEARLY, RANDOM, EvaluationRow, headline_first, nearly_complete

if TYPE_CHECKING:
    from .evaluation import Evaluation

METRIC = "comprehensiveness"
CLEAR = 0.05  # a difference is clear if its p is smaller
FEWEST = 6  # fewest texts for a verdict: with five, a two-sided sign-flip test cannot give a p below 0.0625
UNITS = {"word": "words", "token": "tokens", "sentence": "sentences"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The methods with the highest mean, and how the leader compares with the other methods and with random."""

    leaders: Sequence[str]
    mean: float
    second: tuple[str, float] | None  # the method with the next highest mean, and that mean
    clear: Sequence[str]  # the methods that the leader clearly beats
    unclear: Sequence[str]
    controls: Mapping[str, float]  # the means of the controls
    random: Difference | None  # the leader minus random


def verdict(evaluation: "Evaluation") -> str:
    """Which method leads and by how much, which differences are clear, and which methods are not ranked."""
    measure = Measure(METRIC, next(iter(headline_first(evaluation.operators)), None), evaluation.top)
    methods = [row for row in evaluation.rows if row.kind in ("method", "given") and row.count(measure)]
    ranked = [row for row in nearly_complete(methods, measure) if not row.is_own(measure)]
    others = _not_ranked([row for row in methods if row not in ranked], methods, measure)
    if not ranked:
        return f"No method is ranked: {others}. Use another operator." if others else "No method was evaluated."
    common = ~np.isnan([row.values[measure] for row in ranked]).any(0)
    if (texts := int(common.sum())) < FEWEST:
        return f"{texts} text{'s are' if texts != 1 else ' is'} too few for a verdict: evaluate at least {FEWEST}."
    values = {row.name: row.values[measure][common] for row in ranked}
    controls = [row for row in evaluation.rows if row.name in (GREEDY, RANDOM) and measure in row.values]
    ranking = rank(values, {row.name: row.values[measure][common] for row in controls}, seed=evaluation.seed)
    top = f"the top {100 * evaluation.top:g}% of the {UNITS.get(evaluation.unit, 'units')}"
    quantity = "log-probability of the answer" if evaluation.explains_answers else "probability"
    unranked = [f"Not ranked: {others}."] * bool(others)
    return " ".join([_lead(ranking, top, quantity), _differences(ranking), *unranked])


def rank(values: Mapping[str, Numbers], controls: Mapping[str, Numbers], *, seed: int = 0) -> Ranking:
    """Rank methods by the means of their paired values, each [examples]; methods with equal means share the lead.

    The p-values between methods are Holm-corrected. Controls that have values for too few of the texts are left out.
    """
    means = {name: float(mine.mean()) for name, mine in values.items()}
    best = max(means.values())
    leaders = [name for name, mean in means.items() if best - mean < ROUNDING]
    others, mine = [name for name in values if name not in leaders], values[leaders[0]]
    differences = comparisons([(mine, values[name]) for name in others], seed=seed)
    chances = holm([difference.p if difference else 1.0 for difference in differences])
    clear = [name for name, p in zip(others, chances, strict=True) if p < CLEAR]
    known = {name: one for name, one in controls.items() if np.isfinite(one).sum() >= NEARLY * len(one)}
    return Ranking(
        leaders=leaders,
        mean=best,
        second=max(((name, means[name]) for name in others), key=lambda pair: pair[1], default=None),
        clear=clear,
        unclear=[name for name in others if name not in clear],
        controls={name: float(np.nanmean(one)) for name, one in known.items()},
        random=compare_paired(mine, known[RANDOM], seed=seed) if RANDOM in known else None,
    )


def _lead(ranking: Ranking, top: str, quantity: str) -> str:
    """The first sentence: the leader, its margin, its mean and the controls."""
    names, is_one = _joined(ranking.leaders), len(ranking.leaders) == 1
    controls = ", ".join(
        f"{name} {ranking.controls[name]:.2f}" for name in (GREEDY, RANDOM) if name in ranking.controls
    )
    change = f"{'falls' if ranking.mean >= 0 else 'rises'} by {abs(ranking.mean):.2f}"
    change = f"the {quantity} {change}{f' ({controls})' * bool(controls)}."
    if is_one and not (ranking.clear or ranking.unclear):
        return f"Without {top} by {names}, {change}"
    random = ranking.random
    is_above = random is None or (random.mean > 0 and random.p < CLEAR)
    doubt = "" if is_above else f" but {'does' if is_one else 'do'} not clearly beat random"
    if ranking.clear:
        lead = f"{names} {'leads' if is_one else 'lead'} by {_margin(ranking, 'over')}"
    elif ranking.unclear:
        lead = f"No method clearly leads; {names} {'has' if is_one else 'have'} the highest mean, "
        lead += _margin(ranking, "above")
    else:
        lead = f"{names} are equal"
    return f"{lead}{doubt}: without {top} {change}"


def _margin(ranking: Ranking, over: str) -> str:
    """The leader's margin over the next method."""
    name, mean = ranking.second or ("", ranking.mean)
    margin = f"{ranking.mean - mean:.2f}"
    return f"{margin if float(margin) else 'less than 0.01'} {over} {name}"


def _differences(ranking: Ranking) -> str:
    """The second sentence: which differences are clear."""
    clear, unclear, random = _joined(ranking.clear), _joined(ranking.unclear), ranking.random
    if clear:
        tail = f"; not clearly better than {unclear}" if unclear else ""
        return f"Clearly better than {clear} (Holm-corrected p < {CLEAR}){tail}."
    if unclear:
        return f"Not clearly better than {unclear} (Holm-corrected p ≥ {CLEAR})."
    if random is None:
        return "There is no other method and no random control to compare with."
    if random.p >= CLEAR:
        return f"Not clearly better than random (p ≥ {CLEAR})."
    return f"Clearly {'better' if random.mean > 0 else 'worse'} than random (p < {CLEAR})."


def _not_ranked(others: Sequence[EvaluationRow], methods: Sequence[EvaluationRow], measure: Measure) -> str:
    """The methods that are not ranked, with the reasons."""
    most = max((row.count(measure) for row in methods), default=0)
    alike = [row.name for row in others if row.is_own(measure)]
    fewer = [f"{row.name} ({row.count(measure):,} of {most:,} texts)" for row in others if row.name not in alike]
    return ", ".join([*([f"{_joined(alike)} (metric and method perturb alike)"] if alike else []), *fewer])


def _joined(names: Sequence[str]) -> str:
    *first, last = names or ("",)
    return f"{', '.join(first)} and {last}" if first else last
