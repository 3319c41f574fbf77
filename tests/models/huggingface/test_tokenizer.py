"""The tokenizer's side: baselines, truncation, what is refused."""

from typing import Any

import pytest
from support import tiny
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from unmask import Explainer, Explanation, Failure
from unmask.errors import ArgumentError, ModelError, TextError
from unmask.models.huggingface.tokenizer import TokenizerReader


def tokens(architecture: str) -> TokenizerReader:
    return TokenizerReader(tiny.tokenizer(architecture), model_type=architecture, rows=lambda: 999)


@pytest.mark.parametrize(
    ("architecture", "name", "token"),
    [
        ("bert", "mask", "[MASK]"),
        ("roberta", "mask", "<mask>"),
        ("gpt2", "pad", "<pad>"),
        ("gpt2-without-pad", "eos", "<|endoftext|>"),
    ],
)
def test_auto_takes_the_first_of_mask_pad_unk_eos(architecture: str, name: str, token: str) -> None:
    found = tokens(architecture).baseline("auto")
    assert (found.name, found.token) == (name, token)
    assert found.id == tiny.tokenizer(architecture).convert_tokens_to_ids(token)


def test_an_end_of_text_as_baseline_is_warned_of() -> None:
    explanation = tiny.explainer("gpt2-without-pad").explain(tiny.TEXTS[0])
    assert explanation.baseline == "eos"
    assert "marks the end of a text" in explanation.warnings[0]
    assert tiny.explainer("bert").explain(tiny.TEXTS[0]).warnings == ()


def test_a_pad_that_is_the_end_of_text_is_warned_of() -> None:
    tokenizer = tiny.gpt2_tokenizer(pad="<|endoftext|>")
    warning = TokenizerReader(tokenizer, model_type="gpt2", rows=lambda: 999).baseline("auto").warning
    assert warning is not None
    assert "marks the end of a text" in warning


def test_an_electra_discriminators_mask_is_warned_of() -> None:
    warning = TokenizerReader(tiny.tokenizer("bert"), model_type="electra", rows=lambda: 999).baseline("mask").warning
    assert warning is not None
    assert "not trained as a mask" in warning


def test_any_token_as_it_stands_inside_a_sentence() -> None:
    assert tokens("bert").baseline("token:the").token == "the"
    assert tokens("roberta").baseline("token:the").token == "Ġthe"
    assert tokens("roberta").baseline("token:Ġthe").token == "Ġthe"
    assert tokens("bert").baseline("zero").id is None


@pytest.mark.parametrize("name", ["token:depictions", "token:xyzzy", "token:", "token:the film"])
def test_what_is_not_one_token_is_refused(name: str) -> None:
    with pytest.raises(ArgumentError, match="not a single token"):
        tokens("bert").baseline(name)


def test_a_long_word_is_shortened_in_the_error() -> None:
    with pytest.raises(ArgumentError, match="not a single token") as error:
        tokens("bert").baseline(f"token:{'x' * 3_000}")
    assert len(str(error.value)) < 250


def test_the_pieces_of_what_is_several_tokens_are_named() -> None:
    pieces = tiny.tokenizer("bert").tokenize("depictions")
    with pytest.raises(ArgumentError) as error:
        tokens("bert").baseline("token:depictions")
    assert str(error.value).endswith(f", but {len(pieces)}: {' '.join(pieces)}")


def test_baselines_that_are_not_there_are_refused() -> None:
    with pytest.raises(ArgumentError, match="has no mask token; use baseline='zero'"):
        tokens("gpt2").baseline("mask")
    with pytest.raises(ArgumentError, match="unknown baseline 'msk'; did you mean 'mask'"):
        tokens("bert").baseline("msk")


def test_the_zero_baseline_is_the_zero_vector() -> None:
    explainer = tiny.explainer("bert")
    zeroed = tiny.model("bert")
    mask = explainer.tokenizer.mask_token_id
    embedding: Any = zeroed.get_input_embeddings()
    embedding.weight.data[mask] = 0.0
    expected = Explainer(zeroed, explainer.tokenizer).explain(tiny.TEXTS[1], baseline="mask")
    found = explainer.explain(tiny.TEXTS[1], baseline="zero")
    assert found.scores == pytest.approx(expected.scores, rel=1e-12)


