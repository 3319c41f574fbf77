"""Runs in a worker process: loads the model once, then computes one chunk after another."""

import io
from typing import Any

import numpy as np
import torch

from ..attribution.attribute import versions
from ..errors import ModelError
from ..progress import Progress
from .base import ChunkWork

SAME = ("unmask", "torch", "transformers")  # packages whose versions results depend on


def pack(work: ChunkWork) -> Any:
    """Pickle a function and its model into an array of bytes, which the workers on a machine share."""
    from ray import cloudpickle

    buffer = io.BytesIO()
    torch.save(work, buffer, pickle_module=cloudpickle)
    return np.frombuffer(buffer.getbuffer(), dtype=np.uint8)


class Worker:
    """A Ray actor that computes chunks of one function at a time."""

    def __init__(self) -> None:
        self._work: ChunkWork | None = None
        self._key = ""

    def open(self, packed: Any, key: str, expected: dict[str, str], device: str) -> str:
        """Load a function unless it is already loaded; return the worker's node."""
        import ray

        _check_versions(expected)
        if key != self._key:
            self._work = None  # keep only one model in memory
            self._work = torch.load(io.BytesIO(packed), map_location=device, weights_only=False)
            self._key = key
        return str(ray.get_runtime_context().get_node_id())

    def compute(self, chunk: Any) -> tuple[Any, Progress]:
        """Compute a chunk; return its result and its final progress."""
        last = Progress(0, 0)

        def report(progress: Progress) -> None:
            nonlocal last
            last = progress

        assert self._work is not None
        return self._work(chunk, report), last


def _check_versions(expected: dict[str, str]) -> None:
    """Reject a machine whose package versions could change results."""
    import socket

    own = versions()
    for name in SAME:
        if own.get(name) != expected.get(name):
            raise ModelError(
                f"the machine {socket.gethostname()!r} has {name} {own.get(name)}, but the driver has "
                f"{expected.get(name)}",
                hint="install the same versions on all machines",
            )
