"""The prefix cache: keys and values of a prefix, computed once and shared by all inputs of a batch."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from .adapter import KEPT
from .ignoring import has_alibi, has_state

NEEDED = frozenset({"past_key_values", "position_ids", "use_cache", "attention_mask"})
WINDOWS = ("sliding_window", "attention_chunk_size", "window_size")


@dataclass(frozen=True, slots=True, eq=False)
class Prefix:
    """The keys and values of a text's first tokens, one pair for each layer, [1, heads, tokens, width]."""

    layers: tuple[tuple[Tensor, Tensor], ...]

    @property
    def length(self) -> int:
        """The number of tokens in the prefix."""
        return int(self.layers[0][0].shape[2])

    def for_rows(self, rows: int, length: int) -> DynamicCache:
        """A cache with the first `length` tokens in each of `rows` rows; the model copies it when it appends tokens."""
        cache = DynamicCache()
        for keys, values in self.layers:
            layer = DynamicLayer()
            layer.lazy_initialization(keys, values)
            layer.keys = keys[:, :, :length].expand(rows, -1, -1, -1)
            layer.values = values[:, :, :length].expand(rows, -1, -1, -1)
            cache.layers.append(layer)
        return cache


def can_share(model: Any, accepted: Collection[str], length: int) -> bool:
    """Whether inputs of that length can share a prefix: every layer must keep the keys and values of all tokens."""
    config = model.config.get_text_config()
    windows = [getattr(config, name, None) for name in WINDOWS]
    return (
        set(accepted) >= NEEDED
        and not has_state(model)
        and not has_alibi(config)
        and all(window is None or (isinstance(window, int) and length <= window) for window in windows)
    )


def compute_prefix(model: Any, ids: Tensor, accepted: Collection[str]) -> Prefix:
    """Run the model once on the first tokens of a text, [1, tokens]."""
    cache: Any = DynamicCache()
    inputs: dict[str, Any] = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "use_cache": True}
    inputs["position_ids"] = torch.arange(ids.shape[1], device=ids.device)[None]
    if KEPT in accepted:
        inputs[KEPT] = 1  # the logits are not used
    model(**inputs, past_key_values=cache, return_dict=True)
    return Prefix(tuple((layer.keys, layer.values) for layer in cache.layers))
