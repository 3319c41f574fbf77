"""Is the mask fair? A model trained with masks against its twin trained without, on the same texts.

Two things are kept for each text and twin: the metrics of some methods with words removed or masked, and the model's
outputs with words masked next to those with the same words removed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from per_text_explanations import Task
from per_text_values import METRICS, Figures

from unmask import Explainer
from unmask.metrics.registry import Measure
from unmask.questions import Instance, Numbers, Perturbation
from unmask.results.evaluation import Evaluation

from .hidden import Probe
from .work import TOP, block

TWINS = {"with": "bert-rotten_tomatoes", "without": "bert-rotten_tomatoes-nomask"}  # trained with masks, without
DATASET, MASKS = "twins", "twins_masks"
OPERATORS = ("remove", "mask")
METHODS = ("sig", "leave_one_out", "ig", "two_sided")
SHARE, DRAWS = 0.2, 10

BLOCK = block(
    "rotten_tomatoes",
    "corrected",
    METHODS,
    controls=("random",),
    models=tuple(TWINS.values()),
    options={"top": TOP, "curve": (TOP,), "operators": OPERATORS},
)


def measures(found: Evaluation) -> Mapping[str, Measure]:
    """The figures of an evaluation: every metric by both operators."""
    return {f"{metric}:{one}": Measure(metric, one, TOP) for one in OPERATORS for metric in METRICS}


@dataclass(frozen=True, kw_only=True)
class MaskedAndRemoved(Probe):
    """Masks, and then removes: each unit, the same random fifths of the units, and all units."""

    name: ClassVar[str] = "masked_and_removed"

    def perturbations(self, instance: Instance) -> Sequence[Perturbation]:
        """All that are masked, then the same removed."""
        count = len(instance.units)
        draw = np.random.default_rng((0, *instance.ids))
        chosen = [[unit] for unit in range(count)]
        size = max(1, math.floor(SHARE * count + 0.5))
        chosen += [sorted(draw.choice(count, size, replace=False).tolist()) for _ in range(DRAWS)]
        chosen.append(list(range(count)))
        tokens = [tuple(sorted(token for unit in units for token in instance.units[unit])) for units in chosen]
        return [*(Perturbation(one) for one in tokens), *(Perturbation(dropped=one) for one in tokens)]


def measure(explainer: Explainer, texts: Sequence[str]) -> list[Figures]:
    """The figures of some texts."""
    found = []
    for text in texts:
        probe = MaskedAndRemoved()
        whole = np.array(explainer.explain(text, method=probe).whole)
        found.append(figures(whole, probe.outputs[0]))
    return found


def figures(whole: Numbers, outputs: Numbers) -> Figures:
    """What masking does compared with removal, from the two logits of the text, [2], and of its perturbations, [., 2].

    Probabilities are those of the predicted class; log-odds are those of positive.
    """
    masked, removed = np.split(outputs, 2)
    count, label = len(masked) - DRAWS - 1, int(whole.argmax())
    single, several = slice(0, count), slice(count, count + DRAWS)
    odds = {"masked": masked[:, 1] - masked[:, 0], "removed": removed[:, 1] - removed[:, 0]}
    sign = 1 if label == 1 else -1
    drops = [-sign * odds[name][single] for name in odds]
    shares = {name: probability(sign * values) for name, values in odds.items()}
    return {
        "words": count,
        "correlation": rank_correlation(*drops),  # of the scores of SIG and leave-one-out
        "same_top": float(drops[0].argmax() == drops[1].argmax()),
        "probability": float(probability(sign * (whole[1] - whole[0]))),
        **{f"some_{name}": float(values[several].mean()) for name, values in shares.items()},
        **{f"changed_{name}": float((values[several] < 0.5).mean()) for name, values in shares.items()},
        **{f"all_{name}": float(values[-1]) for name, values in odds.items()},
    }


def probability(odds: Any) -> Any:
    """The probability with these log-odds."""
    return 1 / (1 + np.exp(-odds))


def rank_correlation(first: Numbers, second: Numbers) -> float:
    """Spearman's rank correlation, ties by mean rank; NaN if one of the two is constant."""
    one, other = mean_ranks(first), mean_ranks(second)
    return math.nan if np.ptp(one) == 0 or np.ptp(other) == 0 else float(np.corrcoef(one, other)[0, 1])


def mean_ranks(values: Numbers) -> Numbers:
    """Each value's rank; equal values share their mean rank."""
    smaller = (values[None] < values[:, None]).sum(1)
    equal = (values[None] == values[:, None]).sum(1)
    return smaller + (equal + 1) / 2  # type: ignore[no-any-return]  # an array


TASK = Task(MASKS, tuple(TWINS.values()), "sig", measure)
