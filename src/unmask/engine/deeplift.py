"""DeepLift's question, answered by Captum: the one answer for which hooks go on a model's inner modules.

They go on copies that are thrown away, so the caller's modules never carry one. Captum keeps one input and one output
for each module and fails where a module is used more than once, as a feed-forward layer's activation is when it runs in
chunks; here every use is a module of its own.
"""

import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import torch
from torch import Tensor, nn

from ..errors import ModelError
from ..models.adapter import Adapter, Batch, Modular
from ..questions import DeepLiftQuery, Perturbation
from ..tasks.targets import Target
from .forward import EngineText, PendingRow, check_differentiable, perturbed_embeddings, read_out

FAMILIES = {"bert": "BERT", "distilbert": "DistilBERT", "roberta": "RoBERTa"}
RULED = (nn.ReLU, nn.ELU, nn.LeakyReLU, nn.Sigmoid, nn.Tanh, nn.Softplus, nn.Softmax)  # not pooling: text has none
ROWS = 2  # the text and its other end, forward and backward


def deeplift_contributions(adapter: Adapter, text: EngineText, question: DeepLiftQuery) -> Tensor:
    """Multipliers times steps from the altered text to the text, [tokens, width]; no parameter gets a gradient."""
    from captum.attr import DeepLift

    model = _module(adapter)
    with adapter.inference_context(), torch.inference_mode(mode=False), torch.enable_grad(), _every_use_apart(model):
        batch = adapter.batch([text.encoded] * ROWS)
        rows = [PendingRow(text, Perturbation()), PendingRow(text, question.perturbation)]
        with torch.no_grad():
            written, start = perturbed_embeddings(adapter, batch, rows).split(1)
        explained = DeepLift(_Explained(adapter, model, batch, rows, question.target))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"Setting forward, backward hooks", UserWarning)  # gone when it returns
            contributions: Tensor = explained.attribute(written.detach().requires_grad_(), start)
        return contributions[0].detach().double().cpu()


def _module(adapter: Adapter) -> nn.Module:
    """The model, where it is of a family whose scores are known to be Captum's."""
    module = adapter.module if isinstance(adapter, Modular) else None
    family = getattr(getattr(module, "config", None), "model_type", None)
    if module is None or family not in FAMILIES:
        raise ModelError(
            f"deeplift does not explain this model ({family or type(adapter).__name__}): it supports "
            f"{', '.join(FAMILIES.values())} only",
            hint="ig and gradient_shap also use a baseline, and work for every differentiable model",
        )
    return module


class _Explained(nn.Module):
    """From vectors, [2, tokens, width], to the target's values, [2]."""

    def __init__(
        self, adapter: Adapter, model: nn.Module, batch: Batch, rows: Sequence[PendingRow], target: Target
    ) -> None:
        super().__init__()
        self.model = model  # a part of this one, so that Captum finds what its rules go on
        self._adapter, self._batch, self._rows, self._target = adapter, batch, rows, target

    def forward(self, vectors: Tensor) -> Tensor:
        raw = self._adapter.outputs(self._batch, vectors.clone())
        check_differentiable(raw)
        ((_, outputs),) = read_out(raw, self._rows, self._batch)
        return self._target(outputs.double())  # type: ignore[no-any-return]  # targets take arrays of any kind


@contextmanager
def _every_use_apart(model: nn.Module) -> Iterator[None]:
    """Let each activation that has a rule be a stand-in; all are back in their places afterwards."""
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
    """Stands in an activation's place and answers each call by a fresh copy of it, with Captum's hooks on."""

    def __init__(self, activation: nn.Module) -> None:
        super().__init__()
        self._stands_for = (activation,)  # in a tuple: no part of this module
        self._prepare: Callable[[nn.Module], object] = lambda _: None

    def apply(self, fn: Callable[[nn.Module], object]) -> Self:
        """Keep what Captum does to every module of a model, for the copies to come."""
        self._prepare = fn
        return self

    def forward(self, inputs: Tensor) -> Tensor:
        """The activation. Captum's rule overwrites all that comes back to its input: so that is no one else's."""
        activation = self._stands_for[0]
        use = copy.copy(activation)
        # With the caller's hooks; further ones stay its own.
        use.__dict__ = {
            name: value.copy() if isinstance(value, dict) else value for name, value in vars(activation).items()
        }
        self._prepare(use)
        return use(inputs.clone())  # type: ignore[no-any-return]  # modules are untyped
