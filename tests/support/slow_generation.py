"""Scores of an answer's tokens computed from the definition: one altered prompt at a time, without cache or engine.

Words are replaced by id; only the zero vector is passed as embeddings. Other tokens cannot see an ignored token. If
attention depends only on positions, the ignored token is removed and the others keep their positions. If a window is
counted in tokens, an explicit mask is used.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

WINDOWED = ("mistral", "gemma2", "gemma3_text")


@torch.no_grad()
def scores(model: Any, ids: Sequence[int], start: int, units: Sequence[Sequence[int]], baseline: Any) -> Tensor:
    """log p(answer) - log p(answer without the unit), [units, answer tokens].

    `baseline` is an id, "zero", "ignored" or "removed".
    """
    whole = plain(model, ids, start)
    return torch.stack([whole - without(model, ids, start, unit, baseline) for unit in units])


@torch.no_grad()
def plain(model: Any, ids: Sequence[int], start: int) -> Tensor:
    """The log-probabilities of ids[start:], each read at the token before it."""
    logits = model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].double()
    return picked(logits, ids, start, range(start - 1, len(ids) - 1))


def picked(logits: Tensor, ids: Sequence[int], start: int, places: Sequence[int]) -> Tensor:
    shares = logits.log_softmax(-1)
    return torch.stack([shares[place, token] for place, token in zip(places, ids[start:], strict=True)])


@torch.no_grad()
def without(model: Any, ids: Sequence[int], start: int, unit: Sequence[int], baseline: Any) -> Tensor:
    if baseline == "zero":
        vectors = model.get_input_embeddings()(torch.tensor([ids])).clone()
        vectors[0, list(unit)] = 0
        logits = model(inputs_embeds=vectors, use_cache=False).logits[0].double()
        return picked(logits, ids, start, range(start - 1, len(ids) - 1))
    if baseline == "ignored":
        return ignoring(model, ids, start, unit)
    if baseline == "removed":
        left = [at for at in range(len(ids)) if at not in unit]
        return plain(model, [ids[at] for at in left], start - len(unit))
    changed = [baseline if at in unit else token for at, token in enumerate(ids)]
    logits = model(input_ids=torch.tensor([changed]), use_cache=False).logits[0].double()
    return picked(logits, ids, start, range(start - 1, len(ids) - 1))


def ignoring(model: Any, ids: Sequence[int], start: int, unit: Sequence[int]) -> Tensor:
    seen = [at for at in range(len(ids)) if at not in unit]
    places = [max(at for at in seen if at < token) for token in range(start, len(ids))]
    if model.config.model_type in WINDOWED:
        logits = model(input_ids=torch.tensor([ids]), attention_mask=masks(model, len(ids), unit), use_cache=False)
        return picked(logits.logits[0].double(), ids, start, places)
    left = torch.tensor([[ids[at] for at in seen]])
    # Without a mask, transformers takes a gap in the positions for the border of two packed texts.
    kept = {"attention_mask": torch.ones_like(left), "position_ids": torch.tensor([seen]), "use_cache": False}
    logits = model(input_ids=left, **kept)
    return picked(logits.logits[0].double(), ids, start, [seen.index(place) for place in places])


def masks(model: Any, length: int, unit: Sequence[int]) -> Any:
    """Additive masks, [1, 1, length, length], one for each kind of attention."""

    def mask(window: int) -> Tensor:
        allowed = torch.zeros(length, length, dtype=torch.bool)
        for query in range(length):
            for key in range(length):
                allowed[query, key] = key <= query and query - key < window and (key not in unit or key == query)
        return torch.where(allowed, 0.0, -torch.inf).to(model.dtype)[None, None]

    if model.config.model_type == "mistral":
        return mask(model.config.sliding_window)
    return {"full_attention": mask(length), "sliding_attention": mask(model.config.sliding_window)}
