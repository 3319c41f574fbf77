"""Runs in the precision of the model's own weights, whatever the caller has switched on."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import torch

AUTOCAST = ("cpu", "cuda", "mps", "xpu")  # device types on which autocast may be on


@contextmanager
def without_autocast() -> Iterator[None]:
    """Switch the caller's `torch.autocast` off: it would round most products to 16 bits. On again afterwards."""
    with ExitStack() as stack:
        for device in AUTOCAST:
            if torch.is_autocast_enabled(device):
                stack.enter_context(torch.autocast(device, enabled=False))
        yield
