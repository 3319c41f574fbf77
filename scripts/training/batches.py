"""Turns texts into padded batches of similar length, with whole words masked."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from .texts import Labelled

POOL = 50  # batches per pool; a pool is sorted by length


@dataclass(frozen=True, slots=True)
class Encoded:
    """One tokenized text; `words` gives each token's word, or None for special tokens."""

    ids: list[int]
    words: list[int | None]
    label: int

    def masked(self, share: float, mask: int, draw: random.Random) -> list[int]:
        """The ids with this share of the words masked (rounded at random); all tokens of a masked word are masked."""
        words = sorted({word for word in self.words if word is not None})
        count = int(share * len(words) + draw.random())
        chosen = set(draw.sample(words, min(count, len(words))))
        return [mask if word in chosen else token for token, word in zip(self.ids, self.words, strict=True)]


def encoded(
    tokenizer: PreTrainedTokenizerFast, examples: list[Labelled], *, max_tokens: int | None = None
) -> list[Encoded]:
    """Tokenize all texts, truncated to `max_tokens` or to the model's limit."""
    batch = tokenizer([example.text for example in examples], truncation=True, max_length=max_tokens)
    return [
        Encoded(ids, batch.word_ids(row), example.label)
        for row, (ids, example) in enumerate(zip(batch["input_ids"], examples, strict=True))
    ]


def shuffled(examples: list[Encoded], size: int, draw: random.Random) -> Iterator[list[Encoded]]:
    """The batches of one epoch: random pools, each sorted by length, with its batches in random order."""
    order = draw.sample(examples, len(examples))
    for start in range(0, len(order), size * POOL):
        pool = sorted(order[start : start + size * POOL], key=lambda example: len(example.ids))
        batches = [pool[first : first + size] for first in range(0, len(pool), size)]
        yield from draw.sample(batches, len(batches))


def tensors(rows: list[list[int]], pad: int) -> dict[str, Tensor]:
    """`input_ids` and `attention_mask`, padded on the right."""
    longest = max(map(len, rows))
    return {
        "input_ids": torch.tensor([row + [pad] * (longest - len(row)) for row in rows]),
        "attention_mask": torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows]),
    }
