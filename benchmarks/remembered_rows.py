"""Caches of a model's outputs: explanations of a text by several methods or budgets have many inputs in common.

The two-sided score, for one, has all inputs of SIG and of leave-one-in.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor

from unmask.models.adapter import Adapter, Batch
from unmask.models.huggingface.adapter import HuggingFaceAdapter


class Rows:
    """A model's outputs by the content of each input, unless gradients are computed.

    Args:
        run: Returns the outputs of a batch with these vectors.

    Attributes:
        computed: The number of inputs that the model ran.
    """

    def __init__(self, run: Callable[[Batch, Tensor], Tensor]) -> None:
        self._run = run
        self._known = dict[bytes, Tensor]()
        self.computed = 0

    def forget(self) -> None:
        """Clear the cache."""
        self._known.clear()

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """Return the raw outputs; the model runs only inputs that are not in the cache."""
        if torch.is_grad_enabled():
            return self._run(batch, vectors)
        keys = list(_contents(batch, vectors))
        new = list({key: at for at, key in enumerate(keys) if key not in self._known}.values())
        if new:
            found = self._run(_some(batch, new), vectors[new])
            self._known.update(zip((keys[at] for at in new), found, strict=True))
            self.computed += len(new)
        return torch.stack([self._known[key] for key in keys])


class RememberedRows:
    """An adapter that caches its outputs in `rows`."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self.rows = Rows(adapter.outputs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._adapter, name)

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """Return the raw outputs."""
        return self.rows.outputs(batch, vectors)


@contextmanager
def shared_rows() -> Iterator[None]:
    """Inside, every Hugging Face model caches its outputs, also one that a protocol wraps."""
    run, known = HuggingFaceAdapter.outputs, dict[int, Rows]()

    def outputs(adapter: HuggingFaceAdapter, batch: Batch, vectors: Tensor) -> Tensor:
        return known.setdefault(id(adapter), Rows(partial(run, adapter))).outputs(batch, vectors)

    with patch.object(HuggingFaceAdapter, "outputs", outputs):
        yield


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
