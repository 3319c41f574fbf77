"""The module that embeds the words is found, whatever it is called and however it is called."""

from typing import Any

import pytest
import torch
from support import tiny
from torch import Tensor, nn
from transformers import Gemma3nTextConfig, MvpConfig, MvpForSequenceClassification
from transformers.modeling_layers import GenericForSequenceClassification
from transformers.models.gemma3n.modeling_gemma3n import Gemma3nPreTrainedModel

from unmask import Explainer
from unmask.errors import GateError
from unmask.models.huggingface.embedding import (
    WordEmbedding,
    find_word_embedding,
    replace_embeddings,
    telling,
    tied_modules,
)


class Gemma3nForSequenceClassification(GenericForSequenceClassification, Gemma3nPreTrainedModel):
    """A classifier with per-layer token embeddings, put together as transformers puts its own together."""


def found_in(architecture: str) -> tuple[Any, WordEmbedding]:
    model = tiny.model(architecture)
    return model, find_word_embedding(
        model, tied_modules(model, model.get_input_embeddings()), ids=[5, 7, 9, 2], run=lambda ids: model(input_ids=ids)
    )


@pytest.mark.parametrize("architecture", ["bert", "gpt2", "deberta-v3", "gemma3", "opt"])
def test_most_models_embed_with_what_they_say(architecture: str) -> None:
    model, words = found_in(architecture)
    assert words == WordEmbedding(model.get_input_embeddings(), is_transposed=False)


def test_xlnet_embeds_transposed() -> None:
    model, words = found_in("xlnet")
    assert words == WordEmbedding(model.get_input_embeddings(), is_transposed=True)


def test_encoder_decoders_embed_the_text_twice() -> None:
    model = tiny.model("bart")
    words = find_word_embedding(
        model, tied_modules(model, model.get_input_embeddings()), ids=[0, 9, 2], run=lambda ids: model(input_ids=ids)
    )
    assert words.module is model.model.encoder.embed_tokens
    assert words.shifted == (model.model.decoder.embed_tokens,)


@pytest.mark.parametrize("architecture", tiny.FAMILIES)
def test_watching_leaves_no_hook(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    explainer.explain("a film")
    assert not any(module._forward_pre_hooks for module in explainer.model.modules())


def test_per_layer_embeddings_are_refused() -> None:
    tokenizer = tiny.tokenizer("gemma3")
    config = Gemma3nTextConfig(
        vocab_size=len(tokenizer),
        vocab_size_per_layer_input=len(tokenizer),
        hidden_size=24,
        hidden_size_per_layer_input=8,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=6,
        num_kv_shared_layers=0,
        laurel_rank=4,
        altup_num_inputs=2,
        layer_types=["full_attention"] * 2,
        activation_sparsity_pattern=[0.0, 0.0],
        pad_token_id=0,
    )
    per_layer: Any = Gemma3nForSequenceClassification  # untyped
    with pytest.raises(GateError, match="also looks up tokens in other tables"):
        Explainer(per_layer(config), tokenizer).explain(tiny.TEXTS[0])


@pytest.mark.parametrize("ids", [[0, 1], [0, 0, 0], [0], [2, 3, 4]])
@pytest.mark.parametrize("architecture", ["gpt2", "bert"])
def test_ids_that_look_like_positions_or_types_are_no_further_table(architecture: str, ids: list[int]) -> None:
    """In GPT-2's own vocabulary `!"` is 0, 1."""
    model = tiny.model(architecture)
    embedding = model.get_input_embeddings()
    assert (
        find_word_embedding(model, tied_modules(model, embedding), ids=ids, run=lambda ids: model(input_ids=ids)).module
        is embedding
    )


def test_a_position_table_that_only_counts_the_ids_is_no_further_table() -> None:
    """MVP's is called with the text's ids."""
    tokenizer = tiny.tokenizer("bart")
    sizes: dict[str, Any] = {"encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 8, "decoder_ffn_dim": 8}
    heads: dict[str, Any] = {"encoder_attention_heads": 2, "decoder_attention_heads": 2}
    model = MvpForSequenceClassification(MvpConfig(vocab_size=len(tokenizer), d_model=8, **sizes, **heads))
    assert Explainer(model, tokenizer).explain(tiny.TEXTS[0]).units


def test_an_embedding_that_is_called_by_keyword() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(9, 2)

        def forward(self, ids: Tensor) -> Any:
            return self.words(input=ids)

    model = Model()
    words = find_word_embedding(model, [model.words], ids=[3, 4], run=model)
    ids, vectors = torch.tensor([[3, 4]]), torch.ones(1, 2, 2)
    with replace_embeddings(words, ids, vectors):
        assert model(ids) is vectors
    assert model(ids) is not vectors


@pytest.mark.parametrize("architecture", tiny.FAMILIES)
def test_another_embedding_is_noticed(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    explainer.explain(tiny.TEXTS[0])
    words = explainer.model.get_input_embeddings()
    torch.manual_seed(1)
    other = type(words)(*([*words.weight.shape, 0] if architecture in ("gemma3", "bart") else words.weight.shape))
    explainer.model.set_input_embeddings(other.double())
    expected = Explainer(explainer.model, explainer.tokenizer).explain(tiny.TEXTS[0]).scores
    assert explainer.explain(tiny.TEXTS[0]).scores == expected


def test_a_wrapper_is_replaced_and_not_what_it_wraps() -> None:
    """PEFT's embeddings call the original inside and add to it."""

    class Wrapper(nn.Module):
        def __init__(self, inner: nn.Embedding) -> None:
            super().__init__()
            self.inner = inner
            self.delta = nn.Parameter(torch.randn_like(inner.weight))

        @property
        def weight(self) -> Tensor:
            return self.inner.weight

        def forward(self, ids: Tensor) -> Any:
            return self.inner(ids) + self.delta[ids]

    model, tokenizer = tiny.model("bert"), tiny.tokenizer("bert")
    torch.manual_seed(1)
    wrapper = Wrapper(model.get_input_embeddings())
    model.set_input_embeddings(wrapper)
    scores = Explainer(model, tokenizer).explain(tiny.TEXTS[0]).scores
    merged = nn.Embedding(*wrapper.weight.shape).double()
    merged.weight.data = wrapper.weight.detach() + wrapper.delta.detach()
    model.set_input_embeddings(merged)
    assert Explainer(model, tokenizer).explain(tiny.TEXTS[0]).scores == pytest.approx(scores, rel=1e-9)


@pytest.mark.parametrize("ids", [[1], [0], [0, 0], [0, 1], [3, 4, 5], list(range(64))])
def test_what_is_read_looks_like_no_positions_and_no_types(ids: list[int]) -> None:
    read = telling(ids)
    assert read == read[::-1]
    assert len(set(read)) > 1
    assert len(read) <= 8


@pytest.mark.parametrize("architecture", ["bert", "gpt2", "xlnet", "bart", "t5"])
def test_a_larger_vocabulary_is_noticed(architecture: str) -> None:
    """Encoder-decoders keep the module that they name, and replace those that they call."""
    tokenizer = tiny.tokenizer.__wrapped__(architecture)
    explainer = Explainer(tiny.model(architecture), tokenizer)
    explainer.explain(tiny.TEXTS[0])
    tokenizer.add_tokens(["extraordinary"])
    explainer.model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    text = "an extraordinary film"
    assert explainer.explain(text).scores == Explainer(explainer.model, tokenizer).explain(text).scores
