"""A model that caches its outputs: a second explanation of a text needs many inputs of the first one."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import torch
from torch import Tensor

from unmask.models.adapter import Adapter, Batch


class RememberedRows:
    """An adapter that caches outputs by the content of each input; `computed` counts the inputs that the model ran."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._known = dict[bytes, Tensor]()
        self.computed = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._adapter, name)

    def forget(self) -> None:
        """Clear the cache before the next text."""
        self._known.clear()

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """Return the raw outputs; the model runs only inputs that are not in the cache."""
        keys = list(_contents(batch, vectors))
        new = list({key: at for at, key in enumerate(keys) if key not in self._known}.values())
        if new:
            self._known.update(
                zip((keys[at] for at in new), self._adapter.outputs(_some(batch, new), vectors[new]), strict=True)
            )
            self.computed += len(new)
        return torch.stack([self._known[key] for key in keys])


def _contents(batch: Batch, vectors: Tensor) -> Iterator[bytes]:
    """Return a key for each input: everything that the model reads, without padding."""
    for at, row in enumerate(vectors):
        is_read = batch.attention[at].bool()
        parts = (batch.ids[at], batch.attended[at], *(one[at] for _, one in sorted(batch.inputs.items())), row)
        yield blake2b(b"".join(part[is_read].numpy().tobytes() for part in parts), digest_size=16).digest()


def _some(batch: Batch, rows: list[int]) -> Batch:
    """Return some inputs of a batch."""
    return replace(
        batch,
        ids=batch.ids[rows],
        attention=batch.attention[rows],
        inputs={name: one[rows] for name, one in batch.inputs.items()},
        ignored=None if batch.ignored is None else batch.ignored[rows],
    )
