"""One batch through the model: probes become vectors here and nowhere else."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ..models.adapter import Adapter, Baseline, Batch, Encoded
from ..probes import Probe

OUT_OF_MEMORY = ("out of memory", "not enough memory", "can't allocate memory")  # CUDA and MPS, Windows, Linux


@dataclass(frozen=True, slots=True)
class Subject:
    """What all altered versions of one text share."""

    encoded: Encoded
    baseline: Baseline


@dataclass(frozen=True, slots=True)
class Row:
    """One altered version of one text."""

    subject: Subject
    probe: Probe

    @property
    def length(self) -> int:
        """Its tokens."""
        return len(self.subject.encoded.ids)


def is_out_of_memory(error: Exception) -> bool:
    """Whether a batch was too large for this machine."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in OUT_OF_MEMORY)


def raw_outputs(adapter: Adapter, rows: Sequence[Row]) -> Tensor:
    """The raw outputs of altered texts, [rows, outputs], in double precision and off the device."""
    with adapter.guarded(), torch.inference_mode():
        batch = adapter.batch([row.subject.encoded for row in rows])
        return adapter.outputs(batch, _altered(adapter, batch, rows)).cpu().double()


def _altered(adapter: Adapter, batch: Batch, rows: Sequence[Row]) -> Tensor:
    """The word embeddings, moved tokens at baseline + alpha * (written - baseline), [rows, length, width]."""
    moves = [(row, at, probe) for row, probe in enumerate(row.probe for row in rows) for at in probe.moved]
    if not moves:
        return adapter.embed(batch.ids)
    where = (torch.tensor([row for row, _, _ in moves]), torch.tensor([at for _, at, _ in moves]))
    baselines = [rows[row].subject.baseline.id for row, _, _ in moves]
    ids = batch.ids.clone()
    ids[where] = torch.tensor([0 if token is None else token for token in baselines], device=ids.device)
    vectors = adapter.embed(ids)
    if None in baselines:
        nothing = torch.tensor([token is None for token in baselines])
        vectors[where[0][nothing], where[1][nothing]] = 0.0
    if any(probe.alpha for _, _, probe in moves):
        alpha = torch.tensor([probe.alpha for _, _, probe in moves], dtype=torch.float64).to(vectors)[:, None]
        vectors[where] = vectors[where] + alpha * (adapter.embed(batch.ids)[where] - vectors[where])
    return vectors
