"""The metrics of the protocol `paper` as in the author's code: one text at a time, without code of the package.

Each metric uses the indices of the k largest scores, where CLS and SEP count like any other token. Log-odds overwrites
the tokens at these indices with the baseline's word embedding; comprehensiveness deletes them; sufficiency keeps only
them. For BERT, RoBERTa and DistilBERT with a classification head, in evaluation mode. Texts are not truncated.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


@torch.no_grad()
def twice_embedded_logits(model: Any, ids: list[int]) -> Tensor:
    """The logits, [outputs], when the finished embedding is passed as `inputs_embeds` and so embedded a second time."""
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
    """The logits, [outputs], of the unchanged model. RoBERTa derives positions from ids, so a pad token shifts them."""
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
    """(log_odds, comprehensiveness, sufficiency) of one text, as in the author's code.

    Args:
        scores: One score per token, including CLS and SEP.
        baseline: The id of the mask or pad token.
        is_doubled: Whether the embedding is applied twice.
        share: The share of all tokens that are top tokens; the number is rounded down.
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
    """The mean of each figure over the shares; shares that select the same number of tokens, even none, count once."""
    tokens = len(tokenizer(text)["input_ids"])
    by_count = {int(share * tokens): share for share in shares}
    options: dict[str, Any] = {"baseline": baseline, "is_doubled": is_doubled}
    rows = [paper_figures(model, tokenizer, text, scores, share=share, **options) for share in by_count.values()]
    log_odds, comprehensiveness, sufficiency = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return log_odds, comprehensiveness, sufficiency


def paper_greedy(
    model: Any, tokenizer: Any, text: str, *, baseline: int, is_doubled: bool, share: float = 0.2
) -> tuple[float, float, float]:
    """Each figure for tokens chosen greedily: each is the best choice given those before it; in ties, the earlier one.

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
    """The figure with this index: log-odds, comprehensiveness or sufficiency."""
    whole = function(model, ids)
    predicted = int(whole.argmax())

    def log_probability(logits: Tensor) -> Tensor:
        return logits.double().log_softmax(-1)[predicted]

    before, after = log_probability(whole), log_probability(function(model, _altered(metric, ids, top, baseline)))
    return float(after - before if metric == 0 else before.exp() - after.exp())


def _altered(metric: int, ids: list[int], top: set[int], baseline: int) -> list[int]:
    """The text with its top tokens replaced, the text without them, or only the top tokens."""
    if metric == 0:
        replaced = list(ids)
        for place in top:
            replaced[place] = baseline
        return replaced
    return [token for place, token in enumerate(ids) if (place in top) == (metric == 2)]


def _top(scores: Sequence[float], k: int) -> set[int]:
    """The indices of the k largest signed scores.

    In ties, the earlier index comes first, as in the package; the order of the author's `torch.topk` is undefined.
    """
    ranked = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return set(ranked[:k])


def _check_mode(model: Any) -> None:
    if model.training:
        raise ValueError("the model is in training mode, where dropout changes every figure: call model.eval() first")