@pytest.mark.parametrize("architecture", ["bert", "gpt2"])
def test_a_long_text_is_cut_and_said_to_be(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    text = "lovely film " * 60
    explanation = explainer.explain(text)
    assert explanation.truncated
    last = explanation.units[-1]
    assert explanation.unread == len(text) - last.end > 0
    assert f"{explanation.unread:,} characters were not read" in explanation.warnings[-1]
    assert not explainer.explain("lovely film").truncated


def test_reading_less_than_the_model_could() -> None:
    explainer = Explainer(tiny.model("bert"), tiny.tokenizer("bert"), max_length=5)
    explanation = explainer.explain("the film is not bad")
    assert [unit.text for unit in explanation.units] == ["the", "film", "is"]
    assert explanation.truncated
    with pytest.raises(ArgumentError, match="max_length 65 exceeds this model's limit of 64"):
        Explainer(tiny.model("bert"), tiny.tokenizer("bert"), max_length=65)


def test_a_left_truncating_tokenizer_reads_the_end() -> None:
    tokenizer = tiny.word_piece()
    tokenizer.truncation_side = "left"
    explanation = Explainer(tiny.model("bert"), tokenizer, max_length=5).explain("the film is not bad")
    assert [unit.text for unit in explanation.units] == ["is", "not", "bad"]
    assert explanation.unread == len("the film ")
    assert "first 9 characters" in explanation.warnings[-1]


def test_a_baseline_that_the_model_does_not_embed_is_passed_over_or_refused() -> None:
    tokenizer = tiny.gpt2_tokenizer(pad=None)
    tokenizer.add_special_tokens({"pad_token": "[PAD]"})  # and no resize_token_embeddings
    explainer = Explainer(tiny.model("gpt2-without-pad"), tokenizer)
    assert explainer.explain("a film").baseline == "eos"
    with pytest.raises(ArgumentError, match="this model has no pad token"):
        explainer.explain("a film", baseline="pad")


@pytest.mark.parametrize("length", [1, 2])
def test_a_length_without_room_for_the_text_is_refused(length: int) -> None:
    with pytest.raises(ArgumentError, match=f"max_length {length} leaves no room for a text"):
        Explainer(tiny.model("bert"), tiny.tokenizer("bert"), max_length=length).explain("the film is not bad")


def test_a_text_cut_inside_a_character_is_said_to_be_cut() -> None:
    explainer = Explainer(tiny.model("gpt2"), tiny.tokenizer("gpt2"), max_length=3)
    explanation = explainer.explain("lovely \U0001f984")
    assert explanation.truncated
    assert "truncated to 3 tokens" in explanation.warnings[-1]


def test_a_lone_surrogate_is_a_clear_error() -> None:
    with pytest.raises(TextError, match=r"lone surrogate U\+D800 at character 3"):
        tiny.explainer("bert").explain("a \ud800")


def test_what_is_no_text_is_a_clear_error() -> None:
    with pytest.raises(TextError, match="a text must be a str, not int"):
        tiny.explainer("bert").explain(3)  # type: ignore[arg-type]


def test_a_slow_tokenizer_is_refused() -> None:
    class Slow:
        is_fast = False

    with pytest.raises(ModelError, match="Slow is a slow tokenizer"):
        Explainer(tiny.model("bert"), Slow())  # type: ignore[arg-type]


def test_a_tokenizer_larger_than_the_model_is_a_clear_error() -> None:
    tokenizer = tiny.word_piece()
    tokenizer.add_tokens(["extraordinary"])
    with pytest.raises(TextError, match="the model has only"):
        Explainer(tiny.model("bert"), tokenizer).explain("an extraordinary film")


def test_a_text_that_the_tokenizer_cannot_read_fails_alone() -> None:
    backend = Tokenizer(models.WordLevel({"a": 0, "film": 1}, unk_token="[UNK]"))  # which it does not have
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, pad_token="a")
    fine, broken, last = Explainer(tiny.model("bert"), tokenizer).attempts(
        ["a film", "a zork", "film a"], baseline="zero"
    )
    assert isinstance(fine, Explanation)
    assert isinstance(last, Explanation)
    assert isinstance(broken, Failure)
    assert "the tokenizer cannot read this text" in str(broken.error)
