"""The metrics of one text: from the scores that methods gave its units to one number for each measure."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ..attribution.attribute import AttributionConfig, PreparedText
from ..engine import JobResult
from ..methods.random import Random
from ..metrics.faithfulness import METRICS, FaithfulnessConfig, areas, ask_faithfulness, first_seed, rank_units
from ..metrics.greedy import greedy
from ..metrics.random_deletion import FADING, SHARES, random_deletion
from ..metrics.registry import Figures, Measure, average, derived_figures
from ..questions import Instance, Numbers, Perturbation, Question, Scores, ask_outputs


@dataclass(frozen=True, slots=True)
class MetricQuestions:
    """What is asked about one text besides its methods' orders."""

    gold: int | None
    seed: int
    random: int  # orders by chance
    wants_greedy: bool
    wants_fading: bool


@dataclass(frozen=True, slots=True)
class TextMetrics:
    """What was found out about one text: each method's figures, those of the controls, and how the model fades."""

    is_gold: bool  # whether the model is right, and scores speak for the gold label: what people explain
    judged: tuple[Figures, ...]
    drawn: tuple[tuple[float, ...], ...]  # scores by chance
    random: Figures  # their mean
    greedy: Figures
    fading: Figures


def score_record(outcome: JobResult[Scores], *, is_cut: bool) -> dict[str, Any]:
    """What is kept of a method's result; raises what the text failed with."""
    scores = outcome.unwrap()
    values, residuals = scores.values, scores.residuals
    return {
        "scores": values.tolist(),
        "delta": float(values.sum() - scores.together),  # the sum of the scores minus what all units carry together
        "residual": None if residuals is None else float(residuals.abs().max()),  # the largest known error of a score
        "is_cut": is_cut,
        "forward": outcome.passes.forward,
        "backward": outcome.passes.backward,
        "seconds": round(outcome.seconds, 4),
    }


def evaluate_text(
    prepared: PreparedText,
    config: AttributionConfig,
    scores: Sequence[Sequence[float]],
    exam: FaithfulnessConfig,
    questions: MetricQuestions,
) -> Generator[Question, Tensor, TextMetrics]:
    """Ask for all altered texts by which the scores of one text's units are judged."""
    instance = yield from open_instance(prepared, config)
    seeds = range(first := first_seed(questions.seed), first + questions.random)
    drawn = [tuple(Random(seed=seed).drawn(instance).tolist()) for seed in seeds]
    values = yield from ask_faithfulness(instance, [rank_units(one) for one in (*scores, *drawn)], exam)
    found = [_measured(one, len(instance.units), exam) for one in values]
    best: Figures = {}
    if questions.wants_greedy:
        best = _at_top((yield from greedy(instance, exam)), exam)
    faded: Figures = {}
    if questions.wants_fading:
        operators = tuple(operator for operator in exam.operators if exam.protocol.operators is None) or ("remove",)
        faded = _faded(
            (yield from random_deletion(instance, operators, gold=questions.gold, seed=questions.seed)), operators
        )
    judged, chance = tuple(found[: len(scores)]), average(found[len(scores) :])
    return TextMetrics(_is_gold(instance, questions.gold), judged, tuple(drawn), chance, best, faded)


def open_instance(prepared: PreparedText, config: AttributionConfig) -> Generator[Question, Tensor, Instance]:
    """The text as a metric sees it."""
    (whole,) = yield from ask_outputs([Perturbation()])
    return config.instance(whole, prepared.resolve_target(whole, config.scale), prepared)


def _is_gold(instance: Instance, gold: int | None) -> bool:
    """A target without an index is whichever output is largest."""
    return instance.target.head.predicted(instance.whole) == gold and instance.target.index in (None, gold)


def _measured(values: Numbers, units: int, exam: FaithfulnessConfig) -> Figures:
    """An order's figures by name, from [operators, shares, metrics]."""
    found: dict[Measure, float | tuple[float, float]] = {}
    total = areas(values, units, exam)
    for at, operator in enumerate(exam.operators):
        for column, metric in enumerate(METRICS):
            for place, share in enumerate(exam.shares):
                found[Measure(metric, operator, share)] = float(values[at, place, column])
            found[Measure(f"aopc_{metric}", operator)] = float(total[at, column])
    return {**found, **derived_figures(found, exam.operators, exam.top)}


def _at_top(values: Numbers, exam: FaithfulnessConfig) -> Figures:
    """Figures at the top share alone, from [operators, metrics]."""
    found: dict[Measure, float | tuple[float, float]] = {
        Measure(metric, operator, exam.top): float(values[at, column])
        for at, operator in enumerate(exam.operators)
        for column, metric in enumerate(METRICS)
    }
    return {**found, **derived_figures(found, exam.operators, exam.top)}


def _faded(values: Numbers, operators: Sequence[str]) -> Figures:
    """By name, from [operators, shares, 3]."""
    return {
        Measure(metric, operator, share): float(values[at, place, column])
        for at, operator in enumerate(operators)
        for place, share in enumerate(SHARES)
        for column, metric in enumerate(FADING)
    }
