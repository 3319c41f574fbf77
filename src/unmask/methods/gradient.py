"""Methods that need one gradient: Grad*Input (Shrikumar et al. 2016) and saliency (Simonyan et al. 2014)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..questions import Asking, Instance, Perturbation, Scores, ask_gradients
from .base import Method

ONCE = np.ones((1, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class GradXInput(Method):
    """The gradient times the embeddings: a rough approximation that needs no baseline."""

    name: ClassVar[str] = "grad_x_input"
    summary: ClassVar[str] = "Score = gradient of the {quantity} at the text times the {unit}'s embeddings."
    passes: ClassVar[str] = "2 forward + 1 forward and backward"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True
    uses_baseline: ClassVar[bool] = False
    needs: ClassVar[str] = "gradients"
    source: ClassVar[str] = "Shrikumar et al. 2016"

    def ask(self, instance: Instance) -> Asking:
        """Request the gradient with respect to the input embeddings, and multiply it by each word's embedding."""
        (features,) = yield from ask_gradients(
            instance.target, [Perturbation(instance.everything, 1.0, to="zero")], ONCE
        )
        return Scores(instance.totals(features.sum(-1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Saliency(Method):
    """The norm of each token's gradient, summed over the unit: magnitude without direction."""

    name: ClassVar[str] = "saliency"
    summary: ClassVar[str] = (
        "Score = gradient norm of the {quantity}, summed over the {unit}'s tokens: sensitivity without direction."
    )
    passes: ClassVar[str] = "2 forward + 1 forward and backward"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True
    uses_baseline: ClassVar[bool] = False
    is_signed: ClassVar[bool] = False
    needs: ClassVar[str] = "gradients"
    source: ClassVar[str] = "Simonyan et al. 2014"

    def ask(self, instance: Instance) -> Asking:
        """Request the gradient with respect to the text's input embeddings."""
        steps = [instance.whole.new_ones(1)]
        (gradients,) = yield from ask_gradients(
            instance.target, [Perturbation(instance.everything, 1.0)], ONCE, steps=steps
        )
        return Scores(instance.totals(gradients.norm(dim=-1)))
