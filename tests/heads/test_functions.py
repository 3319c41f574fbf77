"""A function of the caller reads the output of a model with any head."""

from typing import Any

import pytest
import torch
from support import tiny_heads
from torch import Tensor
from transformers import BertConfig, BertForNextSentencePrediction

from unmask import Explainer
from unmask.errors import ArgumentError, ModelError

TEXT = "the film is not bad"


def model() -> Any:
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    made = BertForNextSentencePrediction(BertConfig(vocab_size=len(tiny_heads.tokenizer("bert")), **sizes))
    for weight in made.parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=0.5)
    return made.double().eval()


def test_a_value_of_any_head() -> None:
    def readout(output: Any, attention_mask: Tensor) -> Tensor:
        return output.logits[:, 0] - output.logits[:, 1]  # type: ignore[no-any-return]

    own, tokenizer = model(), tiny_heads.tokenizer("bert")
    found = Explainer.from_function(own, tokenizer, readout).explain(TEXT)
    ids = tokenizer(TEXT, return_tensors="pt")["input_ids"]
    without = ids.clone()
    without[0, 1] = tokenizer.mask_token_id
    with torch.no_grad():
        one, other = (own(input_ids=each).logits[0] for each in (ids, without))
    assert found.scores[0] == pytest.approx(float(one[0] - one[1] - other[0] + other[1]), abs=1e-9)
    assert found.prediction.value == pytest.approx(float(one[0] - one[1]), abs=1e-9)


def test_several_outputs_are_classes_with_names() -> None:
    explainer = Explainer.from_function(
        model(), tiny_heads.tokenizer("bert"), lambda output, _: output.logits, labels=["next", "other"]
    )
    found = explainer.explain(TEXT, method="ig:steps=4")
    assert set(found.prediction.probabilities) == {"next", "other"}


def test_what_no_function_returns_is_refused() -> None:
    tokenizer = tiny_heads.tokenizer("bert")
    with pytest.raises(ModelError, match=r"readout returned shape \(1, 3, .*it must return a tensor"):
        Explainer.from_function(model(), tokenizer, lambda output, mask: output.logits[:, None].expand(-1, 3, -1))
    with pytest.raises(ArgumentError, match="readout must be a function"):
        Explainer.from_function(model(), tokenizer, "logits")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="activation 'none' does not fit a readout that returns 2 outputs"):
        Explainer.from_function(model(), tokenizer, lambda output, mask: output.logits, activation="none")
