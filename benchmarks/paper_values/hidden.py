"""What scores of single words cannot see: sentences whose label no single word changes, although a set of words does.

Each sentence is explained with its deciding sets. Then as many of SIG's top words as the necessary set has are masked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from per_text_explanations import Task
from per_text_values import Figures
from timing import MODELS

from unmask import Explainer, Explanation
from unmask.methods import Method
from unmask.questions import Asking, Instance, Numbers, Perturbation, Scores, ask_outputs

DATASET = "sst2_sets"


@dataclass(frozen=True, kw_only=True)
class Probe(Method):
    """Requests the outputs for some perturbations of a text and keeps them."""

    name: ClassVar[str] = "probe"
    outputs: list[Numbers] = field(default_factory=list, hash=False)

    def perturbations(self, instance: Instance) -> Sequence[Perturbation]:
        """The perturbations; a subclass defines them."""
        raise NotImplementedError

    def ask(self, instance: Instance) -> Asking:
        """Request and keep the outputs; all scores are 0."""
        outputs = yield from ask_outputs(self.perturbations(instance))
        self.outputs.append(outputs.numpy())
        return Scores(instance.whole.new_zeros(len(instance.units)))


@dataclass(frozen=True, kw_only=True)
class Masked(Probe):
    """Masks some units."""

    units: tuple[int, ...]

    def perturbations(self, instance: Instance) -> Sequence[Perturbation]:
        """One perturbation."""
        return [Perturbation(tuple(sorted(token for unit in self.units for token in instance.units[unit])))]


def measure(explainer: Explainer, texts: Sequence[str]) -> list[Figures]:
    """For each text: how many single words change the label, and the necessary set that does."""
    return [_figures(explainer, one) for one in explainer.explain_many(texts, sets="auto")]


def _figures(explainer: Explainer, found: Explanation) -> Figures:
    assert found.sets is not None
    assert found.without is not None
    label, necessary = int(np.argmax(found.whole)), found.sets.necessary
    is_found = necessary is not None and necessary.question == "label"
    size = len(necessary.units) if necessary is not None and is_found else 0
    return {
        "words": len(found),
        "single": sum(int(np.argmax(outputs)) != label for outputs in found.without),
        "size": size or np.nan,  # of the set that changes the label
        "is_smallest": float(necessary.is_smallest is True) if necessary is not None and is_found else np.nan,
        "top": float(_changes_label(explainer, found, size)) if size else np.nan,
    }


def _changes_label(explainer: Explainer, found: Explanation, count: int) -> bool:
    """Whether masking this many of the words with the largest scores changes the label."""
    top = np.argsort(-np.array(found.scores), kind="stable")[:count]
    probe = Masked(units=tuple(top.tolist()))
    explainer.explain(found.text, method=probe)
    return int(np.argmax(probe.outputs[0][0])) != int(np.argmax(found.whole))


TASK = Task(DATASET, MODELS, "sig", measure)
