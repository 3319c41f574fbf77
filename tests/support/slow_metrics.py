"""The metrics computed from their definitions: one altered text at a time, as ids for the plain model.

Uses no code of the package. The model gets only ids. RoBERTa and GPT-2 derive their positions, or the token at which
they read their output, from the padding in the ids, and do so here too if the operator is the pad token.
"""

import math
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import torch

Figures = tuple[float, float, float]  # log-odds, comprehensiveness, sufficiency


def count(units: int, share: float) -> int:
    """The number of units in a share: rounded half up, at least one, and at most all units."""
    exact = Fraction(str(share)) * units  # as written: 0.29 * 50 is 14.5, in floats a little less
    return min(units, max(1, math.floor(exact + Fraction(1, 2))))


def order(scores: Sequence[float]) -> list[int]:
    """The units from the largest signed score to the smallest; in ties, the earlier unit comes first."""
    return sorted(range(len(scores)), key=lambda unit: (-scores[unit], unit))


def corrected_figures(
    model: Any,
    ids: list[int],
    units: list[list[int]],
    scores: Sequence[float],
    *,
    target: int,
    operator: int | None,
    share: float,
) -> Figures:
    """(log_odds, comprehensiveness, sufficiency) of the units with the largest scores.

    Args:
        units: The token positions of each unit; tokens outside of units are always kept.
        target: The class whose probability is measured.
        operator: The id that replaces tokens; None removes them.
    """
    _check(units, scores)
    top = order(scores)[: count(len(units), share)]
    return (
        _log_odds(model, ids, units, top, target, operator),
        _comprehensiveness(model, ids, units, top, target, operator),
        _sufficiency(model, ids, units, top, target, operator),
    )


def area(
    model: Any,
    ids: list[int],
    units: list[list[int]],
    scores: Sequence[float],
    *,
    target: int,
    operator: int | None,
    shares: Sequence[float] = (0.01, 0.05, 0.1, 0.2, 0.5),
) -> Figures:
    """The mean of each figure over the shares; shares that select the same number of units count once."""
    _check(units, scores)
    by_count = {count(len(units), share): share for share in shares}
    bins = [
        corrected_figures(model, ids, units, scores, target=target, operator=operator, share=share)
        for share in by_count.values()
    ]
    log_odds, comprehensiveness, sufficiency = (sum(column) / len(bins) for column in zip(*bins, strict=True))
    return log_odds, comprehensiveness, sufficiency


def greedy(
    model: Any, ids: list[int], units: list[list[int]], *, target: int, operator: int | None, share: float
) -> Figures:
    """Each figure for units chosen greedily: each is the best choice given those before it; in ties, the earlier unit.

    Best is the smallest log-odds, the largest comprehensiveness, the smallest sufficiency.
    """
    _check(units)

    def chosen(figure: Callable[..., float], sign: int) -> float:
        top: list[int] = []
        for _ in range(count(len(units), share)):
            left = [unit for unit in range(len(units)) if unit not in top]
            values = {unit: sign * figure(model, ids, units, [*top, unit], target, operator) for unit in left}
            top.append(min(left, key=lambda unit: (values[unit], unit)))
        return figure(model, ids, units, top, target, operator)

    return chosen(_log_odds, 1), chosen(_comprehensiveness, -1), chosen(_sufficiency, 1)


def _log_odds(
    model: Any, ids: list[int], units: list[list[int]], top: list[int], target: int, operator: int | None
) -> float:
    without = altered_ids(ids, _places(units, top), operator)
    return log_probability(model, without, target) - log_probability(model, ids, target)


def _comprehensiveness(
    model: Any, ids: list[int], units: list[list[int]], top: list[int], target: int, operator: int | None
) -> float:
    without = altered_ids(ids, _places(units, top), operator)
    return math.exp(log_probability(model, ids, target)) - math.exp(log_probability(model, without, target))


