"""Accuracy of a classifier on texts in which a share of the words is masked at random."""

import random

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from .batches import encoded, tensors
from .onednn import OneDNN
from .texts import Labelled


@torch.inference_mode()
def accuracy(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerFast,
    examples: list[Labelled],
    *,
    masked: float = 0.0,
    draws: int = 1,
) -> float:
    """The share of correct predictions, averaged over `draws` random maskings."""
    model.eval()
    rows = [
        (example.masked(masked, tokenizer.mask_token_id, draw) if masked else example.ids, example.label)
        for draw in (random.Random(seed) for seed in range(draws))
        for example in encoded(tokenizer, examples)
    ]
    rows.sort(key=lambda row: len(row[0]))
    right = 0
    for start in range(0, len(rows), 64):
        ids, labels = zip(*rows[start : start + 64], strict=True)
        with OneDNN():
            logits = model(**tensors(list(ids), tokenizer.pad_token_id)).logits
        right += int((logits.argmax(-1) == torch.tensor(labels)).sum())
    return right / len(rows)
