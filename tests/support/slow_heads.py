"""Scores for every head computed from the definition: words replaced by id, one text at a time, without the engine."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from unmask import Explanation

Ids = list[int]


def tokens_of(tokenizer: Any, *texts: str) -> Any:
    return tokenizer(*texts, return_offsets_mapping=True, return_special_tokens_mask=True)


def masked(tokenizer: Any, found: Explanation, texts: Sequence[int], baseline: int) -> Iterator[tuple[int, Ids]]:
    """The ids of these segments as one sequence, with each of their units masked in turn."""
    read = tokens_of(tokenizer, *(found.texts[at] for at in texts))
    sides, ids = read.sequence_ids(0), read["input_ids"]
    for number, unit in enumerate(found.units):
        if unit.segment in texts:
            side = list(texts).index(unit.segment)
            inside = [
                at
                for at, (start, end) in enumerate(read["offset_mapping"])
                if sides[at] == side and start < unit.end and unit.start < end
            ]
            assert inside
            yield number, [baseline if at in inside else one for at, one in enumerate(ids)]


def differences(
    tokenizer: Any, found: Explanation, texts: Sequence[int], baseline: int, read: Callable[[Ids], Tensor]
) -> Tensor:
    """The drop without each unit, [units, ...]; `read` runs the model on ids."""
    whole = read(tokens_of(tokenizer, *(found.texts[at] for at in texts))["input_ids"])
    rows = torch.zeros(len(found.units), *whole.shape, dtype=torch.float64)
    for number, ids in masked(tokenizer, found, texts, baseline):
        rows[number] = whole - read(ids)
    return rows


@torch.no_grad()
def run(model: Any, tokenizer: Any, ids: Ids, *texts: str, **more: Any) -> Any:
    """Run the model on one sequence, with the token types of the texts."""
    read = tokenizer(*texts)
    extra = {
        name: torch.tensor([values]) for name, values in read.items() if name not in ("input_ids", "attention_mask")
    }
    accepted = inspect.signature(model.forward).parameters
    known = {name: value for name, value in extra.items() if name in accepted}
    return model(input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)).long(), **known, **more)
