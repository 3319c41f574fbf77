"""The gate catches adapters that explain another function than the model."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from support import tiny, tiny_causal, tiny_heads
from support.tiny_architectures import TABLE
from torch import Tensor
from transformers import FNetConfig, FNetForSequenceClassification, Phi3ForSequenceClassification

from unmask import Explainer, Explanation, Failure
from unmask.errors import GateError, TextError
from unmask.models import equivalence, huggingface
from unmask.models.equivalence import PaddingCheck
from unmask.models.formula import FormulaModel
from unmask.models.huggingface.adapter import HuggingFaceAdapter
from unmask.models.huggingface.causal import CausalAdapter


def verdict(adapter: HuggingFaceAdapter, text: str) -> PaddingCheck:
    return equivalence.check_equivalence(adapter, adapter.encode(text, max_length=None), adapter.baseline("mask"))


class DoublyEmbedded(HuggingFaceAdapter):
    """The reference code's mistake: positions and normalization are added, and the model adds them again."""

    def embed(self, ids: Tensor) -> Tensor:
        model: Any = self.module
        return model.base_model.embeddings(input_ids=ids)  # type: ignore[no-any-return]


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
            return self.reference_outputs(batch)

    with pytest.raises(GateError, match="differ by"):
        Explainer.from_adapter(Ignored(tiny.model("gpt2"), tiny.tokenizer("gpt2"))).explain(tiny.TEXTS[0])


@pytest.mark.parametrize(("architecture", "text"), [("gpt2", "a<pad>"), ("roberta", "a<pad>"), ("roberta", "<pad>")])
def test_a_typed_padding_token_is_not_the_one_that_is_changed(architecture: str, text: str) -> None:
    assert tiny.explainer(architecture).explain(text).units


def test_a_text_without_finite_outputs_fails_alone_also_as_the_first() -> None:
    adapter = FormulaModel.weighted_words({"good": 1.0, "awful": float("nan")})
    broken, fine = Explainer.from_adapter(adapter).attempts(["awful film", "good film"])
    assert isinstance(broken, Failure)
    assert "not finite" in str(broken.error)
    assert isinstance(fine, Explanation)


@pytest.mark.parametrize("architecture", tiny.FAMILIES)
def test_sound_models_pass_and_the_gate_counts_for_no_text(architecture: str) -> None:
    explanation = tiny.explainer(architecture).explain(tiny.TEXTS[0])
    assert explanation.passes.forward == len(explanation.units) + 2


def by_ids(explainer: Explainer, text: str, masked: tuple[int, ...] = ()) -> list[float]:
    """The model itself on one text alone, with tokens masked by their ids."""
    found = explainer.tokenizer(text, return_tensors="pt")["input_ids"]
    found[0, list(masked)] = explainer.tokenizer.mask_token_id
    with torch.no_grad():
        return list(explainer.model(input_ids=found).logits[0].tolist())


def test_a_model_that_mixes_padding_in_gets_batches_without() -> None:
    """FNet has no attention mask: it mixes all tokens of a row by a Fourier transform."""
    tokenizer = tiny.tokenizer("bert")
    torch.manual_seed(0)
    config = FNetConfig(vocab_size=len(tokenizer), hidden_size=24, num_hidden_layers=2, intermediate_size=48)
    model = FNetForSequenceClassification(config)
    for weight in model.parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=0.3)
    model.double().eval()
    explainer = Explainer(model, tokenizer)
    for text, found in zip(tiny.TEXTS, explainer.explain_many(tiny.TEXTS, unit="token", scale="logit"), strict=True):
        assert found.whole == pytest.approx(by_ids(explainer, text), rel=1e-9)
        assert found.without is not None
        assert found.without[0] == pytest.approx(by_ids(explainer, text, (1,)), rel=1e-9)


def test_padding_on_the_wrong_side_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface.adapter, "pads_left", lambda _config: False)
    adapter = HuggingFaceAdapter(tiny.model("xlnet"), tiny.tokenizer("xlnet"))
    assert verdict(adapter, tiny.TEXTS[0]) is PaddingCheck.UNPADDED


