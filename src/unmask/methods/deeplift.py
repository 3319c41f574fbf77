"""DeepLift (Shrikumar, Greenside and Kundaje 2017, rescale rule), as Captum computes it.

The rule replaces an activation's derivative with a slope: the difference of its outputs for text and baseline, divided
by the difference of its inputs. Captum applies it to modules such as nn.Tanh and nn.ReLU. GELU, the softmax of
attention, LayerNorm and products of activations keep their derivative at the text. With the published activations, the
scores are therefore

- gradient * (text - baseline) in DistilBERT and RoBERTa, whose heads call ReLU and tanh as functions;
- the same in BERT, except that the rule applies to the Tanh of the pooler.

With a `hidden_act` such as `relu`, the rule applies in every layer. The scores never sum exactly to `together`.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar

from ..errors import ArgumentError
from ..questions import Asking, Instance, Perturbation, Scores, ask_deeplift
from .base import Cost, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepLift(Method):
    """Captum's DeepLift for BERT, DistilBERT and RoBERTa, where it is nearly gradient * (text - baseline)."""

    name: ClassVar[str] = "deeplift"
    summary: ClassVar[str] = (
        "Score = gradient of the {quantity} at the text times ({unit} minus {baseline}); where DeepLift has a "
        "rule, it replaces an activation's gradient by the slope between baseline and text."
    )
    passes: ClassVar[str] = "2 forward + 2 forward and backward"
    rank: ClassVar[int] = 0
    exact: ClassVar[bool] = True
    needs: ClassVar[str] = "gradients and captum"
    source: ClassVar[str] = "Shrikumar et al. 2017"

    def __post_init__(self) -> None:
        """Fail early if Captum is missing."""
        try:
            is_installed = find_spec("captum") is not None
        except ValueError:  # sys.modules holds None or a stub without a spec
            is_installed = False
        if not is_installed:
            raise ArgumentError("deeplift needs captum, which is not installed", hint="pip install 'unmask[captum]'")

    def ask(self, instance: Instance) -> Asking:
        """Request the gradient between the masked text and the text, with the rescale rule applied."""
        features = yield from ask_deeplift(instance.target, Perturbation(instance.everything))
        return Scores(instance.totals(features.sum(-1)))

    def cost(self, units: int, tokens: int) -> Cost:
        """Two inputs with gradients: the text and the fully masked text."""
        return Cost(backward=2)
