"""Helpers for explanations of answers, whose tokens are outputs and where some (unit, output) pairs have no score."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..tasks.answer_targets import AnswerHead
from ..tasks.grouped import GroupedHead
from ..tasks.span_targets import SpanHead
from ..tasks.tag_targets import ENTITIES, TAGS, TagHead
from ..tasks.targets import ANSWER, SCALES, Array, Contrast, Head, Target, resolve_target
from .metadata import OutputToken, Prediction, SegmentInfo, Unit
from .predicted_spans import spans_prediction

if TYPE_CHECKING:
    from .explanation import Explanation

GROUPED: dict[str, type[GroupedHead]] = {"token_classification": TagHead, "question_answering": SpanHead}
Cells = NDArray[np.bool_]  # [units, outputs]


@dataclass(frozen=True, slots=True)
class WithoutContext:
    """The model's outputs for the answer without the prompt's documents: would it have said the same anyway?

    `outputs` are the raw outputs without the documents, `value` is the target's value without them, and `lost` is how
    much higher the value is with the documents.
    """

    outputs: tuple[float, ...]
    value: float
    lost: float


def is_answer(explanation: "Explanation") -> bool:
    """Whether the outputs belong to a language model: the tokens of an answer, or two continuations."""
    return explanation.activation in ("token", "sequence", "sequence_mean")


def head_of(explanation: "Explanation") -> Head:
    """The head, which says what the outputs of an explanation mean."""
    if (kind := GROUPED.get(explanation.task)) is not None:
        spans = explanation.output_spans or ()
        return kind(explanation.outputs, explanation.activation, spans, texts=explanation.texts)
    if explanation.activation != "token":
        return Head(explanation.outputs, explanation.activation)
    last = len(explanation.segments) - 1
    spans = tuple((token.start, token.end, last) for token in explanation.output_tokens)
    return AnswerHead(explanation.outputs, "token", spans, answer=explanation.continuation or "")


def target_of(explanation: "Explanation") -> Target:
    """The target of an explanation; raises an error if the target or scale is unknown."""
    head = head_of(explanation)
    if isinstance(head, AnswerHead | GroupedHead) and explanation.target_outputs is not None:
        return head.of_tokens(explanation.target_outputs, str(explanation.target), scale=explanation.scale)
    return resolve_target(explanation.target, scale=explanation.scale, head=head, whole=np.array(explanation.whole))


def quantity_of(explanation: "Explanation") -> str:
    """The explained quantity in words."""
    scale, target = SCALES[explanation.scale], explanation.target
    if explanation.target_outputs is not None and len(explanation.target_outputs) == len(explanation.outputs):
        return scale.quantity.format(label=f"the {ANSWER}")
    if explanation.activation == "grouped" and target in (ANSWER, ENTITIES, TAGS):
        return scale.quantity.format(label=f"the {target}")
    if explanation.task == "similarity":
        return "cosine similarity"
    per_token = " per token" if explanation.activation == "sequence_mean" else ""
    return scale.describe(target) + per_token


def prediction_of(explanation: "Explanation") -> Prediction:
    """The prediction for the whole text; for a language model, its answer."""
    return read_prediction(head_of(explanation), np.array(explanation.whole), answer=explanation.continuation or "")


def read_prediction(head: Head, outputs: NDArray[np.float64], *, answer: str = "") -> Prediction:
    """The prediction, computed from raw outputs; `answer` is the text of a language model's answer."""
    if head.activation == "none":
        return Prediction(None, value=float(outputs[0]))
    if isinstance(head, GroupedHead):
        return spans_prediction(head, outputs)
    if head.activation == "token":
        share = float(np.exp(head.on_scale(outputs, "log_probability").sum()))
        return Prediction(answer, {answer: share}, labels=(answer,))
    probabilities = np.exp(outputs) if head.activation == "sequence_mean" else head.probabilities(outputs)
    shares = {label: float(share) for label, share in zip(head.labels, probabilities, strict=True)}
    label = head.labels[head.predicted(outputs)]
    above = tuple(name for name, share in shares.items() if share > 0.5)
    return Prediction(label, shares, labels=above if head.activation == "sigmoid" else (label,))


def is_one_decisive(explanation: "Explanation") -> bool:
    """Whether masking a single unit changes the predicted label; in a multi-label model, the target's."""
    if not explanation.without:
        return False
    whole, without, target = np.array(explanation.whole), np.array(explanation.without), target_of(explanation)
    if explanation.activation == "softmax":
        return bool((without.argmax(-1) != whole.argmax()).any())
    if explanation.activation == "sigmoid" and target.index is not None:
        return bool(((without[:, target.index] > 0) != (whole[target.index] > 0)).any())
    return False


def missing_cells(
    units: Sequence[Unit], segments: Sequence[SegmentInfo], tokens: Sequence[OutputToken]
) -> Cells | None:
    """Mask [units, outputs]: True where a unit of the answer does not precede the output; None without such units."""
    own = np.array([segments[unit.segment].role == ANSWER for unit in units], dtype=bool)
    if not tokens or not own.any():
        return None
    ends, starts = np.array([unit.end for unit in units]), np.array([token.start for token in tokens])
    return np.asarray(own[:, None] & (ends[:, None] > starts))


def without_missing(scores: Sequence[float], cells: Cells | None, outputs: Sequence[int] | None) -> tuple[float, ...]:
    """Set the score of a unit to NaN if the unit comes before none of these outputs."""
    if cells is None or not outputs:
        return tuple(scores)
    chosen = list(outputs)
    return tuple(nan if row[chosen].all() else score for score, row in zip(scores, cells, strict=True))


def mask_missing(explanation: "Explanation", scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores of all outputs, [units, outputs], with NaN where a unit does not come before an output."""
    cells = missing_cells(explanation.units, explanation.segments, explanation.output_tokens)
    return scores if cells is None else np.where(cells, np.nan, scores)


def scores_toward(
    explanation: "Explanation", scores: NDArray[np.float64], outputs: Sequence[int] | None
) -> tuple[float, ...]:
    """The scores of units for some outputs; NaN for a unit that comes before none of them."""
    cells = missing_cells(explanation.units, explanation.segments, explanation.output_tokens)
    return without_missing(list(map(float, scores)), cells, outputs)


def segment_scores(explanation: "Explanation") -> tuple[float | None, ...] | None:
    """How much the target drops without each segment; None for a segment without units."""
    if explanation.without_segments is None:
        return None
    target = target_of(explanation)
    whole = target(np.array(explanation.whole))
    return tuple(None if raw is None else float(whole - target(np.array(raw))) for raw in explanation.without_segments)


def context_effect(target: Target, whole: Array, outputs: Array | None) -> WithoutContext | None:
    """The target's value without the prompt's documents, and how far it drops; None if there are no documents."""
    if outputs is None:
        return None
    value = float(target(outputs))
    return WithoutContext(tuple(target.head.values(outputs).tolist()), value, float(target(whole)) - value)


def context_toward(explanation: "Explanation", target: Target) -> WithoutContext | None:
    """`context_effect` of a stored explanation for another target."""
    known = explanation.without_context
    return known and context_effect(target, np.array(explanation.whole), np.array(known.outputs))


def is_same(one: object, other: object) -> bool:
    """Whether two values of a field are equal; NaN equals NaN."""
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(one, other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, float) and isinstance(other, float) and isnan(one):
        return isnan(other)
    return type(one) is type(other) and one == other if isinstance(one, Contrast) else one == other
