"""Heads, limits and what is refused."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch
from support import tiny
from support.tiny_architectures import GEMMA3, TABLE
from tokenizers import processors
from transformers import BertConfig, BertForNextSentencePrediction, Gemma3Config, Gemma3ForSequenceClassification

from unmask import Explainer
from unmask.errors import ArgumentError, ModelError
from unmask.models.huggingface.adapter import HuggingFaceAdapter


@pytest.mark.parametrize(
    "model",
    [
        BertForNextSentencePrediction(
            BertConfig(vocab_size=120, num_hidden_layers=1, hidden_size=12, num_attention_heads=2)
        ),
        torch.nn.Linear(2, 2),
    ],
)
def test_a_model_with_an_unknown_head_is_refused(model: Any) -> None:
    with pytest.raises(ModelError, match=r"not a Hugging Face sequence classifier .*ForSequenceClassification"):
        Explainer(model, tiny.tokenizer("bert"))


def test_a_model_that_names_no_word_embedding_is_refused() -> None:
    model = tiny.model("bert")
    model.get_input_embeddings = lambda: None
    with pytest.raises(ModelError, match="returns no module, so its words cannot be replaced"):
        Explainer(model, tiny.tokenizer("bert"))


def test_labels_come_from_the_model_or_the_caller() -> None:
    model, tokenizer = tiny.model("bert"), tiny.tokenizer("bert")
    assert Explainer(model, tokenizer).explain("a film").outputs == ("LABEL_0", "LABEL_1", "LABEL_2")
    named = Explainer(model, tokenizer, labels=["bad", "so-so", "good"]).explain("a film", target="good")
    assert named.outputs == ("bad", "so-so", "good")
    assert named.target == "good"
    with pytest.raises(ArgumentError, match="2 labels for 3 outputs"):
        Explainer(model, tokenizer, labels=["bad", "good"])


def test_a_model_that_returns_tuples_is_explained_all_the_same() -> None:
    model = tiny.model("bert")
    model.config.return_dict = False
    expected = tiny.explainer("bert").explain(tiny.TEXTS[0]).scores
    assert Explainer(model, tiny.tokenizer("bert")).explain(tiny.TEXTS[0]).scores == expected


@pytest.mark.parametrize("architecture", ["bert", "gpt2-without-pad"])
def test_threads_take_turns(architecture: str) -> None:
    model, tokenizer = tiny.model(architecture), tiny.tokenizer(architecture)
    explainers = [Explainer(model, tokenizer), Explainer(model, tokenizer)]
    texts = tiny.TEXTS * 3
    expected = [explainers[0].explain(text).scores for text in texts]
    pad = model.config.pad_token_id
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda pair: explainers[pair[0] % 2].explain(pair[1]).scores, enumerate(texts)))
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-12)
    assert model.config.pad_token_id == pad


def test_token_types_reach_a_wrapped_model() -> None:
    class WrappedForSequenceClassification(torch.nn.Module):
        """Like PEFT's: its forward accepts anything."""

        def __init__(self, inner: Any) -> None:
            super().__init__()
            self.inner, self.config = inner, inner.config

        def forward(self, *args: Any, **inputs: Any) -> Any:
            return self.inner(*args, **inputs)

        def get_base_model(self) -> Any:
            return self.inner

        def get_input_embeddings(self) -> Any:
            return self.inner.get_input_embeddings()

    tokenizer = tiny.word_piece()
    pieces = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing("[CLS]:1 $A:1 [SEP]:1", None, pieces)
    model = tiny.model("bert")
    wrapped: Any = WrappedForSequenceClassification(model)
    found = Explainer(wrapped, tokenizer).explain(tiny.TEXTS[0])
    with torch.no_grad():
        expected = model(**tokenizer(tiny.TEXTS[0], return_tensors="pt")).logits[0].tolist()
    assert found.whole == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("written", ["512", [512], {"most": 512}])
def test_a_limit_that_is_no_number_is_a_sentence(tmp_path: Path, written: object) -> None:
    tiny.model("bert").save_pretrained(tmp_path)
    tiny.tokenizer("bert").save_pretrained(tmp_path)
    settings = json.loads((tmp_path / "tokenizer_config.json").read_text())
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings | {"model_max_length": written}))
    with pytest.raises(ModelError, match=r"model_max_length is .*512.*; expected a number"):
        Explainer.from_pretrained(tmp_path)


@pytest.mark.parametrize("architecture", [name for name in TABLE if name not in ("xlnet", "t5")])
def test_the_limit_is_the_models(architecture: str) -> None:
    tokenizer = tiny.tokenizer.__wrapped__(architecture)
    tokenizer.model_max_length = 10**30
    adapter = HuggingFaceAdapter(tiny.model(architecture), tokenizer)
    assert adapter.limit == 64
    assert len(adapter.encode("lovely film " * 99, max_length=None).ids) == 64
    assert Explainer.from_adapter(adapter).explain("lovely film " * 99).truncated


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ["xlnet", "t5"])
def test_relative_positions_have_no_limit_but_the_tokenizers(architecture: str) -> None:
    tokenizer = tiny.tokenizer.__wrapped__(architecture)
    assert HuggingFaceAdapter(tiny.model(architecture), tokenizer).limit == 64
    tokenizer.model_max_length = 10**30
    adapter = HuggingFaceAdapter(tiny.model(architecture), tokenizer)
    assert adapter.limit is None
    assert not Explainer.from_adapter(adapter).explain("lovely film " * 50).truncated


def test_a_configuration_nested_in_one_for_images() -> None:
    """Gemma 3 from the hub is such a model; here without a padding token of its own."""
    tokenizer = tiny.tokenizer("llama-without-pad")
    text: dict[str, Any] = {**GEMMA3, "vocab_size": len(tokenizer), "pad_token_id": None}
    vision = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = Gemma3Config(
        text_config=text, vision_config={**vision, "image_size": 8, "patch_size": 4}, mm_tokens_per_image=4
    )
    model = Gemma3ForSequenceClassification(config).double()
    tokenizer.model_max_length = 10**30
    explainer = Explainer(model, tokenizer)
    assert HuggingFaceAdapter(model, tokenizer).limit == 64
    alone = [explainer.explain(text).scores for text in tiny.TEXTS]
    for one, other in zip(explainer.explain_many(tiny.TEXTS), alone, strict=True):
        assert one.scores == pytest.approx(other, rel=1e-9, abs=1e-12)
    assert model.config.get_text_config().pad_token_id is None


@pytest.mark.parametrize("pad", [-1, 10**6])
def test_a_padding_id_that_the_model_does_not_embed_is_replaced(pad: int) -> None:
    explainer = tiny.explainer("llama-without-pad")
    expected = [one.scores for one in explainer.explain_many(tiny.TEXTS)]
    explainer.model.config.pad_token_id = pad
    assert [one.scores for one in explainer.explain_many(tiny.TEXTS)] == expected
    assert explainer.model.config.pad_token_id == pad


def test_a_decoder_reads_its_answer_at_the_texts_end() -> None:
    """Beside a longer text in the batch, with and without a padding token of its own."""
    for architecture in ("gpt2", "gpt2-without-pad", "llama-without-pad", "xlnet"):
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
