"""Plain attention in the model's own precision.

Gemma 2 needs transformers' eager attention, whose softmax is always in float32, whatever the model's precision.
"""

from typing import Any

from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

NAME = "double"


def attention(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **settings: Any
) -> tuple[Tensor, Tensor]:
    """Attention with a softmax over scaled and capped products; all tensors are [rows, heads, length, width]."""
    heads = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(heads, 1), value.repeat_interleave(heads, 1)
    weights = query @ key.transpose(2, 3) * settings["scaling"]
    if (cap := settings.get("softcap")) is not None:
        weights = (weights / cap).tanh() * cap
    if attention_mask is not None:
        weights = weights + attention_mask
    weights = weights.softmax(-1)
    return (weights @ value).transpose(1, 2).contiguous(), weights


AttentionInterface.register(NAME, attention)
AttentionMaskInterface.register(NAME, eager_mask)
