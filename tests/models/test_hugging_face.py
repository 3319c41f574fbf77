"""Heads, limits and what is refused."""

from typing import Any

import pytest
import tiny
import torch
from transformers import AlbertConfig, AlbertForSequenceClassification, BertConfig, BertForMaskedLM

from unmask import Explainer
from unmask.errors import ArgumentError, ModelError


@pytest.mark.parametrize(
    "model",
    [
        BertForMaskedLM(BertConfig(vocab_size=120, num_hidden_layers=1, hidden_size=12, num_attention_heads=2)),
        AlbertForSequenceClassification(
            AlbertConfig(vocab_size=120, embedding_size=8, hidden_size=12, num_attention_heads=2, intermediate_size=8)
        ),
        torch.nn.Linear(2, 2),
    ],
)
def test_other_models_are_refused_with_those_that_work(model: Any) -> None:
    with pytest.raises(ModelError, match=r"cannot be explained yet; .*: bert, distilbert, gpt2, roberta"):
        Explainer(model, tiny.tokenizer("bert"))


def test_labels_come_from_the_model_or_the_caller() -> None:
    model, tokenizer = tiny.model("bert"), tiny.tokenizer("bert")
    assert Explainer(model, tokenizer).explain("a film").outputs == ("LABEL_0", "LABEL_1", "LABEL_2")
    named = Explainer(model, tokenizer, labels=["bad", "so-so", "good"]).explain("a film", target="good")
    assert named.outputs == ("bad", "so-so", "good")
    assert named.target == "good"
    with pytest.raises(ArgumentError, match="2 labels but 3 outputs"):
        Explainer(model, tokenizer, labels=["bad", "good"])


def test_a_sigmoid_heads_log_odds_are_its_logits() -> None:
    model = tiny.model("bert")
    model.config.problem_type = "multi_label_classification"
    explanation = Explainer(model, tiny.tokenizer("bert")).explain(tiny.TEXTS[0], target=1)
    assert explanation.scale == "log_odds"
    assert explanation.scores == explanation.toward(1, scale="logit").scores
    shares = list(explanation.prediction.probabilities.values())
    assert shares == pytest.approx(torch.sigmoid(torch.tensor(explanation.whole)).tolist(), rel=1e-6)


def test_a_regression_is_explained_by_its_value() -> None:
    explanation = Explainer(tiny.model("bert", labels=1), tiny.tokenizer("bert")).explain(tiny.TEXTS[0])
    assert explanation.scale == "value"
    assert explanation.prediction.label is None
    assert explanation.prediction.value == explanation.whole[0]
    assert explanation.to_dict()["prediction"] == {"label": None, "value": explanation.whole[0]}


@pytest.mark.parametrize(("architecture", "limit"), [("bert", 64), ("roberta", 64), ("gpt2", 64)])
def test_the_limit_is_the_models(architecture: str, limit: int) -> None:
    tokenizer = tiny.tokenizer.__wrapped__(architecture)
    tokenizer.model_max_length = 10**30
    explanation = Explainer(tiny.model(architecture), tokenizer).explain("lovely film " * 99)
    assert explanation.truncated
    ids = tokenizer("lovely film " * 99, truncation=True, max_length=limit)["input_ids"]
    assert len(ids) == limit


def test_a_decoder_reads_its_answer_at_the_texts_end() -> None:
    """Beside a longer text in the batch, with and without a padding token of its own."""
    for architecture in ("gpt2", "gpt2-without-pad"):
        explainer = tiny.explainer(architecture)
        alone = [explainer.explain(text).scores for text in tiny.TEXTS]
        together = [one.scores for one in explainer.explain_many(tiny.TEXTS)]
        for one, other in zip(alone, together, strict=True):
            assert one == pytest.approx(other, rel=1e-9, abs=1e-12)


def test_lower_precision_is_kept() -> None:
    model = tiny.model("bert").to(torch.bfloat16)
    explanation = Explainer(model, tiny.tokenizer("bert")).explain(tiny.TEXTS[0])
    assert next(model.parameters()).dtype is torch.bfloat16
    reference = tiny.explainer("bert").explain(tiny.TEXTS[0], target=explanation.target)
    size = max(map(abs, reference.scores))
    assert max(abs(a - b) for a, b in zip(explanation.scores, reference.scores, strict=True)) < 0.15 * size
