"""Which models can ignore a token: no other token attends to it, and all others keep their positions."""

from collections.abc import Collection
from typing import Any

from torch import nn

STATES = ("mamba", "recurrent", "linear_attention", "conv", "rwkv", "xlstm")  # in names of layers with a state
ALIBI = ("bloom", "mpt")  # models that count positions in the attention mask


def why_not_ignored(model: Any, accepted: Collection[str]) -> str | None:
    """Why this model cannot ignore tokens, as a clause; None if it can.

    Args:
        accepted: The parameters of its forward method.
    """
    if model.config.is_encoder_decoder:
        return "its decoder reads the text again"
    if "attention_mask" not in accepted:
        return "it has no attention mask"
    if has_state(model):
        return "it has a recurrent state, which every token changes"
    if has_alibi(model.config):
        return "it counts positions by attended tokens (ALiBi), so other tokens would move"
    return None


def has_state(model: Any) -> bool:
    """Whether tokens are passed on in a recurrent state, as in Mamba."""
    layers = getattr(model.config.get_text_config(), "layer_types", None) or ()
    return bool(getattr(model, "_is_stateful", False)) or any(state in str(one) for one in layers for state in STATES)


def has_alibi(config: Any) -> bool:
    """Whether attention is biased by distance instead of encoding positions."""
    config = config.get_text_config()
    kind = str(getattr(config, "position_embedding_type", ""))
    return config.model_type in ALIBI or bool(getattr(config, "alibi", False)) or kind == "alibi"


def counts_positions(model: Any, accepted: Collection[str]) -> bool:
    """Whether positions are counted from 0 and can be passed in; RoBERTa's begin after that of padding."""
    tables = [one for name, one in model.named_modules() if "position" in name and isinstance(one, nn.Embedding)]
    return "position_ids" in accepted and all(table.padding_idx is None for table in tables)
