"""Agreement with human rationales: AUPRC, token F1 and IOU F1 (DeYoung et al. 2020, ERASER).

A unit is in the rationale if it overlaps a marked word. AUPRC uses the scores themselves. The other two metrics use a
method's top units, as many as annotators mark on average.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ..errors import ArgumentError
from ..text.spans import Span
from .faithfulness import rank_units
from .registry import Figures, Measure

THRESHOLD = 0.5  # minimum intersection over union for a chosen span to count as a match


@dataclass(frozen=True, slots=True)
class Annotation:
    """The words that one annotator marked, as a mask over the whitespace-separated words, and the label they gave."""

    mask: tuple[bool, ...]
    label: str | None = None


def agreed_spans(text: str, annotations: Sequence[Annotation], *, gold: str | None) -> tuple[Span, ...]:
    """The words that most annotators marked, counting only annotators who gave the text its gold label.

    If the gold label or the annotators' labels are unknown, all annotators count.
    """
    words = [Span(*match.span()) for match in re.finditer(r"\S+", text)]  # the same words as str.split
    counted = [one for one in annotations if gold is None or one.label is None or one.label == gold]
    for one in counted:
        if len(one.mask) != len(words):
            raise ArgumentError(
                f"a rationale has {len(one.mask)} marks, but the text has {len(words)} words; give one mark per "
                "whitespace-separated word"
            )
    return tuple(word for at, word in enumerate(words) if 2 * sum(bool(one.mask[at]) for one in counted) > len(counted))


def marked_units(units: Sequence[Span | None], words: Sequence[Span]) -> tuple[bool, ...]:
    """Which units overlap the words; None stands for a unit of the other text."""
    return tuple(unit is not None and any(unit.overlaps(word) for word in words) for unit in units)


def mean_length(marks: Sequence[int]) -> int | None:
    """The mean number of marked units, rounded half up: how many units a method may choose in ERASER.

    >>> mean_length([2, 3]), mean_length([0, 0]), mean_length([])
    (3, 1, None)
    """
    return max(1, int(np.floor(np.mean(marks) + 0.5))) if marks else None


def plausibility_figures(scores: Sequence[float], truth: Sequence[bool], *, length: int) -> Figures:
    """The agreement of scores with the marked units, `truth`."""
    top = set(rank_units(scores)[:length])
    chosen = [unit in top for unit in range(len(truth))]
    return {
        Measure("auprc"): auprc(truth, scores),
        Measure("token_f1"): token_f1(truth, chosen),
        Measure("iou_f1"): iou_parts(truth, chosen),
    }


def auprc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """The area under the precision-recall curve, by the trapezoid rule as in ERASER.

    >>> auprc([True, False, True, False], [4.0, 3.0, 2.0, 1.0])
    0.7916...
    """
    ranked = np.argsort(-np.asarray(scores), kind="stable")
    hits = np.cumsum(np.asarray(truth)[ranked])
    ends = np.flatnonzero(np.diff(np.asarray(scores)[ranked], append=-np.inf))  # equal scores are chosen together
    precision, recall = hits[ends] / (ends + 1), hits[ends] / hits[-1]
    return float(np.trapezoid(np.concatenate([[1.0], precision]), np.concatenate([[0.0], recall])))


def token_f1(truth: Sequence[bool], chosen: Sequence[bool]) -> float:
    """The harmonic mean of precision and recall over units."""
    hits = sum(one and other for one, other in zip(truth, chosen, strict=True))
    return 2 * hits / (sum(truth) + sum(chosen)) if hits else 0.0


def iou_parts(truth: Sequence[bool], chosen: Sequence[bool]) -> tuple[float, float]:
    """The precision and recall of chosen spans; a span is a run of neighboring units.

    IOU F1 is the harmonic mean of precision and recall, each averaged over texts.
    """
    true_spans, spans = _runs(truth), _runs(chosen)
    matches = sum(any(_iou(span, true) >= THRESHOLD for true in true_spans) for span in spans)
    return matches / len(spans) if spans else 0.0, matches / len(true_spans) if true_spans else 0.0


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def _runs(chosen: Sequence[bool]) -> list[range]:
    runs, start = [], 0
    for is_chosen, group in groupby(chosen):
        end = start + len(list(group))
        if is_chosen:
            runs.append(range(start, end))
        start = end
    return runs


def _iou(one: range, other: range) -> float:
    common = max(0, min(one.stop, other.stop) - max(one.start, other.start))
    return common / (len(one) + len(other) - common)
