"""Explanations with deciding sets to draw, from an additive model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unmask import Comparison, Explanation
from unmask.results.deciding_sets import DecidingSet, DecidingSets, SetStep
from unmask.results.metadata import MethodInfo, Passes

from .explanations import cases


def with_sets(
    found: Explanation, necessary: Sequence[int] = (), sufficient: Sequence[int] = (), **fields: Any
) -> Explanation:
    """The explanation with these sets; the predictions follow from the outputs without each unit."""
    others = [[unit for unit in range(len(found)) if unit not in sufficient[: at + 1]] for at in range(len(sufficient))]
    needed = _set(found, necessary, [necessary[: at + 1] for at in range(len(necessary))], **fields)
    return replace(found, sets=DecidingSets(needed, _set(found, sufficient, others, **fields), Passes(12)))


def _set(
    found: Explanation, units: Sequence[int], masked: Sequence[Sequence[int]], **fields: Any
) -> DecidingSet | None:
    if not units:
        return None
    whole, predicted = np.array(found.whole), found.prediction.label
    steps, answer = [], found
    for unit, gone in zip(units, masked, strict=True):
        losses = (whole - np.array((found.without or ())[at]) for at in gone)
        raw = whole - sum(losses, np.zeros_like(whole))
        answer = replace(found, whole=tuple(raw.tolist()))
        label, value = answer.prediction.label, found.together - answer.together
        share = answer.prediction.probabilities[predicted] if predicted else None
        steps.append(SetStep(unit, label, _value(found) - value, share, tuple(raw.tolist())))
    label = answer.prediction.label
    probability = answer.prediction.probabilities[label] if label else None
    known: dict[str, Any] = {"question": "label", "is_minimal": True} | fields
    return DecidingSet(tuple(units), steps=tuple(steps), label=label, label_probability=probability, **known)


def _value(found: Explanation) -> float:
    """The target's value for the whole text: the model's value, or the log-odds of two labels."""
    whole = dict(zip(found.outputs, found.whole, strict=True))
    target = str(found.target)
    return whole[target] - sum(value for label, value in whole.items() if label != target)


DECIDED = with_sets(cases()["short"], (1, 3), (1,), is_smallest=True)
UNDECIDED = replace(cases()["all-zero"], sets_note="the answer stays the same with every word masked")
RANKED = replace(
    cases()["short"],
    ranking=(3, 1, 8, 0, 2, 4, 5, 6, 7, 9),
    redundancy=tuple(at / 8 for at in range(10)),
    method=MethodInfo("recursive_sig"),
)


def decided_rows() -> Comparison:
    """One text explained by two methods; only the first has sets."""
    other = replace(DECIDED, sets=None, sets_note="not asked for", method=MethodInfo("two_sided"))
    return Comparison(over="method", names=("sig", "two_sided"), explanations=(DECIDED, other))
