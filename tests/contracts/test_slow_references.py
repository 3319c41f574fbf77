"""The references that the metrics are compared with, against answers worked out by hand."""

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from support.paper_protocol import once_embedded_logits, paper_areas, paper_figures, paper_greedy, twice_embedded_logits
from support.slow_metrics import (
    area,
    auprc,
    corrected_figures,
    count,
    greedy,
    iou_parts,
    order,
    permutation_p,
    token_f1,
)
from torch import Tensor, nn
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    DistilBertConfig,
    DistilBertForSequenceClassification,
    RobertaConfig,
    RobertaForSequenceClassification,
)

CLS, A, B, C, SEP, MASK = range(6)
KINDS = ("bert", "roberta", "distilbert")


class Powers(nn.Module):
    """Two classes; the odds of the second are 2 to a power that the ids decide."""

    def __init__(self, power: Callable[[list[int]], int]) -> None:
        super().__init__()
        self.power = power

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> SimpleNamespace:
        power = self.power(input_ids[0].tolist())
        return SimpleNamespace(logits=torch.tensor([[0.0, power * math.log(2)]], dtype=torch.float64))


def by_place(weights: dict[int, int]) -> Any:
    """The power is the sum of the weights, each times its place from 1: moving a token changes it."""
    return Powers(lambda ids: sum(place * weights[token] for place, token in enumerate(ids, 1))).eval()


def split(text: str) -> dict[str, list[int]]:
    return {"input_ids": [CLS, *("ABC".index(word) + A for word in text.split()), SEP]}


def tiny(kind: str) -> Any:
    """A random model with one layer; every weight is drawn, also those that begin as 0 or 1."""
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"vocab_size": 30, "max_position_embeddings": 20, "num_labels": 3}
    usual: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    model: Any
    if kind == "bert":
        model = BertForSequenceClassification(BertConfig(**sizes, **usual))
    elif kind == "roberta":
        model = RobertaForSequenceClassification(RobertaConfig(**sizes, **usual, pad_token_id=1, type_vocab_size=1))
    else:
        model = DistilBertForSequenceClassification(DistilBertConfig(**sizes, dim=16, n_layers=1, n_heads=2))
    for weight in model.parameters():
        nn.init.normal_(weight, std=0.5)
    return model.double().eval()


def embedded_by_hand(model: Any, ids: list[int], *, first: int) -> Any:
    """Embedded, and embedded again with positions that begin at `first`, in NumPy, [tokens, width]."""
    weights = {name: value.detach().numpy() for name, value in model.base_model.embeddings.named_parameters()}
    epsilon = model.base_model.embeddings.LayerNorm.eps
    kind = weights["token_type_embeddings.weight"][0] if "token_type_embeddings.weight" in weights else 0

    def finished(rows: Any, begin: int) -> Any:
        rows = rows + weights["position_embeddings.weight"][begin : begin + len(ids)] + kind
        centered = rows - rows.mean(1, keepdims=True)
        scaled = centered / np.sqrt((centered**2).mean(1, keepdims=True) + epsilon)
        return scaled * weights["LayerNorm.weight"] + weights["LayerNorm.bias"]

    return finished(finished(weights["word_embeddings.weight"][ids], 0), first)


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_layer_reads_a_text_that_was_embedded_twice(kind: str) -> None:
    model, ids, seen = tiny(kind), [2, 7, 9, 7, 3], []
    body = model.base_model.transformer if kind == "distilbert" else model.base_model.encoder
    handle = body.layer[0].register_forward_pre_hook(lambda _, arguments: seen.append(arguments[0][0].numpy()))
    logits = twice_embedded_logits(model, ids)
    handle.remove()
    np.testing.assert_allclose(seen[0], embedded_by_hand(model, ids, first=2 if kind == "roberta" else 0), rtol=1e-10)
    plain = model(input_ids=torch.tensor([ids])).logits[0].detach()
    torch.testing.assert_close(once_embedded_logits(model, ids), plain)
    assert logits.shape == (3,)
    assert (logits - plain).abs().max() > 0.01


