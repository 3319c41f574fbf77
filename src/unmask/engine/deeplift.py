"""Computes DeepLift with Captum: the only method that needs hooks inside the model.

The hooks go on temporary copies, never on the caller's modules. Captum stores one input and one output per module, so
it fails if a module is used twice, as in a chunked feed-forward layer. Here, every use has its own copy.
"""

import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import torch
from torch import Tensor, nn

from ..errors import MethodError
from ..models.adapter import Adapter, Batch
from ..questions import DeepLiftQuery, Perturbation
from ..tasks.targets import Target
from .forward import EngineText, PendingRow, check_differentiable, perturbed_embeddings, read_out

FAMILIES = {"bert": "BERT", "distilbert": "DistilBERT", "roberta": "RoBERTa"}
RULED = (nn.ReLU, nn.ELU, nn.LeakyReLU, nn.Sigmoid, nn.Tanh, nn.Softplus, nn.Softmax)  # text models need no pooling
ROWS = 2  # the text and the baseline, each with a forward and a backward pass


def deeplift_contributions(adapter: Adapter, text: EngineText, question: DeepLiftQuery) -> Tensor:
    """Return multipliers times (text - perturbation), [tokens, width]. Parameters get no gradient."""
    from captum.attr import DeepLift

    model = supported_module(adapter)
    with adapter.inference_context(), torch.inference_mode(mode=False), torch.enable_grad(), _every_use_apart(model):
        batch = adapter.batch([text.encoded] * ROWS)
        rows = [PendingRow(text, Perturbation()), PendingRow(text, question.perturbation)]
        with torch.no_grad():
            written, start = perturbed_embeddings(adapter, batch, rows).split(1)
        explained = DeepLift(_Explained(adapter, model, batch, rows, question.target))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"Setting forward, backward hooks", UserWarning)  # Captum removes them
            contributions: Tensor = explained.attribute(written.detach().requires_grad_(), start)
        return contributions[0].detach().double().cpu()


def supported_module(adapter: Adapter) -> nn.Module:
    """Return the model, or raise an error. Only families whose scores are tested against plain Captum are supported."""
    module = getattr(adapter, "module", None)
    family = getattr(getattr(module, "config", None), "model_type", None)
    if not isinstance(module, nn.Module) or family not in FAMILIES:
        raise MethodError(
            f"deeplift does not support this model ({family or type(adapter).__name__}); it supports "
            f"{', '.join(FAMILIES.values())} only",
            hint="ig and gradient_shap also use a baseline, and work for every differentiable model",
        )
    return module


class _Explained(nn.Module):
    """A module that maps embeddings, [2, tokens, width], to values of the target, [2]."""

    def __init__(
        self, adapter: Adapter, model: nn.Module, batch: Batch, rows: Sequence[PendingRow], target: Target
    ) -> None:
        super().__init__()
        self.model = model  # a submodule, so that Captum finds the modules for its rules
        self._adapter, self._batch, self._rows, self._target = adapter, batch, rows, target

    def forward(self, vectors: Tensor) -> Tensor:
        raw = self._adapter.outputs(self._batch, vectors.clone())
        check_differentiable(raw)
        ((_, outputs),) = read_out(raw, self._rows, self._batch)
        return self._target(outputs.double())  # type: ignore[no-any-return]  # targets take arrays of any kind


@contextmanager
def _every_use_apart(model: nn.Module) -> Iterator[None]:
    """Replace each activation that has a DeepLift rule with a stand-in; restore the activations afterwards."""
    places = [
        (parent._modules, name, child)
        for parent in model.modules()
        for name, child in parent._modules.items()
        if child is not None and type(child) in RULED
    ]
    try:
        for modules, name, child in places:
            modules[name] = _EachUse(child)
        yield
    finally:
        for modules, name, child in places:
            modules[name] = child


class _EachUse(nn.Module):
    """A stand-in for an activation: each call uses a new copy of the activation, which carries Captum's hooks."""

    def __init__(self, activation: nn.Module) -> None:
        super().__init__()
        self._stands_for = (activation,)  # in a tuple, so that it is not registered as a submodule
        self._prepare: Callable[[nn.Module], object] = lambda _: None

    def apply(self, fn: Callable[[nn.Module], object]) -> Self:
        """Store the function that Captum applies to every module, so it can be applied to the copies."""
        self._prepare = fn
        return self

    def forward(self, inputs: Tensor) -> Tensor:
        """Apply the activation to a clone of the inputs, because Captum's rule overwrites the gradient at its input."""
        activation = self._stands_for[0]
        use = copy.copy(activation)
        # The copy keeps the caller's hooks; new hooks are added to the copy only.
        use.__dict__ = {
            name: value.copy() if isinstance(value, dict) else value for name, value in vars(activation).items()
        }
        self._prepare(use)
        return use(inputs.clone())  # type: ignore[no-any-return]  # modules are untyped
