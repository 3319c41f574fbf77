"""Computes float32 linear layers and all their gradients by oneDNN, where that is faster than PyTorch's default.

`unmask.models.onednn` says where, and has the version for constant weights.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear
from torch.overrides import TorchFunctionMode

from unmask.models.onednn import is_faster


class OneDNN(TorchFunctionMode):
    """Within this context, float32 linear layers on the CPU are computed by oneDNN if that is faster."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Replace `linear`; leave all other functions as they are."""
        if func is linear and _is_supported(args[0]):
            found: Tensor = _Linear.apply(*args, **(kwargs or {}))  # type: ignore[no-untyped-call]  # torch's own
            return found
        return func(*args, **(kwargs or {}))


def _is_supported(inputs: Tensor) -> bool:
    return inputs.dtype is torch.float32 and inputs.device.type == "cpu" and is_faster()


class _Linear(torch.autograd.Function):
    """A linear layer with gradients for its inputs, weight and bias."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        ctx.save_for_backward(inputs, weight)
        return _product(inputs, weight, bias)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, Tensor, Tensor | None]:
        inputs, weight = ctx.saved_tensors
        gradient = gradients[0].contiguous()
        rows, inputs = gradient.flatten(end_dim=-2), inputs.flatten(end_dim=-2)
        of_inputs = _product(gradient, weight.t().contiguous()) if ctx.needs_input_grad[0] else None
        of_weight = _product(rows.t().contiguous(), inputs.t().contiguous())
        return of_inputs, of_weight, rows.sum(0) if ctx.needs_input_grad[2] else None


def _product(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    found: Tensor = torch.ops.mkldnn._linear_pointwise(inputs, weight, bias, "none", [], "")
    return found
