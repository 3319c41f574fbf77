"""The gate catches adapters that explain another function than the model."""

from typing import Any

import pytest
import tiny
import torch
from torch import Tensor
from transformers import FNetConfig, FNetForSequenceClassification

from unmask import Explainer, Explanation, Failure
from unmask.errors import GateError
from unmask.models import gate, hugging_face
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


@pytest.mark.parametrize("architecture", tiny.FAMILIES)
def test_sound_models_pass_and_the_gate_counts_for_no_text(architecture: str) -> None:
    explanation = tiny.explainer(architecture).explain(tiny.TEXTS[0])
    assert explanation.passes.forward == len(explanation.units) + 2


def test_a_model_that_mixes_padding_in_is_refused() -> None:
    """FNet has no attention mask: it mixes all tokens of a row by a Fourier transform."""
    tokenizer = tiny.tokenizer("bert")
    torch.manual_seed(0)
    config = FNetConfig(vocab_size=len(tokenizer), hidden_size=24, num_hidden_layers=2, intermediate_size=48)
    model = FNetForSequenceClassification(config)
    for weight in model.parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=0.3)
    with pytest.raises(GateError, match="padding changes what it says"):
        Explainer(model, tokenizer).explain(tiny.TEXTS[0])


def test_padding_on_the_wrong_side_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hugging_face, "_pads_left", lambda _config: False)
    with pytest.raises(GateError, match="padding changes what it says"):
        tiny.explainer("xlnet").explain(tiny.TEXTS[0])


def test_numbers_that_move_with_every_batch_pass() -> None:
    """One scale for a batch, as 8-bit activations have."""

    class Wobbling(HuggingFaceAdapter):
        def plain(self, batch: Any) -> Tensor:
            return super().plain(batch).add(0.2 * (len(batch.ids) - 1))

    adapter = Wobbling(tiny.model("bert"), tiny.tokenizer("bert"))
    assert Explainer.from_adapter(adapter).explain(tiny.TEXTS[0]).units


def test_a_text_of_one_word_leaves_the_gate_open_for_the_next() -> None:
    adapter = HuggingFaceAdapter(tiny.model("bert"), tiny.tokenizer("bert"))
    assert not gate.check(adapter, adapter.encode("a", max_length=None))
    assert gate.check(adapter, adapter.encode("a film", max_length=None))


@pytest.mark.parametrize("architecture", ["bart", "t5"])
def test_a_typed_end_of_text_is_explained_beside_others(architecture: str) -> None:
    """These models read their answer at the last one, and refuse a batch whose rows have unlike numbers of them."""
    texts = ["a </s> film", "the film is bad", "</s>", "lovely"]
    together = list(tiny.explainer(architecture).explain_many(texts))
    for text, one in zip(texts, together, strict=True):
        alone = tiny.explainer(architecture).explain(text)
        assert one.scores == pytest.approx(alone.scores, rel=1e-9, abs=1e-12)


def test_a_compiled_model_is_explained_through_its_original() -> None:
    model = tiny.model("bert")
    compiled: Any = torch.compile(model)
    explainer = Explainer(compiled, tiny.tokenizer("bert"))
    expected = Explainer(model, tiny.tokenizer("bert")).explain(tiny.TEXTS[0])
    assert explainer.explain(tiny.TEXTS[0]).scores == expected.scores
    assert explainer.model is compiled
