"""One text judged: from the scores that methods gave its units to one number for each measure."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from .asking import Answered, Asked, Wanted
from .engine import Outcome
from .methods.random import Random
from .metrics.faithfulness import METRICS, Exam, areas, first_seed, judging, order
from .metrics.greedy import greedy
from .metrics.measures import Figures, Measure, averaged
from .metrics.plausibility import marked
from .metrics.robustness import FADING, SHARES, fading
from .parts import Passes
from .probes import Case, Numbers, Probe, Question, outputs
from .targets import resolved
from .text import Span


@dataclass(frozen=True, slots=True)
class Scored:
    """What a method gave the units of one text, and what that cost."""

    scores: tuple[float, ...]
    delta: float  # the sum of the scores minus what all units carry together
    residual: float | None  # the largest known error of a unit's score
    passes: Passes
    seconds: float


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked about one text besides its methods' orders."""

    gold: int | None
    seed: int
    random: int  # orders by chance
    wants_greedy: bool
    wants_fading: bool


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found out about one text: each method's figures, those of the controls, and how the model fades."""

    is_gold: bool  # whether the model is right, and scores speak for the gold label: what people explain
    judged: tuple[Figures, ...]
    drawn: tuple[tuple[float, ...], ...]  # scores by chance
    random: Figures  # their mean
    greedy: Figures
    fading: Figures


def scored(outcome: Outcome[Answered]) -> Scored:
    """A method's result without what judging does not need; raises what the text failed with."""
    answered = outcome.unwrapped()
    values, residuals = answered.scores.values, answered.scores.residuals
    together = answered.target(answered.whole) - answered.target(answered.at_baseline)
    residual = None if residuals is None else float(residuals.abs().max())
    delta = float(values.sum() - together)
    return Scored(tuple(values.tolist()), delta, residual, outcome.passes, outcome.seconds)


def examining(
    asked: Asked, wanted: Wanted, scores: Sequence[Sequence[float]], exam: Exam, questions: Questions
) -> Generator[Question, Tensor, Examined]:
    """Ask for all altered texts by which the scores of one text's units are judged."""
    case = yield from opened(asked, wanted)
    seeds = range(first := first_seed(questions.seed), first + questions.random)
    drawn = [tuple(Random(seed=seed).drawn(case).tolist()) for seed in seeds]
    values = yield from judging(case, [order(one) for one in (*scores, *drawn)], exam)
    found = [_measured(one, len(case.units), exam) for one in values]
    best: Figures = {}
    if questions.wants_greedy:
        best = _at_top((yield from greedy(case, exam)), exam)
    faded: Figures = {}
    if questions.wants_fading:
        operators = tuple(operator for operator in exam.operators if exam.protocol.operators is None) or ("remove",)
        faded = _faded((yield from fading(case, operators, gold=questions.gold, seed=questions.seed)), operators)
    judged, chance = tuple(found[: len(scores)]), averaged(found[len(scores) :])
    return Examined(_is_gold(case, questions.gold), judged, tuple(drawn), chance, best, faded)


def opened(asked: Asked, wanted: Wanted) -> Generator[Question, Tensor, Case]:
    """The text as a metric sees it."""
    (whole,) = yield from outputs([Probe()])
    return wanted.case(whole, resolved(asked.target, scale=wanted.scale, head=wanted.head, whole=whole), asked)


def rationale(asked: Asked, words: Sequence[Span]) -> tuple[bool, ...]:
    """Which units hold a word that people marked; of a pair they marked the first text."""
    return marked([None if group.segment else group.span for group in asked.groups], words)


def _is_gold(case: Case, gold: int | None) -> bool:
    """A target without an index is whichever output is largest."""
    return case.target.head.predicted(case.whole) == gold and case.target.index in (None, gold)


def _measured(values: Numbers, units: int, exam: Exam) -> Figures:
    """An order's figures by name, from [operators, shares, metrics]."""
    found: dict[Measure, float | tuple[float, float]] = {}
    total = areas(values, units, exam)
    for at, operator in enumerate(exam.operators):
        for column, metric in enumerate(METRICS):
            for place, share in enumerate(exam.shares):
                found[Measure(metric, operator, share)] = float(values[at, place, column])
            found[Measure(f"aopc_{metric}", operator)] = float(total[at, column])
    return {**found, **_clipped(found, exam)}


def _at_top(values: Numbers, exam: Exam) -> Figures:
    """Figures at the top share alone, from [operators, metrics]."""
    found: dict[Measure, float | tuple[float, float]] = {
        Measure(metric, operator, exam.top): float(values[at, column])
        for at, operator in enumerate(exam.operators)
        for column, metric in enumerate(METRICS)
    }
    return {**found, **_clipped(found, exam)}


def _clipped(found: Figures, exam: Exam) -> Figures:
    """Sufficiency counted as 0 where it is below."""
    plain = {operator: found[Measure("sufficiency", operator, exam.top)] for operator in exam.operators}
    return {
        Measure("sufficiency_clipped", operator, exam.top): float(np.maximum(0.0, value))
        for operator, value in plain.items()
    }


def _faded(values: Numbers, operators: Sequence[str]) -> Figures:
    """By name, from [operators, shares, 3]."""
    return {
        Measure(metric, operator, share): float(values[at, place, column])
        for at, operator in enumerate(operators)
        for place, share in enumerate(SHARES)
        for column, metric in enumerate(FADING)
    }
