"""The metrics of the protocol `paper`, as the author's code makes them: one text at a time, nothing of the package.

Each metric takes the indices of the k largest scores, CLS and SEP like any other token. Log-odds writes the baseline's
word embedding over the rows at these indices; comprehensiveness deletes the rows; sufficiency keeps no others.
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
        is_doubled: whether the embedding is applied twice.
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


def paper_areas(
    model: Any,
    tokenizer: Any,
    text: str,
    scores: Sequence[float],
    *,
    baseline: int,
    is_doubled: bool,
    shares: Sequence[float] = (0.01, 0.05, 0.1, 0.2, 0.5),
) -> tuple[float, float, float]:
    """The mean of each figure over the shares; shares of the same number of tokens are one, also those of none."""
    tokens = len(tokenizer(text)["input_ids"])
    by_count = {int(share * tokens): share for share in shares}
    options: dict[str, Any] = {"baseline": baseline, "is_doubled": is_doubled}
    rows = [paper_figures(model, tokenizer, text, scores, share=share, **options) for share in by_count.values()]
    log_odds, comprehensiveness, sufficiency = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return log_odds, comprehensiveness, sufficiency


def paper_greedy(
    model: Any, tokenizer: Any, text: str, *, baseline: int, is_doubled: bool, share: float = 0.2
) -> tuple[float, float, float]:
    """Each figure of tokens chosen for it one at a time, each the best with those before it; of equal ones the earlier.

    Best is the smallest log-odds, the largest comprehensiveness, the smallest sufficiency.
    """
    ids = list(tokenizer(text)["input_ids"])
    if not int(share * len(ids)):
        return 0.0, 0.0, 0.0
    function = twice_embedded_logits if is_doubled else once_embedded_logits

    def chosen(metric: int, sign: int) -> float:
        top: list[int] = []
        best = 0.0
        for _ in range(int(share * len(ids))):
            left = [place for place in range(len(ids)) if place not in top]
            found = {place: _figure(metric, function, model, ids, {*top, place}, baseline) for place in left}
            top.append(min(left, key=lambda place: (sign * found[place], place)))
            best = found[top[-1]]
        return best

    return chosen(0, 1), chosen(1, -1), chosen(2, 1)


def _figures(
    function: Callable[[Any, list[int]], Tensor], model: Any, ids: list[int], top: set[int], baseline: int
) -> tuple[float, float, float]:
    log_odds, comprehensiveness, sufficiency = (
        _figure(metric, function, model, ids, top, baseline) for metric in range(3)
    )
    return log_odds, comprehensiveness, sufficiency


def _figure(
    metric: int,
    function: Callable[[Any, list[int]], Tensor],
    model: Any,
    ids: list[int],
    top: set[int],
    baseline: int,
) -> float:
    """The first, second or third: log-odds, comprehensiveness, sufficiency."""
    whole = function(model, ids)
    predicted = int(whole.argmax())

    def log_probability(logits: Tensor) -> Tensor:
        return logits.double().log_softmax(-1)[predicted]

    before, after = log_probability(whole), log_probability(function(model, _altered(metric, ids, top, baseline)))
    return float(after - before if metric == 0 else before.exp() - after.exp())


def _altered(metric: int, ids: list[int], top: set[int], baseline: int) -> list[int]:
    """The text with its top tokens replaced, the text without them, or they alone."""
    if metric == 0:
        replaced = list(ids)
        for place in top:
            replaced[place] = baseline
        return replaced
    return [token for place, token in enumerate(ids) if (place in top) == (metric == 2)]


def _top(scores: Sequence[float], k: int) -> set[int]:
    """The places of the k largest scores, by sign and not by size.

    Of equal scores the earlier, as in the package: the author's `torch.topk` leaves their order undefined.
    """
    ranked = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return set(ranked[:k])


def _check_mode(model: Any) -> None:
    if model.training:
        raise ValueError("the model is in training mode, where dropout changes every figure: call model.eval() first")
