"""What runs in a worker process: opens the model once, then computes chunk after chunk."""

import io
from typing import Any

import numpy as np
import torch

from ..attribution.attribute import versions
from ..errors import ModelError
from ..progress import Progress
from .base import ChunkWork

SAME = ("unmask", "torch", "transformers")  # versions that numbers depend on


def pack(work: ChunkWork) -> Any:
    """A function with its model, as an array of bytes, which the workers of a machine share."""
    from ray import cloudpickle

    buffer = io.BytesIO()
    torch.save(work, buffer, pickle_module=cloudpickle)
    return np.frombuffer(buffer.getbuffer(), dtype=np.uint8)


class Worker:
    """Computes the chunks of one function at a time. Made an actor by Ray."""

    def __init__(self) -> None:
        self._work: ChunkWork | None = None
        self._key = ""

    def open(self, packed: Any, key: str, expected: dict[str, str], device: str) -> str:
        """Open a function, unless it is open. Returns the worker's node."""
        import ray

        _check_versions(expected)
        if key != self._key:
            self._work = None  # one model in memory at a time
            self._work = torch.load(io.BytesIO(packed), map_location=device, weights_only=False)
            self._key = key
        return str(ray.get_runtime_context().get_node_id())

    def compute(self, chunk: Any) -> tuple[Any, Progress]:
        """The result of a chunk, and the last progress of its computation."""
        last = Progress(0, 0)

        def report(progress: Progress) -> None:
            nonlocal last
            last = progress

        assert self._work is not None
        return self._work(chunk, report), last


def _check_versions(expected: dict[str, str]) -> None:
    """Refuse a machine whose numbers could be others."""
    import socket

    own = versions()
    for name in SAME:
        if own.get(name) != expected.get(name):
            raise ModelError(
                f"the machine {socket.gethostname()!r} has {name} {own.get(name)}, and the driver has "
                f"{expected.get(name)}",
                hint="install the same versions on all machines",
            )
