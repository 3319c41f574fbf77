"""A toy language model and its task: the log-probability of every token of an answer, out of 50,000 words."""

import gc
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from unmask import Request
from unmask.models.adapter import Batch, Encoded
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import Head, distinct_names
from unmask.tasks.task import BaseTask, Task

WORDS = 50_000
VECTORS = {"good": [2.0, 0.5], "bad": [-1.0, 1.0], "film": [0.25, -0.5], "not": [0.5, -2.0], "so": [-0.75, 0.25]}


@dataclass(frozen=True)
class AnswerReadout:
    """Reads each answer token's log-probability at the token before it."""

    positions: tuple[int, ...]
    words: tuple[int, ...]

    def reduce(self, raw: Tensor) -> Tensor:
        chosen = raw[:, torch.arange(len(self.words)), list(self.words)]
        return chosen - raw.logsumexp(-1)


@dataclass(frozen=True)
class FirstWords:
    """Reads the first logits of the last token as a view of all logits; the view must not keep the others alive."""

    positions: tuple[int, ...]

    def reduce(self, raw: Tensor) -> Tensor:
        return raw[:, 0, :3]


@dataclass(frozen=True)
class Answering(BaseTask):
    """Every token of the last segment is an output."""

    name: ClassVar[str] = "answering"
    model_classes: ClassVar[tuple[str, ...]] = ("ForAnswers",)
    head: ClassVar[None] = None

    @classmethod
    def for_model(cls, model: Any) -> "Answering":
        return cls()

    def text_head(self, encoded: Encoded) -> Head:
        last = len(encoded.segments) - 1
        tokens = [encoded.tokens[at] for at in answer_tokens(encoded)]
        names = [encoded.segments[last].text[slice(*token.span)] for token in tokens]
        return Head(distinct_names(names), "none", tuple((*token.span, last) for token in tokens))

    def readout(self, encoded: Encoded) -> AnswerReadout:
        tokens = answer_tokens(encoded)
        return AnswerReadout(tuple(at - 1 for at in tokens), tuple(encoded.ids[at] for at in tokens))


def answer_tokens(encoded: Encoded) -> list[int]:
    return [at for at, token in enumerate(encoded.tokens) if token.segment == len(encoded.segments) - 1]


def logits(vectors: Tensor, attention: Tensor) -> Tensor:
    """The logits of the next token given all tokens so far, [rows, length, words]."""
    heard = (vectors * attention[..., None]).cumsum(1).tanh()
    return heard @ torch.linspace(-1, 1, 2 * WORDS, dtype=vectors.dtype).view(2, WORDS).sin()


class LanguageModel(FormulaModel):
    """Records the size of each batch, and how many bytes of vocabulary logits are alive when it begins."""

    def __init__(self) -> None:
        super().__init__(VECTORS, logits)
        self.rows: list[int] = []
        self.alive: list[int] = []
        self.is_watched = False

    @property
    def task(self) -> Task:
        return Answering()

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        self.rows.append(len(batch.ids))
        if self.is_watched:
            self.alive.append(vocabulary_bytes())
        return super().outputs(batch, vectors)


def vocabulary_bytes() -> int:
    """The bytes of all tensors at least as large as a row of logits; a view counts as all memory it keeps alive."""
    gc.collect()
    storages = [one.untyped_storage() for one in gc.get_objects() if type(one) is Tensor]
    sizes = {storage.data_ptr(): storage.nbytes() for storage in storages}
    return sum(size for size in sizes.values() if size >= WORDS * 4)


def question(prompt: str, answer: str) -> Request:
    return Request(segments=[("prompt", prompt), ("answer", answer)], fixed=[(0, len(answer), 1)])
