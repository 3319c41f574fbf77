"""Tiny models of every supported architecture, from configurations, in float64, with tokenizers trained on the spot."""

from functools import cache
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    DistilBertConfig,
    DistilBertForSequenceClassification,
    GPT2Config,
    GPT2ForSequenceClassification,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
)

from unmask import Explainer

TEXTS = [
    "a well-made and often lovely depiction of the mysteries of friendship.",
    "the film is not bad, not bad at all: it isn't dull",
    "junk food cinema at its greasiest!",
    "lovely",
]
ARCHITECTURES = ("bert", "distilbert", "roberta", "gpt2", "gpt2-without-pad")
SIZES: dict[str, Any] = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}


def word_piece() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(TEXTS, trainers.WordPieceTrainer(vocab_size=120, special_tokens=special))
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    pad, unk, cls, sep, mask = special
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=pad,
        unk_token=unk,
        cls_token=cls,
        sep_token=sep,
        mask_token=mask,
        model_max_length=64,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )


def byte_level(special: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=340, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def roberta_tokenizer() -> PreTrainedTokenizerFast:
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer = byte_level(special)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    cls, pad, sep, unk, mask = special
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        cls_token=cls,
        bos_token=cls,
        pad_token=pad,
        sep_token=sep,
        eos_token=sep,
        unk_token=unk,
        mask_token=mask,
        model_max_length=64,
    )


def gpt2_tokenizer(*, pad: str | None) -> PreTrainedTokenizerFast:
    special = ["<|endoftext|>", "<pad>"]
    return PreTrainedTokenizerFast(
        tokenizer_object=byte_level(special), eos_token=special[0], pad_token=pad, model_max_length=64
    )


@cache
def tokenizer(architecture: str) -> PreTrainedTokenizerFast:
    if architecture == "roberta":
        return roberta_tokenizer()
    if architecture.startswith("gpt2"):
        return gpt2_tokenizer(pad=None if architecture == "gpt2-without-pad" else "<pad>")
    return word_piece()


def model(architecture: str, *, labels: int = 3) -> Any:
    """A fresh model with random weights, large enough that every word matters."""
    rows = len(tokenizer(architecture))
    torch.manual_seed(0)
    made: PreTrainedModel
    common: dict[str, Any] = {"vocab_size": rows, "num_labels": labels}
    if architecture == "bert":
        made = BertForSequenceClassification(BertConfig(**common, **SIZES, max_position_embeddings=64))
    elif architecture == "distilbert":
        sizes: dict[str, Any] = {"dim": 24, "n_layers": 2, "n_heads": 4, "hidden_dim": 48}
        made = DistilBertForSequenceClassification(DistilBertConfig(**common, **sizes, max_position_embeddings=64))
    elif architecture == "roberta":
        made = RobertaForSequenceClassification(RobertaConfig(**common, **SIZES, max_position_embeddings=66))
    else:
        pad = None if architecture == "gpt2-without-pad" else tokenizer(architecture).pad_token_id
        sizes = {"n_positions": 64, "n_embd": 24, "n_layer": 2, "n_head": 4}
        made = GPT2ForSequenceClassification(GPT2Config(**common, **sizes, pad_token_id=pad))
    for weight in made.parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=0.3)
    made.double()
    made.train(mode=False)
    return made


def explainer(architecture: str, *, batch_tokens: int | None = None) -> Explainer:
    return Explainer(model(architecture), tokenizer(architecture), batch_tokens=batch_tokens)
