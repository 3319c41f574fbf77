"""The metrics of the protocol `paper`, as the author's code makes them: one text at a time, nothing of the package.

For BERT, RoBERTa and DistilBERT with a classification head, in evaluation mode. Texts are not shortened.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


@torch.no_grad()
def twice_embedded_logits(model: Any, ids: list[int]) -> Tensor:
    """The logits, [outputs], of ids whose finished embedding goes in as `inputs_embeds`, to be embedded once more."""
    _check_mode(model)
    layers = model.base_model.embeddings  # of model.bert, model.roberta or model.distilbert
    rows = []
    for place, token in enumerate(ids):  # from 0, also where the model's own positions begin at 2
        row = layers.word_embeddings.weight[token] + layers.position_embeddings.weight[place]
        if hasattr(layers, "token_type_embeddings"):
            row = row + layers.token_type_embeddings.weight[0]
        rows.append(layers.LayerNorm(row))
    embedded = torch.stack(rows)[None]  # [1, tokens, width]
    logits: Tensor = model(inputs_embeds=embedded, attention_mask=torch.ones(1, len(ids), dtype=torch.long)).logits[0]
    return logits


@torch.no_grad()
def once_embedded_logits(model: Any, ids: list[int]) -> Tensor:
    """The logits, [outputs], of the model as it is; RoBERTa takes its positions from the ids, so a pad moves them."""
    _check_mode(model)
    row = torch.tensor([ids])
    logits: Tensor = model(input_ids=row, attention_mask=torch.ones_like(row)).logits[0]
    return logits


def paper_figures(
    model: Any,
    tokenizer: Any,
    text: str,
    scores: Sequence[float],
    *,
    baseline: int,
    is_doubled: bool,
    share: float = 0.2,
) -> tuple[float, float, float]:
    """(log_odds, comprehensiveness, sufficiency) of one text, as the author's code makes them.

    Args:
        scores: one for each token, CLS and SEP included.
        baseline: the id of the mask or pad token.
        is_doubled: whether the text is embedded twice.
        share: of all tokens, how many are the top ones, rounded down.
    """
    ids = list(tokenizer(text)["input_ids"])
    if len(scores) != len(ids):
        raise ValueError(f"{len(ids)} tokens but {len(scores)} scores: there must be one score per token")
    if not 0 <= share < 1:
        raise ValueError(f"share is {share}: it must be at least 0 and less than 1, so that a token remains")
    top = _top(scores, int(share * len(ids)))
    if not top:
        return 0.0, 0.0, 0.0
    return _figures(twice_embedded_logits if is_doubled else once_embedded_logits, model, ids, top, baseline)


def _figures(
    function: Callable[[Any, list[int]], Tensor], model: Any, ids: list[int], top: set[int], baseline: int
) -> tuple[float, float, float]:
    whole = function(model, ids)
    predicted = int(whole.argmax())

    def log_probability(logits: Tensor) -> Tensor:
        return logits.double().log_softmax(-1)[predicted]

    ends = {0, len(ids) - 1}  # CLS and SEP: their baseline is themselves
    replaced = [baseline if place in top and place not in ends else token for place, token in enumerate(ids)]
    remaining = [token for place, token in enumerate(ids) if place not in top]
    alone = [token for place, token in enumerate(ids) if place in top]

    before = log_probability(whole)
    log_odds = log_probability(function(model, replaced)) - before
    comprehensiveness = before.exp() - log_probability(function(model, remaining)).exp()
    sufficiency = before.exp() - log_probability(function(model, alone)).exp()
    return float(log_odds), float(comprehensiveness), float(sufficiency)


def _top(scores: Sequence[float], k: int) -> set[int]:
    """The places of the k largest scores, by sign and not by size; of equal ones the earlier."""
    ranked = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return set(ranked[:k])


def _check_mode(model: Any) -> None:
    if model.training:
        raise ValueError("the model is in training mode, where dropout changes every figure: call model.eval() first")
