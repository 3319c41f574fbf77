"""Whether a model can ignore a token, so that no other token attends to it and all others keep their positions."""

from collections.abc import Collection
from typing import Any

from torch import nn

STATES = ("mamba", "recurrent", "linear_attention", "conv", "rwkv", "xlstm")  # in names of recurrent layers
ALIBI = ("bloom", "mpt")  # models that derive positions from the attention mask


def why_not_ignored(model: Any, accepted: Collection[str]) -> str | None:
    """The reason why this model cannot ignore tokens, worded as a clause; None if it can.

    Args:
        accepted: The names of the parameters of the model's forward method.
    """
    if model.config.is_encoder_decoder:
        return "its decoder reads the text again"
    if "attention_mask" not in accepted:
        return "it has no attention mask"
    if has_state(model):
        return "it has a recurrent state, which every token changes"
    if has_alibi(model.config):
        return "it derives positions from the attended tokens (ALiBi), so the positions of other tokens would change"
    return None


def has_state(model: Any) -> bool:
    """Whether the model has a recurrent state, as Mamba does."""
    layers = getattr(model.config.get_text_config(), "layer_types", None) or ()
    return bool(getattr(model, "_is_stateful", False)) or any(state in str(one) for one in layers for state in STATES)


def has_alibi(config: Any) -> bool:
    """Whether the model biases attention by distance instead of encoding positions."""
    config = config.get_text_config()
    kind = str(getattr(config, "position_embedding_type", ""))
    return config.model_type in ALIBI or bool(getattr(config, "alibi", False)) or kind == "alibi"


def counts_positions(model: Any, accepted: Collection[str]) -> bool:
    """Whether positions start at 0 and can be passed to the model; RoBERTa's start after the padding position."""
    tables = [one for name, one in model.named_modules() if "position" in name and isinstance(one, nn.Embedding)]
    return "position_ids" in accepted and all(table.padding_idx is None for table in tables)