@pytest.mark.parametrize("kind", KINDS)
def test_paper_figures_are_those_of_the_altered_ids(kind: str) -> None:
    model = tiny(kind)
    ids, scores = [2, 7, 9, 11, 13, 5, 8, 12, 6, 3], [0.5, -9.0, 0.1, 0.2, -1.0, 0.0, 0.7, 0.3, -0.1, 0.6]
    found = paper_figures(model, lambda _: {"input_ids": ids}, "", scores, baseline=4, is_doubled=True, share=0.3)
    predicted = int(twice_embedded_logits(model, ids).argmax())
    whole, replaced, remaining, alone = (
        float(twice_embedded_logits(model, each).softmax(-1)[predicted])
        for each in (ids, [4, 7, 9, 11, 13, 5, 4, 12, 6, 4], [7, 9, 11, 13, 5, 12, 6], [2, 8, 3])
    )
    assert found == pytest.approx((math.log(replaced / whole), whole - remaining, whole - alone))


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_paper_log_odds_overwrite_rows_of_the_word_embedding(kind: str) -> None:
    """As the author's code states it: `torch.topk`, and the baseline's vector at every index, CLS and SEP too."""
    model, ids = tiny(kind), torch.tensor([2, 7, 9, 11, 13, 5, 8, 12, 6, 3])
    scores = torch.tensor([0.5, -9.0, 0.1, 0.2, -1.0, 0.0, 0.7, 0.3, -0.1, 0.6])
    layers = model.base_model.embeddings

    def probabilities(words: Tensor) -> Tensor:
        around = layers.position_embeddings.weight[: len(ids)] + layers.token_type_embeddings.weight[0]
        embedded = layers.LayerNorm(words + around)[None]
        found: Tensor = model(inputs_embeds=embedded, attention_mask=torch.ones(1, len(ids))).logits[0].softmax(0)
        return found

    with torch.no_grad():
        words = layers.word_embeddings.weight[ids]
        before, label = probabilities(words), probabilities(words).argmax()
        words[torch.topk(scores, 3, sorted=False).indices] = layers.word_embeddings.weight[4]
        expected = probabilities(words)[label].log() - before[label].log()
    row = lambda _: {"input_ids": ids.tolist()}  # noqa: E731  # a tokenizer
    found = paper_figures(model, row, "", scores.tolist(), baseline=4, is_doubled=True, share=0.3)
    assert found[0] == pytest.approx(float(expected))


def test_paper_figures_by_hand() -> None:
    model = by_place({CLS: 1, A: 0, B: 2, C: -1, SEP: 0, MASK: -1})
    # 2^3 for the whole. The top two are B and CLS, which stands before SEP: MASK A MASK C SEP, A C SEP, CLS B.
    scores = [0.0, -1.0, 3.0, -2.0, 0.0]
    found = paper_figures(model, split, "A B C", scores, baseline=MASK, is_doubled=False, share=0.4)
    assert found == pytest.approx((math.log((1 / 257) / (8 / 9)), 8 / 9 - 1 / 5, 8 / 9 - 32 / 33))


def test_paper_areas_by_hand() -> None:
    model = by_place({CLS: 1, A: 0, B: 2, C: -1, SEP: 0, MASK: -1})
    # Of no token, of B (CLS A MASK C SEP, CLS A C SEP, B), of B and CLS (MASK A MASK C SEP, A C SEP, CLS B).
    shares = (0.01, 0.05, 0.2, 0.3, 0.4)
    options: dict[str, Any] = {"baseline": MASK, "is_doubled": False, "shares": shares}
    found = paper_areas(model, split, "A B C", [0.0, -1.0, 3.0, -2.0, 0.0], **options)
    log_odds = (math.log((1 / 65) / (8 / 9)) + math.log((1 / 257) / (8 / 9))) / 3
    sufficiency = (8 / 9 - 4 / 5 + 8 / 9 - 32 / 33) / 3
    assert found == pytest.approx((log_odds, 2 / 3 * (8 / 9 - 1 / 5), sufficiency))


