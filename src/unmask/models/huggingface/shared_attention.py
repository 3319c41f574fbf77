"""Attention to a prefix that all rows of a batch share: once for all rows, instead of a copy of it for each.

Softmax over the prefix and softmax over a row's own tokens are joined by their normalizers, which is exact. It works
inside `scaled_dot_product_attention`, so no architecture needs an attention function of its own.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from transformers.cache_utils import DynamicLayer

LEAST = 256  # tokens: copies of a shorter prefix are cheaper than two parts


class PrefixLayer(DynamicLayer):
    """A cache layer that begins with a shared prefix, [1, heads, tokens, width], and adds nothing to it."""

    def __init__(self, attention: "SharedAttention", keys: Tensor, values: Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # transformers is partly typed
        self.lazy_initialization(keys, values)
        self.keys, self.values = self._prefix = keys, values
        self._attention = attention

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """The new keys and values alone; the attention that follows adds the prefix."""
        self._attention.prefix = self._prefix
        return key_states, value_states


class SharedAttention(TorchFunctionMode):
    """While it is active, attention also covers the prefix of the layer whose cache was updated last."""

    def __init__(self) -> None:
        super().__init__()
        self.prefix: tuple[Tensor, Tensor] | None = None
        self._own_mask: tuple[Tensor, Tensor] | None = None  # a mask, and its part for a row's own tokens

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Replace attention alone."""
        if func is not functional.scaled_dot_product_attention or self.prefix is None:
            return func(*args, **(kwargs or {}))
        prefix, self.prefix = self.prefix, None
        return self._attend(func, prefix, *args, **(kwargs or {}))

    def _attend(
        self,
        func: Callable[..., Tensor],
        prefix: tuple[Tensor, Tensor],
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Tensor:
        if attn_mask is None or dropout_p or enable_gqa:
            raise ValueError("attention without a mask, or with dropout, cannot be joined with a shared prefix")
        rows, heads, length, width = query.shape
        keys, values = (one.repeat_interleave(heads // one.shape[1], 1) for one in prefix)
        if query.device.type != "cpu" or value.shape[-1] != width:
            parts = (torch.cat([one.expand(rows, -1, -1, -1), own], 2) for one, own in ((keys, key), (values, value)))
            return func(query, *parts, attn_mask=attn_mask, scale=scale)
        joined = query.transpose(0, 1).reshape(1, heads, rows * length, width)
        shared, shared_norm = _attention(joined, keys, values, None, scale)
        own, own_norm = _attention(query, key, value, self._mask(attn_mask, keys.shape[2], query.dtype), scale)
        shared = shared.view(heads, rows, length, width).transpose(0, 1)
        share = torch.sigmoid(shared_norm.view(heads, rows, length).transpose(0, 1) - own_norm)[..., None]
        return torch.lerp(own, shared, share.to(own.dtype))

    def _mask(self, mask: Tensor, prefix: int, dtype: torch.dtype) -> Tensor:
        """The part of a mask behind the prefix, as numbers; the layers of a model share one mask."""
        if self._own_mask is None or self._own_mask[0] is not mask:
            own = mask[..., prefix:]
            if own.dtype is torch.bool:  # no token must attend to nothing: its part would not be a number
                own = torch.zeros_like(own, dtype=dtype).masked_fill(~own, torch.finfo(dtype).min / 2)
            self._own_mask = (mask, own)
        return self._own_mask[1]


def _attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scale: float | None
) -> tuple[Tensor, Tensor]:
    """Attention and the logarithm of its normalizer, [rows, heads, tokens]."""
    found: tuple[Tensor, Tensor] = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
        query, key, value, 0.0, False, attn_mask=mask, scale=scale
    )
    return found
