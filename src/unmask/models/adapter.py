"""What the engine needs of a model, and the values that pass between them."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from ..results.metadata import ModelInfo
from ..tasks.task import Task
from ..text.spans import Segment, Token
from .vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Encoded:
    """The texts of a request as the model reads them, in one sequence of tokens."""

    segments: tuple[Segment, ...]
    ids: tuple[int, ...]
    tokens: tuple[Token, ...]
    inputs: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # the tokenizer's other values per token

    def without(self, places: Collection[int]) -> "Encoded":
        """The same with some tokens left out; those behind them close up."""
        left = [at for at in range(len(self.ids)) if at not in places]
        return replace(
            self,
            ids=tuple(self.ids[at] for at in left),
            tokens=tuple(self.tokens[at] for at in left),
            inputs={name: tuple(values[at] for at in left) for name, values in self.inputs.items()},
        )

    def named(self, names: Sequence[str]) -> "Encoded":
        """The same with names for its segments."""
        pairs = zip(self.segments, names, strict=True)
        return replace(self, segments=tuple(replace(segment, name=name) for segment, name in pairs))

    @property
    def is_cut(self) -> bool:
        """Whether the model does not read all of it."""
        return any(segment.is_cut for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a unit is replaced by: a token's embedding, or the zero vector (`id` None)."""

    name: str
    token: str | None
    id: int | None
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts as padded tensors on the model's device, all [rows, length]."""

    ids: Tensor
    attention: Tensor
    pad: int  # the id that fills the rows up
    inputs: Mapping[str, Tensor] = field(default_factory=dict)
    positions: Tensor | None = None  # [positions], ascending: where any row is read; None: everywhere


class Adapter(Protocol):
    """A model behind the seam. `embed` and `outputs` run inside `inference_context`, on one batch at a time."""

    @property
    def task(self) -> Task:
        """What is read from the model's outputs, and what that stands for."""

    def model_info(self) -> ModelInfo:
        """The model's name and the hash of its content, as it is now."""

    @property
    def device(self) -> torch.device:
        """Where the model is."""

    @property
    def precision(self) -> float:
        """How far apart two neighboring numbers of the model's are, at 1: what its arithmetic leaves out."""

    @property
    def limit(self) -> int | None:
        """How many tokens the model reads; None where it does not say."""

    @property
    def pads(self) -> bool:
        """Whether texts of unlike length may share a batch."""

    def encode(self, *texts: str, max_length: int | None) -> Encoded:
        """The tokens of a request's texts, cut at `max_length` or where the model's reading ends."""

    def baseline(self, name: str) -> Baseline:
        """The baseline of that name."""

    def vocabulary(self) -> Vocabulary:
        """All words that the model knows, for methods whose points are words."""

    def batch(self, texts: Sequence[Encoded]) -> Batch:
        """The texts padded to one length."""

    def inference_context(self) -> AbstractContextManager[None]:
        """The model ready to run; as it was found afterwards, whatever happens."""

    def embed(self, ids: Tensor) -> Tensor:
        """The word embeddings, [rows, length, width], before anything is added to them."""

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The raw outputs, [rows, ...], with `vectors` in the place of the word embeddings.

        One vector per row, or one per token, [rows, length, ...]; the task's readout reduces them in the batch. If the
        batch has `positions`, an adapter may compute the outputs of those tokens alone, [rows, positions, ...]: a
        language model then never computes the logits of the others.
        """

    def reference_outputs(self, batch: Batch) -> Tensor:
        """The raw outputs of the function that is explained, with nothing replaced: what the gate compares with."""


@runtime_checkable
class Modular(Protocol):
    """An adapter that shows what its model is made of: DeepLift alone asks for it."""

    @property
    def module(self) -> nn.Module:
        """The model that `outputs` runs."""


def pad_right(rows: Sequence[Sequence[int]], value: int, *, device: torch.device) -> Tensor:
    """Rows of numbers filled up on the right, [rows, length]."""
    length = max(map(len, rows))
    return torch.tensor([[*row, *[value] * (length - len(row))] for row in rows], device=device)