def test_paper_greedy_by_hand() -> None:
    model = by_place({CLS: 1, A: 0, B: 2, C: -1, SEP: 0, MASK: -1})
    # Masked: B (2^-6), then SEP (2^-11). Removed: B (2^-2), then CLS, which like SEP changes nothing. Alone: B, CLS.
    found = paper_greedy(model, split, "A B C", baseline=MASK, is_doubled=False, share=0.4)
    assert found == pytest.approx((math.log((1 / 2049) / (8 / 9)), 8 / 9 - 1 / 5, 8 / 9 - 32 / 33))
    assert paper_greedy(model, split, "A", baseline=MASK, is_doubled=False) == (0.0, 0.0, 0.0)


def test_paper_figures_follow_the_class_predicted_for_the_whole_text() -> None:
    model = by_place({CLS: 0, A: 1, B: 0, C: -1, SEP: 0, MASK: 0})
    # 2^-2 for the whole: the first class, 4/5. The top one is C: CLS A B MASK SEP, CLS A B SEP, C.
    found = paper_figures(model, split, "A B C", [0, 1, 2, 3, 0], baseline=MASK, is_doubled=False)
    assert found == pytest.approx((math.log((1 / 5) / (4 / 5)), 4 / 5 - 1 / 5, 4 / 5 - 2 / 3))


@pytest.mark.parametrize("is_doubled", [True, False])
def test_paper_figures_of_a_short_text_are_zero(is_doubled: bool) -> None:
    found = paper_figures(tiny("bert"), split, "A B", [1, 2, 3, 4], baseline=MASK, is_doubled=is_doubled)
    assert found == (0.0, 0.0, 0.0)


def test_paper_figures_refuse_what_has_no_answer() -> None:
    with pytest.raises(ValueError, match="5 tokens but 3 scores"):
        paper_figures(tiny("bert"), split, "A B C", [1, 2, 3], baseline=MASK, is_doubled=True)
    with pytest.raises(ValueError, match="training mode"):
        paper_figures(tiny("bert").train(), split, "A B C", [1, 2, 3, 4, 5], baseline=MASK, is_doubled=True)


def test_counts_are_rounded_half_up_within_bounds() -> None:
    assert [count(units, 0.2) for units in (1, 2, 3, 7, 8, 12, 13)] == [1, 1, 1, 1, 2, 2, 3]
    assert [count(units, 0.5) for units in (1, 2, 3, 4, 5)] == [1, 1, 2, 2, 3]
    assert (count(50, 0.29), count(30, 0.05), count(4, 1.0), count(0, 0.2)) == (15, 2, 4, 0)


def test_order_is_signed_and_ties_keep_their_place() -> None:
    assert order([0.0, -5.0, 2.0, 0.0, 2.0]) == [2, 4, 0, 3, 1]


@pytest.mark.parametrize(
    ("operator", "target", "without", "only"),
    [
        (None, 1, 512 / 513, 2 / 3),  # CLS A B SEP: 2 + 3 + 4; CLS C SEP: -2 + 3
        (MASK, 1, 4 / 5, 1 / 513),  # CLS A B MASK SEP: 2 + 3 - 8 + 5; CLS MASK MASK C SEP: -4 - 6 - 4 + 5
        (MASK, 0, 1 / 5, 512 / 513),
    ],
)
def test_corrected_figures_by_hand(operator: int | None, target: int, without: float, only: float) -> None:
    model = by_place({CLS: 0, A: 1, B: 1, C: -1, SEP: 1, MASK: -2})  # 2 + 3 - 4 + 5 for the whole
    whole = 64 / 65 if target else 1 / 65
    ids, units = [CLS, A, B, C, SEP], [[1, 2], [3]]
    found = corrected_figures(model, ids, units, [-3.0, 2.0], target=target, operator=operator, share=0.5)
    assert found == pytest.approx((math.log(without / whole), whole - without, whole - only))


