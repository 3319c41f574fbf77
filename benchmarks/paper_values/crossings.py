"""Where another class leads on the path of Integrated Gradients: there, the largest logit is not the predicted class's.

A target that follows the largest logit explains another class at these points. SIG needs only the ends of its paths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from per_text_explanations import Task
from per_text_values import Figures
from timing import MODELS

from unmask import Explainer
from unmask.questions import Instance, Perturbation

from .hidden import Probe

DATASET = "sst2_paths"
POINTS = 20


@dataclass(frozen=True, kw_only=True)
class Path(Probe):
    """The middles of equal parts of IG's path, then each unit masked alone."""

    name: ClassVar[str] = "path"

    def perturbations(self, instance: Instance) -> Sequence[Perturbation]:
        """All units move together, then each unit is masked."""
        together = [Perturbation(instance.everything, (at + 0.5) / POINTS) for at in range(POINTS)]
        return [*together, *map(Perturbation, instance.units)]


def measure(explainer: Explainer, texts: Sequence[str]) -> list[Figures]:
    """The figures of some texts."""
    return [_figures(explainer, text) for text in texts]


def _figures(explainer: Explainer, text: str) -> Figures:
    """The shares of IG's path and of the single words where another class leads."""
    probe = Path()
    found = explainer.explain(text, method=probe)
    is_other = probe.outputs[0].argmax(-1) != int(np.argmax(found.whole))
    return {"path": float(is_other[:POINTS].mean()), "words": float(is_other[POINTS:].mean())}


TASK = Task(DATASET, MODELS, "ig", measure)