def _sufficiency(
    model: Any, ids: list[int], units: list[list[int]], top: list[int], target: int, operator: int | None
) -> float:
    others = [unit for unit in range(len(units)) if unit not in top]
    only = altered_ids(ids, _places(units, others), operator)
    return math.exp(log_probability(model, ids, target)) - math.exp(log_probability(model, only, target))


def _places(units: list[list[int]], chosen: Sequence[int]) -> set[int]:
    return {place for unit in chosen for place in units[unit]}


def altered_ids(ids: list[int], places: Collection[int], operator: int | None) -> list[int]:
    """The ids with those at these positions removed, or replaced by the operator."""
    if operator is None:
        return [token for place, token in enumerate(ids) if place not in places]
    return [operator if place in places else token for place, token in enumerate(ids)]


@torch.no_grad()
def log_probability(model: Any, ids: list[int], target: int) -> float:
    if not ids:
        raise ValueError("no token is left: the model cannot be asked about an empty text")
    logits = model(input_ids=torch.tensor([ids])).logits[0]
    return float(logits.double().log_softmax(-1)[target])


def _check(units: list[list[int]], scores: Sequence[float] | None = None) -> None:
    if not units:
        raise ValueError("the text has no unit: it has no figures")
    if scores is not None and len(scores) != len(units):
        raise ValueError(f"{len(units)} units but {len(scores)} scores: there must be one score per unit")


def auprc(truth: list[bool], scores: Sequence[float]) -> float:
    """The area under the precision-recall curve by the trapezoid rule; equal scores form one point."""
    if not any(truth):
        raise ValueError("nothing is true: there is no recall")
    points = [(0.0, 1.0)]  # recall, precision
    for threshold in sorted(set(scores), reverse=True):
        chosen = [true for true, score in zip(truth, scores, strict=True) if score >= threshold]
        points.append((sum(chosen) / sum(truth), sum(chosen) / len(chosen)))
    found = 0.0
    for (recall, precision), (next_recall, next_precision) in pairwise(points):
        found += (next_recall - recall) * (precision + next_precision) / 2
    return found


def token_f1(truth: list[bool], chosen: list[bool]) -> float:
    """The harmonic mean of precision and recall; 0 if no true unit was chosen."""
    both = sum(true and taken for true, taken in zip(truth, chosen, strict=True))
    if both == 0:
        return 0.0
    precision, recall = both / sum(chosen), both / sum(truth)
    return 2 * precision * recall / (precision + recall)


def iou_parts(truth: list[bool], chosen: list[bool], threshold: float = 0.5) -> tuple[float, float]:
    """(precision, recall) of chosen spans; a span matches if its overlap with a true span reaches the threshold."""
    if len(truth) != len(chosen):
        raise ValueError(f"{len(truth)} true marks but {len(chosen)} chosen ones: there must be as many")
    true_spans, chosen_spans = _spans(truth), _spans(chosen)
    matches = 0
    for span in chosen_spans:
        overlaps = [len(span & other) / len(span | other) for other in true_spans]
        matches += bool(overlaps) and max(overlaps) >= threshold
    precision = matches / len(chosen_spans) if chosen_spans else 0.0
    recall = matches / len(true_spans) if true_spans else 0.0
    return precision, recall


def _spans(marks: list[bool]) -> list[set[int]]:
    """The indices of each run of neighboring marks."""
    found: list[set[int]] = []
    for place, mark in enumerate(marks):
        if mark and place > 0 and marks[place - 1]:
            found[-1].add(place)
        elif mark:
            found.append({place})
    return found


def permutation_p(differences: Sequence[float]) -> float:
    """The share of all sign patterns whose mean is at least this far from 0."""
    if len(differences) == 0:
        raise ValueError("no difference: there is nothing to test")
    observed = abs(sum(differences) / len(differences))
    extreme = 0
    for signs in product((1, -1), repeat=len(differences)):
        mean = sum(sign * value for sign, value in zip(signs, differences, strict=True)) / len(differences)
        extreme += abs(mean) >= observed - 1e-12  # the same sum in another order may differ in its last digit
    return float(extreme / 2 ** len(differences))
