"""Tiny models with every kind of head, random weights, and the tokenizers of their architectures."""

import warnings
from functools import cache
from typing import Any

import torch
import transformers
from support.tiny_architectures import T5, T5_SIZES, TABLE, unigram
from transformers import MarianConfig, MT5Config, PreTrainedTokenizerFast

from unmask import Explainer

MARIAN: dict[str, Any] = {
    "d_model": 24,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 64,
}
OWN = {
    "mt5": unigram(MT5Config, T5_SIZES, T5, "$A </s>"),
    "marian": unigram(MarianConfig, MARIAN, T5, "$A </s>"),
}
CLASSES = {
    "token_classification": "AutoModelForTokenClassification",
    "question_answering": "AutoModelForQuestionAnswering",
    "fill_mask": "AutoModelForMaskedLM",
    "multiple_choice": "AutoModelForMultipleChoice",
    "text2text": "AutoModelForSeq2SeqLM",
    "similarity": "AutoModel",
}
TAGS = ("O", "B-PER", "I-PER", "B-LOC")


def recipe(architecture: str) -> Any:
    return OWN.get(architecture) or TABLE[architecture]


@cache
def tokenizer(architecture: str) -> PreTrainedTokenizerFast:
    return recipe(architecture).tokenizer()  # type: ignore[no-any-return]  # a value of the table


@cache
def model(task: str, architecture: str, dtype: torch.dtype = torch.float64) -> Any:
    """A model that all tests share, so they must leave it unchanged."""
    torch.manual_seed(0)
    words = tokenizer(architecture)
    config = recipe(architecture).configuration(words, labels=len(TAGS))
    config.id2label = dict(enumerate(TAGS[:2] if task == "question_answering" else TAGS))  # a span has two ends
    if task == "text2text":
        config.decoder_start_token_id = words.pad_token_id
        config.forced_bos_token_id = config.forced_eos_token_id = None
    with warnings.catch_warnings():  # DeBERTa's module is scripted when it is first imported
        warnings.filterwarnings("ignore", "`torch.jit", DeprecationWarning)
        made = getattr(transformers, CLASSES[task]).from_config(config)
    for weight in made.parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=0.3)
    return made.to(dtype).eval()


def explainer(task: str, architecture: str, *, dtype: torch.dtype = torch.float64, **options: Any) -> Explainer:
    return Explainer(model(task, architecture, dtype), tokenizer(architecture), **options)
