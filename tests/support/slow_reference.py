"""Exact SIG computed from its definition: one forward pass per masked text, batch size 1, without the engine.

Words are replaced by id. Some models derive positions, or the token at which they read their output, from the ids. Here
these are passed as in the original text, so the model's body and its head are run separately. The text may have padding
on the left and on the right, which must not change anything.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from unmask.text.spans import EncodedSegment, Span, Token
from unmask.text.units import UnitSelection, align_units

BEHIND_PADDING = ("roberta", "xlm-roberta", "camembert", "mpnet")  # positions begin behind the padding's own
SHIFTED = ("bart", "t5")  # the decoder reads the text once more, one place later
ONLY_RIGHT = ("bart",)  # its positions are counted from the row's begin and cannot be given

# From a model and its hidden states of a text without padding, [1, length, width], to logits.
HEADS: dict[str, Callable[[Any, Tensor], Any]] = {
    "bert": lambda model, hidden: model.classifier(model.bert.pooler(hidden)),
    "distilbert": lambda model, hidden: model.classifier(model.pre_classifier(hidden[:, 0]).relu()),
    "roberta": lambda model, hidden: model.classifier(hidden),
    "xlm-roberta": lambda model, hidden: model.classifier(hidden),
    "camembert": lambda model, hidden: model.classifier(hidden),
    "electra": lambda model, hidden: model.classifier(hidden),
    "mpnet": lambda model, hidden: model.classifier(hidden),
    "albert": lambda model, hidden: model.classifier(model.albert.pooler(hidden[:, 0]).tanh()),
    "deberta-v2": lambda model, hidden: model.classifier(model.pooler(hidden)),
    "modernbert": lambda model, hidden: model.classifier(model.head(hidden[:, 0])),
    "xlnet": lambda model, hidden: model.logits_proj(model.sequence_summary(hidden)),
    "bart": lambda model, hidden: model.classification_head(hidden[:, -1]),
    "t5": lambda model, hidden: model.classification_head(hidden[:, -1]),
}


@torch.no_grad()
def outputs(model: Any, ids: Sequence[int], *, left: int = 0, right: int = 0) -> Any:
    """The logits of one text, [outputs], with this many padding tokens on each side."""

    def row(values: Iterable[int], blank: int) -> Tensor:
        return torch.tensor([[*[blank] * left, *values, *[blank] * right]])

    kind, pad, length = model.config.model_type, model.config.pad_token_id or 0, len(ids)
    attention = row([1] * length, 0)
    inputs = {"input_ids": row(ids, pad), "attention_mask": attention}
    if kind in SHIFTED:
        inputs["decoder_input_ids"] = row([model.config.decoder_start_token_id, *ids[:-1]], pad)
        inputs["decoder_attention_mask"] = attention
    elif kind == "xlnet":
        inputs["token_type_ids"] = row([*[0] * (length - 1), 2], 3)
    elif kind in BEHIND_PADDING:
        inputs["position_ids"] = row(range(pad + 1, pad + 1 + length), pad)
    else:
        inputs["position_ids"] = row(range(length), 0)
    hidden = model.base_model(**inputs).last_hidden_state[:, left : left + length]
    return HEADS[kind](model, hidden)[0] if kind in HEADS else model.score(hidden[:, -1])[0]


def scores(model: Any, ids: Sequence[int], units: Sequence[Sequence[int]], baseline: int, **padding: int) -> Tensor:
    """F(x) - F(x with the unit masked) for every raw output, [units, outputs]."""
    whole = outputs(model, ids, **padding)
    return torch.stack([whole - outputs(model, without(ids, unit, baseline), **padding) for unit in units])


def margins(model: Any, ids: Sequence[int], units: Sequence[Sequence[int]], baseline: int) -> Tensor:
    """The same for the log-odds of the predicted class, [units], computed from probabilities."""

    def log_odds(logits: Tensor) -> Tensor:
        p = torch.softmax(logits.double(), -1)[target]
        return torch.log(p / (1 - p))

    whole = outputs(model, ids)
    target = int(whole.argmax())
    return torch.stack([log_odds(whole) - log_odds(outputs(model, without(ids, unit, baseline))) for unit in units])


def places(tokenizer: Any, text: str, unit: str) -> tuple[list[tuple[int, ...]], list[int]]:
    """The token positions of each unit, from the tokenizer's own offsets, and the ids."""
    found = tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
    marked = zip(found["offset_mapping"], found["special_tokens_mask"], strict=True)
    tokens = [Token(Span(*span), bool(special)) for span, special in marked]
    groups = align_units([EncodedSegment(text, Span(0, len(text)))], tokens, UnitSelection(unit))
    return [group.tokens for group in groups], found["input_ids"]


def without(ids: Sequence[int], unit: Sequence[int], baseline: int) -> list[int]:
    """The ids with the unit masked."""
    return [baseline if position in unit else token for position, token in enumerate(ids)]
