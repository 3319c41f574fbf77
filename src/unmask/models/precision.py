"""Keeps computations in the precision of the model's weights, even if the caller has enabled autocast."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from .adapter import Adapter

SIXTEEN_BITS = {torch.finfo(kind).eps: str(kind).removeprefix("torch.") for kind in (torch.float16, torch.bfloat16)}
AUTOCAST = ("cpu", "cuda", "mps", "xpu")  # device types on which autocast may be on


@contextmanager
def without_autocast() -> Iterator[None]:
    """Disable the caller's `torch.autocast`, which would round most products to 16 bits, and restore it afterwards."""
    with ExitStack() as stack:
        for device in AUTOCAST:
            if torch.is_autocast_enabled(device):
                stack.enter_context(torch.autocast(device, enabled=False))
        yield


def precision_warning(adapter: "Adapter") -> str | None:
    """A warning about a 16-bit model on a CPU, which runs such models slowly and inexactly."""
    kind = SIXTEEN_BITS.get(adapter.precision)
    if kind is None or adapter.device.type != "cpu":
        return None
    return (
        f"the model is in {kind} on a CPU: small scores are unreliable, and it is slower than in float32; "
        'load it with dtype="float32", or call model.float()'
    )
