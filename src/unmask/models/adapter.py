"""The interface between the engine and a model."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Protocol

import torch
from torch import Tensor

from ..results.metadata import ModelInfo
from ..tasks.task import Task
from ..text.answer import Answer
from ..text.spans import EncodedSegment, Token
from .vocabulary import Vocabulary

IGNORED = "ignored"  # the name of the baseline that has no vector


@dataclass(frozen=True, slots=True)
class Encoded:
    """The texts of a request as one sequence of tokens."""

    segments: tuple[EncodedSegment, ...]
    ids: tuple[int, ...]
    tokens: tuple[Token, ...]
    inputs: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # the tokenizer's other values, per token
    answer: Answer | None = None  # for a language model; the answer's tokens come last

    def without(self, places: Collection[int]) -> "Encoded":
        """A copy without some tokens; later tokens close the gap."""
        left = [at for at in range(len(self.ids)) if at not in places]
        return replace(
            self,
            ids=tuple(self.ids[at] for at in left),
            tokens=tuple(self.tokens[at] for at in left),
            inputs={name: tuple(values[at] for at in left) for name, values in self.inputs.items()},
            answer=None,  # its tokens have moved
        )

    def named(self, names: Sequence[str]) -> "Encoded":
        """A copy with these names for its segments."""
        pairs = zip(self.segments, names, strict=True)
        return replace(self, segments=tuple(replace(segment, name=name) for segment, name in pairs))

    @property
    def is_cut(self) -> bool:
        """Whether any of the texts was truncated."""
        return any(segment.is_cut for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What replaces a masked unit: a token's embedding, the zero vector (`id` None), or nothing (it is ignored)."""

    name: str
    token: str | None
    id: int | None
    warning: str | None = None

    @property
    def is_ignored(self) -> bool:
        """Whether masked tokens keep their position but no other token attends to them."""
        return self.name == IGNORED


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts as padded tensors on the model's device, each [rows, length], with one text per row."""

    ids: Tensor
    attention: Tensor
    pad: int  # the padding id
    inputs: Mapping[str, Tensor] = field(default_factory=dict)
    positions: Tensor | None = None  # [positions], ascending: the tokens whose outputs are needed; None for all
    ignored: Tensor | None = None  # [rows, length]: tokens that no other token attends to; None for none

    @property
    def attended(self) -> Tensor:
        """The attention mask without ignored tokens."""
        return self.attention if self.ignored is None else self.attention.masked_fill(self.ignored, 0)


class Adapter(Protocol):
    """A model as the engine sees it. `embed` and `outputs` run inside `inference_context`, on one batch at a time.

    An adapter may also have a `module`, the `torch.nn.Module` that `outputs` runs. Only DeepLift needs it.
    """

    @property
    def task(self) -> Task:
        """The task, which says how to read the outputs and what they mean."""

    def model_info(self) -> ModelInfo:
        """The model's name and the current hash of its content."""

    @property
    def device(self) -> torch.device:
        """The device of the model."""

    @property
    def precision(self) -> float:
        """The machine epsilon of the model's arithmetic."""

    @property
    def limit(self) -> int | None:
        """The largest number of tokens that the model reads; None if unlimited."""

    @property
    def pads(self) -> bool:
        """Whether texts of different length may share a batch."""

    def encode(self, *texts: str, max_length: int | None) -> Encoded:
        """Tokenize a request's texts, truncated to `max_length`, or to the model's limit if `max_length` is None."""

    def baseline(self, name: str) -> Baseline:
        """The baseline of that name."""

    def vocabulary(self) -> Vocabulary:
        """The vocabulary, for methods whose paths pass through other words."""

    def batch(self, texts: Sequence[Encoded]) -> Batch:
        """The texts padded to one length."""

    def inference_context(self) -> AbstractContextManager[None]:
        """A context in which the model is ready to run. The model is restored afterwards, even after an exception."""

    def embed(self, ids: Tensor) -> Tensor:
        """The word embeddings, [rows, length, width], before positions or types are added."""

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The raw outputs with `vectors` in place of the word embeddings.

        Returns one vector per row, [rows, ...], or one per token, [rows, length, ...]. If the batch has `positions`, an
        adapter may return outputs for only those tokens, [rows, positions, ...], so that a language model need not
        compute all logits.
        """

    def reference_outputs(self, batch: Batch) -> Tensor:
        """The raw outputs with nothing replaced, for the equivalence check."""


def pad_right(rows: Sequence[Sequence[int]], value: int, *, device: torch.device) -> Tensor:
    """Pad rows on the right to one length, [rows, length]."""
    length = max(map(len, rows))
    return torch.tensor([[*row, *[value] * (length - len(row))] for row in rows], device=device)