def test_area_counts_equal_bins_once() -> None:
    weights = {10: 2, 11: 1, 12: 0, 13: -1}
    model = Powers(lambda ids: sum(weights[token] for token in ids))  # 4/5 for the whole; one unit, then two
    found = area(model, list(weights), [[0], [1], [2], [3]], [4, 3, 2, 1], target=1, operator=None)
    log_odds = (math.log((1 / 2) / (4 / 5)) + math.log((1 / 3) / (4 / 5))) / 2
    assert found == pytest.approx((log_odds, 4 / 5 - (1 / 2 + 1 / 3) / 2, 4 / 5 - (4 / 5 + 8 / 9) / 2))


def test_greedy_takes_the_heaviest_where_units_add_up() -> None:
    weights = {10: -1, 11: 2, 12: 0, 13: 1}
    model = Powers(lambda ids: sum(weights[token] for token in ids))  # 4/5 for the whole
    found = greedy(model, list(weights), [[0], [1], [2], [3]], target=1, operator=None, share=0.5)
    assert found == pytest.approx((math.log((1 / 3) / (4 / 5)), 4 / 5 - 1 / 3, 4 / 5 - 8 / 9))


@pytest.mark.parametrize("operator", [None, MASK])
def test_greedy_takes_the_earlier_of_equals_and_builds_on_it(operator: int | None) -> None:
    powers = {(A, B, C): 5, (B, C): 4, (A, C): 4, (A, B): 5, (A,): 0, (B,): 1, (C,): 4}
    model = Powers(lambda ids: powers[tuple(token for token in ids if token != MASK)])
    found = greedy(model, [A, B, C], [[0], [1], [2]], target=1, operator=operator, share=0.6)
    # A and B do equally well at first; with A goes C, which leaves B. Sufficiency takes C, then A.
    assert found == pytest.approx((math.log((2 / 3) / (32 / 33)), 32 / 33 - 2 / 3, 32 / 33 - 16 / 17))


def test_figures_without_units_or_tokens_are_refused() -> None:
    model = Powers(len)
    with pytest.raises(ValueError, match="no unit"):
        corrected_figures(model, [CLS, SEP], [], [], target=1, operator=None, share=0.2)
    with pytest.raises(ValueError, match="no token is left"):
        corrected_figures(model, [A], [[0]], [1.0], target=1, operator=None, share=0.2)


def test_area_under_precision_and_recall_by_hand() -> None:
    assert auprc([True, False, True, False], [0.9, 0.8, 0.7, 0.1]) == pytest.approx(0.5 + 0.5 * (1 / 2 + 2 / 3) / 2)
    assert auprc([True, False, True, False], [1.0, 1.0, 1.0, 1.0]) == pytest.approx(0.75)
    assert auprc([True, False], [1.0, -1.0]) == 1.0


def test_agreement_of_tokens_and_spans_by_hand() -> None:
    truth = [bool(int(mark)) for mark in "1100111001"]
    chosen = [bool(int(mark)) for mark in "1000001101"]
    assert token_f1(truth, chosen) == pytest.approx(2 * (3 / 4) * (1 / 2) / (3 / 4 + 1 / 2))
    assert iou_parts(truth, chosen) == pytest.approx((2 / 3, 2 / 3))  # overlaps: 1/2, 1/4, 1
    assert iou_parts(truth, chosen, 0.6) == pytest.approx((1 / 3, 1 / 3))
    assert iou_parts([True, False, True, False], [True, False, False, False]) == (1.0, 0.5)
    assert iou_parts([False, False], [True, False]) == iou_parts([True], [False]) == (0.0, 0.0)
    assert token_f1([False], [False]) == token_f1([True, False], [False, True]) == 0.0


def test_permutations_by_hand() -> None:
    assert permutation_p([1.0, 2.0, 3.0]) == 2 / 8
    assert permutation_p([3.0, 1.0, -1.0]) == 6 / 8  # sums 5, 3, 3, 1 and their negatives, against 3
    assert permutation_p([1.0, -1.0]) == permutation_p([0.0]) == 1.0
    assert permutation_p([0.1, 0.2, 0.3, -0.6]) == 1.0  # 0 but for the last digit
