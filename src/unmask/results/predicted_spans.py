"""Predictions that are spans of a text: entities found by a tagger, or the answer to a question."""

import numpy as np

from ..tasks.grouped import GroupedHead
from ..tasks.span_targets import CONTEXT, SpanHead
from ..tasks.tag_targets import TagHead
from ..tasks.targets import Array
from .metadata import PredictedSpan, Prediction

NO_ENTITY = "no entity"


def spans_prediction(head: GroupedHead, whole: Array) -> Prediction:
    """The predicted entities or the predicted answer, with the joint probability."""
    spans = tuple(_entities(head, whole)) if isinstance(head, TagHead) else (_answer(head, whole),)
    if not isinstance(head, TagHead):
        label = spans[0].text
    else:
        label = ", ".join(f"{span.text}: {span.label}" for span in spans) or NO_ENTITY
    share = float(np.prod([span.probability for span in spans])) if spans else _none(head, whole)
    return Prediction(label, {label: share}, labels=(label,), spans=spans)


def _entities(head: TagHead, whole: Array) -> list[PredictedSpan]:
    found = []
    for group, outputs in zip(head.entities(whole), head.predicted_spans(whole), strict=True):
        share = head.probability(whole, outputs)
        start, end = head.words[group.start].start, head.words[group.end - 1].end
        found.append(PredictedSpan(head.text_of(group), start, end, 0, group.kind, share))
    return found


def _none(head: GroupedHead, whole: Array) -> float:
    """The joint probability of all words' predicted labels."""
    assert isinstance(head, TagHead)
    return head.probability(whole, head.outputs_of(range(len(head.words)), head.predicted_tags(whole)))


def _answer(head: GroupedHead, whole: Array) -> PredictedSpan:
    assert isinstance(head, SpanHead)
    target = head.resolve("predicted", scale="log_probability", whole=whole)
    start, end = head.answer(target.outputs)
    share = float(np.exp(target(np.asarray(whole))))
    return PredictedSpan(head.texts[CONTEXT][start:end], start, end, CONTEXT, "answer", share)