def test_positions_that_stretch_with_the_batch_get_batches_without_padding() -> None:
    """A long neighbor would change the positions of a short text."""
    factors = [1.0, 1.5, 2.0]
    rope = {
        "rope_type": "longrope",
        "rope_theta": 10_000.0,
        "short_factor": factors,
        "long_factor": [factor * 8 for factor in factors],
        "original_max_position_embeddings": 16,
    }
    tokenizer = tiny.tokenizer("phi3")
    config = TABLE["phi3"].configuration(tokenizer, labels=3)
    config.rope_parameters, config.original_max_position_embeddings = rope, 16
    torch.manual_seed(0)
    model = Phi3ForSequenceClassification(config)
    for weight in model.parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=0.3)
    explainer = Explainer(model.double().eval(), tokenizer, batch_tokens=10_000)
    texts = ["lovely film", tiny.TEXTS[0]]
    together = [one.scores for one in explainer.explain_many(texts)]
    for text, scores in zip(texts, together, strict=True):
        assert scores == pytest.approx(explainer.explain(text).scores, rel=1e-6, abs=1e-9)


def test_a_baseline_that_is_known_by_its_id_is_refused() -> None:
    """Like ESM, which sets a mask's vector to zero whatever it is."""
    model: Any = tiny.model("bert")
    original = model.bert.forward
    mask = tiny.tokenizer("bert").mask_token_id

    def dropping(input_ids: Tensor, **inputs: Any) -> Any:
        vectors = model.get_input_embeddings()(input_ids)
        return original(**inputs | {"inputs_embeds": vectors.masked_fill((input_ids == mask)[..., None], 0.0)})

    model.bert.forward = dropping
    explainer = Explainer(model, tiny.tokenizer("bert"))
    with pytest.raises(
        GateError, match=r"cannot be explained with the baseline \[MASK\]: it treats that token's id specially"
    ):
        explainer.explain(tiny.TEXTS[0])
    assert explainer.explain(tiny.TEXTS[0], baseline="pad").baseline == "pad"


def test_numbers_that_move_with_every_batch_pass() -> None:
    """One scale for a batch, as 8-bit activations have."""

    class Wobbling(HuggingFaceAdapter):
        def reference_outputs(self, batch: Any) -> Tensor:
            return super().reference_outputs(batch).add(0.2 * (len(batch.ids) - 1))

    adapter = Wobbling(tiny.model("bert"), tiny.tokenizer("bert"))
    assert Explainer.from_adapter(adapter).explain(tiny.TEXTS[0]).units


def test_a_text_of_one_word_leaves_the_gate_open_for_the_next() -> None:
    adapter = HuggingFaceAdapter(tiny.model("bert"), tiny.tokenizer("bert"))
    assert verdict(adapter, "a") is PaddingCheck.UNKNOWN
    assert verdict(adapter, "a film") is PaddingCheck.PADDED


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


@pytest.mark.parametrize("count", range(2, 9))
def test_an_ignored_token_is_left_out_where_every_token_has_an_output(count: int) -> None:
    """The model returns outputs for all tokens, although only the last ones are read."""
    words = ["the", "film", "is", "not", "bad", "at", "all", "dull"]
    explainer = tiny_heads.explainer("token_classification", "bert")
    with pytest.raises(TextError, match="a removed or ignored token has no output to read"):
        explainer.explain(" ".join(words[:count]), baseline="ignored")


@pytest.mark.parametrize("text", ["the film", "the film is", "the film is not", "the film is not bad"])
def test_a_language_model_that_computes_all_outputs_ignores_tokens(text: str) -> None:
    class Everywhere(CausalAdapter):
        def outputs(self, batch: Any, vectors: Tensor) -> Tensor:
            return super().outputs(replace(batch, positions=None), vectors)

        def reference_outputs(self, batch: Any) -> Tensor:
            return super().reference_outputs(replace(batch, positions=None))

    own = tiny_causal.explainer("llama")
    asked: Any = {"continuation": " dull", "baseline": "ignored", "prefix_cache": "never"}
    found = Explainer.from_adapter(Everywhere(own.model, own.tokenizer)).explain(text, **asked)
    assert found.scores == pytest.approx(own.explain(text, **asked).scores, abs=1e-9)
