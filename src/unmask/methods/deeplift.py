"""DeepLift (Shrikumar, Greenside and Kundaje 2017, rescale rule), as Captum computes it.

The rule replaces an activation's slope by the difference of its outputs over that of its inputs, at the text and at the
baseline. In a Transformer Captum's rules cover little: they are put on modules such as nn.Tanh and nn.ReLU, and know
neither GELU nor the softmax of attention nor LayerNorm nor a product of two activations, all of which keep their slope
at the text. So with the activations as published the scores are

- gradient * (text - baseline) in DistilBERT and RoBERTa, whose heads call ReLU and tanh without a module that lasts;
- the same but for the Tanh of the pooler in BERT, the one module with a rule.

A `hidden_act` such as `relu` has the rule in every layer. In no case do the scores add up to what all units carry.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar

from ..errors import ArgumentError
from ..questions import Asking, Instance, Perturbation, Scores, ask_deeplift
from .base import Cost, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepLift(Method):
    """DeepLift by Captum, for BERT, DistilBERT and RoBERTa: nearly the gradient times text - baseline there."""

    name: ClassVar[str] = "deeplift"
    summary: ClassVar[str] = (
        "A score is the gradient of the {quantity} at the text, times the way from {baseline} to that {unit}; "
        "where DeepLift has a rule, an activation's slope is that between the two."
    )
    passes: ClassVar[str] = "2, and 2 with gradients"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True
    needs: ClassVar[str] = "gradients and captum"
    source: ClassVar[str] = "Shrikumar et al. 2017"

    def __post_init__(self) -> None:
        """Refuse to be made where Captum is missing, before any text is read."""
        try:
            is_installed = find_spec("captum") is not None
        except ValueError:  # a module that says nothing of itself, or None in its place
            is_installed = False
        if not is_installed:
            raise ArgumentError(
                "deeplift is computed by captum, which is not installed", hint="pip install 'unmask[captum]'"
            )

    def ask(self, instance: Instance) -> Asking:
        """Ask for the rescaled gradient from the text of baselines to the text."""
        features = yield from ask_deeplift(instance.target, Perturbation(instance.everything))
        return Scores(instance.totals(features.sum(-1)))

    def cost(self, units: int, tokens: int) -> Cost:
        """The text and the text at the baseline, with gradients."""
        return Cost(backward=2)
