"""What is refused before it runs."""

from typing import Any

import pytest
import torch
from support import tiny

from unmask import Explainer
from unmask.errors import GateError, ModelError


def compiled_in_place(model: Any) -> str:
    model.compile()
    return "the model is compiled"


def compiled_layer(model: Any) -> str:
    model.bert.encoder.layer[0] = torch.compile(model.bert.encoder.layer[0])
    return r"bert\.encoder\.layer\.0 is compiled"


def compiled_embedding(model: Any) -> str:
    model.get_input_embeddings().compile()
    return r"bert\.embeddings\.word_embeddings is compiled"


def compiled_forward(model: Any) -> str:
    model.forward = torch.compile(model.forward)
    return "the model is compiled"


WAYS = [compiled_in_place, compiled_layer, compiled_embedding, compiled_forward]


@pytest.mark.parametrize("compiled", WAYS)
def test_a_compiled_part_is_refused_by_name(compiled: Any) -> None:
    model = tiny.model("bert")
    sentence = compiled(model)
    with pytest.raises(GateError, match=sentence) as caught:
        Explainer(model, tiny.tokenizer("bert"))
    assert caught.value.hint == "pass the model without torch.compile or .compile()"


@pytest.mark.parametrize("compiled", WAYS)
def test_a_part_that_is_compiled_later_is_refused_then(compiled: Any) -> None:
    explainer = tiny.explainer("bert")
    explainer.explain("a film")
    sentence = compiled(explainer.model)
    with pytest.raises(GateError, match=sentence):
        explainer.explain("a film")


def test_a_model_without_its_weights_is_refused() -> None:
    with pytest.raises(ModelError, match="some of its weights are not in memory"):
        Explainer(tiny.model("bert").to("meta"), tiny.tokenizer("bert"))
