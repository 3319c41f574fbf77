"""Linear layers by oneDNN, where it is faster: PyTorch's default, MKL, uses AVX-512 on Intel's processors only.

PyTorch keeps about a megabyte of kernels for each number of rows that oneDNN multiplies, up to 1,024 of them. So the
rows of a batch are multiplied in blocks of few different sizes.
"""

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear, pad
from torch.overrides import TorchFunctionMode

PROCESSORS = Path("/proc/cpuinfo")
INTEL = "GenuineIntel"
LARGE = 1 << 22  # multiplications of a layer; for fewer, preparing oneDNN's kernel takes longer than it saves
BLOCK = 256  # rows of a block, for each thread
GRAIN, STEPS = 16, 8  # a block's size is a multiple of 16, and one of at most 8 sizes between a power of 2 and the next


def fast_linear() -> AbstractContextManager[Any]:
    """Within this context, float32 linear layers with constant weights run as fast as the processor can."""
    return _OneDNN() if is_faster() else nullcontext()


@cache
def is_faster() -> bool:
    """Whether oneDNN uses instructions of this processor that PyTorch's default does not."""
    return (
        torch.backends.mkldnn.is_available()
        and torch.backends.mkl.is_available()
        and torch.backends.cpu.get_cpu_capability() == "AVX512"
        and PROCESSORS.exists()
        and INTEL not in PROCESSORS.read_text(encoding="utf-8", errors="replace")
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )


class _OneDNN(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is linear and not kwargs and _is_plain(*args):
            return onednn_linear(*args)
        return func(*args, **(kwargs or {}))


def _is_plain(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> bool:
    """Whether the layer is ordinary and large: dense float32 on the CPU, with weights that need no gradient."""
    given = [one for one in (inputs, weight, bias) if one is not None]
    return (
        all(one.dtype is torch.float32 and one.device.type == "cpu" and one.layout is torch.strided for one in given)
        and all(type(one) in (Tensor, torch.nn.Parameter) and not one.requires_grad for one in given[1:])
        and inputs.numel() * len(weight) >= LARGE
    )


def onednn_linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """The layer's outputs, with a gradient for its inputs where one may be asked for."""
    if inputs.requires_grad and torch.is_grad_enabled():
        found: Tensor = _Linear.apply(inputs, weight, bias)  # type: ignore[no-untyped-call]  # torch's
        return found
    return _product(inputs, weight, bias)


def _product(inputs: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    rows, block = inputs.reshape(-1, inputs.shape[-1]), BLOCK * torch.get_num_threads()
    if len(rows) <= block:
        found = _block(rows, weight, bias)
    else:
        found = rows.new_empty(len(rows), len(weight))
        for part, place in zip(rows.split(block), found.split(block), strict=True):
            place.copy_(_block(part, weight, bias))
    return found.reshape(*inputs.shape[:-1], len(weight))


def _block(rows: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """The product of some rows, with rows of zeros added up to one of the sizes."""
    missing = block_size(len(rows)) - len(rows)
    padded = pad(rows, (0, 0, 0, missing)) if missing else rows
    found: Tensor = torch.ops.mkldnn._linear_pointwise(padded, weight, bias, "none", [], "")
    return found[: len(rows)]


def block_size(rows: int) -> int:
    """The smallest size of a block with this many rows.

    >>> [block_size(rows) for rows in (1, 17, 200, 257, 1_000)]
    [16, 32, 208, 288, 1024]
    """
    grain = max(GRAIN, (1 << rows.bit_length() - 1) // STEPS)
    return -(-rows // grain) * grain


class _Linear(torch.autograd.Function):
    """A linear layer with a gradient for its inputs."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(weight)
        return _product(inputs, weight, bias)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        (weight,) = ctx.saved_tensors
        return _product(gradients[0].contiguous(), weight.t().contiguous(), None), None, None
