"""Exact SIG written from its definition: one plain forward pass per masked text, batch size 1, nothing of the engine.

The words are changed by ids. Where a model derives positions, or the token at which it reads its answer, from the ids,
they are given as in the original text.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


@torch.no_grad()
def outputs(model: Any, ids: Sequence[int], original: Sequence[int]) -> Any:
    """The logits of one text, [outputs]; `original` are its ids before a word was changed."""
    altered, written = torch.tensor([list(ids)]), torch.tensor([list(original)])
    if model.config.model_type == "roberta":
        pad = model.config.pad_token_id
        positions = (written != pad).cumsum(-1) * (written != pad) + pad
        return model(input_ids=altered, attention_mask=torch.ones_like(altered), position_ids=positions).logits[0]
    if model.config.model_type == "gpt2":
        hidden = model.transformer(input_ids=altered, attention_mask=torch.ones_like(altered)).last_hidden_state
        return model.score(hidden)[0, -1]
    return model(input_ids=altered, attention_mask=torch.ones_like(altered)).logits[0]


def scores(model: Any, ids: Sequence[int], units: Sequence[Sequence[int]], baseline: int) -> Tensor:
    """F(x) - F(x with that unit at the baseline) for every raw output, [units, outputs]."""
    whole = outputs(model, ids, ids)
    rows = []
    for unit in units:
        altered = [baseline if position in unit else token for position, token in enumerate(ids)]
        rows.append(whole - outputs(model, altered, ids))
    return torch.stack(rows)


def margins(model: Any, ids: Sequence[int], units: Sequence[Sequence[int]], baseline: int) -> Tensor:
    """The same for the log-odds of the predicted class, [units], by probabilities."""

    def log_odds(logits: Tensor) -> Tensor:
        p = torch.softmax(logits.double(), -1)[target]
        return torch.log(p / (1 - p))

    whole = outputs(model, ids, ids)
    target = int(whole.argmax())
    values = []
    for unit in units:
        altered = [baseline if position in unit else token for position, token in enumerate(ids)]
        values.append(log_odds(whole) - log_odds(outputs(model, altered, ids)))
    return torch.stack(values)
