"""Checks that the weights of a checkpoint match the model that config.json describes."""

import re
import warnings
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ...errors import ModelError, UnmaskWarning

NAMED = 3  # how many weights a message names at most
HEADS = re.compile(r"pool|summary|classif|score|head", re.IGNORECASE)  # parts of a base model that only a head uses
BUFFERS = ("position_ids", "inv_freq", "masked_bias")  # found in checkpoints of old versions, but used by no model


def check_weights(name: str, model: Any, report: Mapping[str, Collection[Any]]) -> None:
    """Reject a checkpoint that lacks weights or belongs to a larger encoder; warn about weights of another head.

    Args:
        report: The loading information that transformers returns.
    """
    if report["mismatched_keys"]:
        raise _mismatch(name, sorted(report["mismatched_keys"]))
    if missing := _missing(model, report):
        raise _incomplete(name, model, missing)
    unused = sorted(key for key in report["unexpected_keys"] if not _is_buffer(model, key))
    if extra := [key for key in unused if is_encoder(model, key)]:
        raise ModelError(
            f"the checkpoint {name!r} has {_weights(extra)} that the model does not use: its config.json describes "
            "a smaller or different encoder, so predictions would be wrong",
            hint="use the config.json saved with these weights; it has, for example, the same number of layers",
        )
    if unused:
        warnings.warn(
            f"the checkpoint {name!r} has {_weights(unused)} that this model does not use: the head or pooler "
            f"of another task; {'it has' if len(unused) == 1 else 'they have'} no effect",
            UnmaskWarning,
            stacklevel=2,
        )


def is_encoder(model: Any, key: str) -> bool:
    """Whether a weight of this name belongs to the encoder rather than to a head or a pooler.

    >>> from transformers import BertConfig, BertForSequenceClassification
    >>> config = BertConfig(vocab_size=9, hidden_size=2, num_hidden_layers=1, num_attention_heads=1)
    >>> model = BertForSequenceClassification(config)
    >>> [is_encoder(model, key) for key in ("bert.encoder.layer.7.bias", "bert.pooler.dense.bias", "cls.bias")]
    [True, False, False]
    """
    base, prefix = model.base_model, f"{model.base_model_prefix}."
    first = key.removeprefix(prefix).partition(".")[0]
    parts = {part for part, _ in (*base.named_children(), *base.named_parameters(recurse=False))}
    return (key.startswith(prefix) or first in parts) and not HEADS.search(first)


def _is_buffer(model: Any, key: str) -> bool:
    """Whether a key names a buffer that the model computes itself, such as GPT-2's causal mask."""
    computed = {buffer for part in (model, model.base_model) for buffer, _ in part.named_buffers()}
    return key in computed or key.rpartition(".")[2] in BUFFERS


def _missing(model: Any, report: Mapping[str, Collection[Any]]) -> list[str]:
    """The weights that a checkpoint lacks, not counting the pooler of an encoder without a head."""
    has_head = model.base_model is not model
    return sorted(key for key in report["missing_keys"] if has_head or is_encoder(model, key))


def _mismatch(name: str, keys: list[tuple[str, Iterable[int], Iterable[int]]]) -> ModelError:
    key, stored, expected = keys[0]
    others = {1: "", 2: "; 1 more weight does not match"}
    more = others.get(len(keys), f"; {len(keys) - 1} more weights do not match")
    return ModelError(
        f"the checkpoint {name!r} does not match its config.json: {key} is {list(stored)} in the checkpoint but "
        f"{list(expected)} according to config.json{more}",
        hint="use the config.json saved with these weights",
    )


def _incomplete(name: str, model: Any, missing: list[str]) -> ModelError:
    if lacking := [key for key in missing if is_encoder(model, key)]:
        return ModelError(
            f"the checkpoint {name!r} lacks {_weights(lacking)} of the encoder: it is incomplete, or its config.json "
            "describes a larger model",
            hint="copy or download the checkpoint again",
        )
    is_classifier = type(model).__name__.endswith("ForSequenceClassification")
    writes = type(model).__name__.endswith(("ForCausalLM", "LMHeadModel", "ForMaskedLM", "ForConditionalGeneration"))
    head = "classification head" if is_classifier else "language-modeling head" if writes else "head"
    return ModelError(
        f"the checkpoint {name!r} lacks {', '.join(missing[:NAMED])}: its {head} is untrained, so scores would be "
        "noise",
        hint="use a model that was fine-tuned for sequence classification" if is_classifier else None,
    )


def _weights(keys: list[str]) -> str:
    """The number of weights, and the names of the first few.

    >>> _weights(["a", "b", "c", "d"])
    '4 weights (a, b, c, ...)'
    """
    shown = ", ".join([*keys[:NAMED], *(["..."] if len(keys) > NAMED else [])])
    return f"{len(keys)} weight{'' if len(keys) == 1 else 's'} ({shown})"
