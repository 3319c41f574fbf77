"""The gate catches adapters that explain another function than the model."""

from typing import Any

import pytest
import tiny
import torch
from torch import Tensor

from unmask import Explainer, Explanation, Failure
from unmask.errors import GateError
from unmask.models.closed_form import ClosedForm
from unmask.models.hugging_face import HuggingFaceAdapter


class DoublyEmbedded(HuggingFaceAdapter):
    """The reference code's mistake: positions and normalization are added, and the model adds them again."""

    def embed(self, ids: Tensor) -> Tensor:
        embeddings: Any = self._model.base_model.embeddings
        return embeddings(input_ids=ids)  # type: ignore[no-any-return]


@pytest.mark.parametrize("architecture", ["bert", "distilbert", "roberta"])
def test_double_embedding_is_caught(architecture: str) -> None:
    adapter = DoublyEmbedded(tiny.model(architecture), tiny.tokenizer(architecture))
    with pytest.raises(GateError, match="differ by"):
        Explainer.from_adapter(adapter).explain(tiny.TEXTS[0])


def test_a_small_error_is_caught() -> None:
    class Slightly(HuggingFaceAdapter):
        def embed(self, ids: Tensor) -> Tensor:
            return super().embed(ids) * 1.001

    with pytest.raises(GateError, match="differ by"):
        Explainer.from_adapter(Slightly(tiny.model("bert"), tiny.tokenizer("bert"))).explain(tiny.TEXTS[0])


def test_a_hook_that_never_fires_is_caught() -> None:
    model: Any = tiny.model("bert")
    weight = model.get_input_embeddings().weight
    original = model.bert.forward

    def bypassing(input_ids: Tensor, **inputs: Any) -> Any:
        return original(**{**inputs, "inputs_embeds": torch.nn.functional.embedding(input_ids, weight)})

    model.bert.forward = bypassing
    with pytest.raises(GateError, match="was not called"):
        Explainer(model, tiny.tokenizer("bert")).explain(tiny.TEXTS[0])


def test_a_hook_whose_answer_is_ignored_is_caught() -> None:
    class Ignored(HuggingFaceAdapter):
        def outputs(self, batch: Any, vectors: Tensor) -> Tensor:
            return self.plain(batch)

    with pytest.raises(GateError, match="differ by"):
        Explainer.from_adapter(Ignored(tiny.model("gpt2"), tiny.tokenizer("gpt2"))).explain(tiny.TEXTS[0])


@pytest.mark.parametrize(("architecture", "text"), [("gpt2", "a<pad>"), ("roberta", "a<pad>"), ("roberta", "<pad>")])
def test_a_typed_padding_token_is_not_the_one_that_is_changed(architecture: str, text: str) -> None:
    assert tiny.explainer(architecture).explain(text).units


def test_a_text_without_finite_outputs_fails_alone_also_as_the_first() -> None:
    adapter = ClosedForm.weighted_words({"good": 1.0, "awful": float("nan")})
    broken, fine = Explainer.from_adapter(adapter).attempts(["awful film", "good film"])
    assert isinstance(broken, Failure)
    assert "not finite" in str(broken.error)
    assert isinstance(fine, Explanation)


@pytest.mark.parametrize("architecture", tiny.ARCHITECTURES)
def test_sound_models_pass_and_the_gate_counts_for_no_text(architecture: str) -> None:
    explanation = tiny.explainer(architecture).explain(tiny.TEXTS[0])
    assert explanation.passes.forward == len(explanation.units) + 2


def test_a_compiled_model_is_explained_through_its_original() -> None:
    model = tiny.model("bert")
    compiled: Any = torch.compile(model)
    explainer = Explainer(compiled, tiny.tokenizer("bert"))
    expected = Explainer(model, tiny.tokenizer("bert")).explain(tiny.TEXTS[0])
    assert explainer.explain(tiny.TEXTS[0]).scores == expected.scores
    assert explainer.model is compiled
