"""Tiny float64 models of every architecture, made from configurations, with tokenizers trained on the fly."""

import warnings
from functools import cache
from typing import Any

import torch
from support.tiny_architectures import TABLE
from support.tiny_tokenizers import TEXTS, gpt2_tokenizer, word_piece
from transformers import AutoModelForSequenceClassification, PreTrainedTokenizerFast

from unmask import Explainer
from unmask.attribution.session import ModelSession
from unmask.models.huggingface.adapter import HuggingFaceAdapter

__all__ = ["ARCHITECTURES", "FAMILIES", "TEXTS", "explainer", "gpt2_tokenizer", "model", "tokenizer", "word_piece"]

ARCHITECTURES = ("bert", "distilbert", "roberta", "gpt2", "gpt2-without-pad")  # enough for most tests
FAMILIES = (*ARCHITECTURES, "xlnet", "deberta-v3", "llama-without-pad", "gemma3", "bart", "t5")  # one of each kind


@cache
def tokenizer(architecture: str) -> PreTrainedTokenizerFast:
    return TABLE[architecture].tokenizer()


def model(architecture: str, *, labels: int = 3) -> Any:
    """A fresh model with random weights that are large enough for every word to matter."""
    torch.manual_seed(0)
    recipe = TABLE[architecture]
    config = recipe.configuration(tokenizer(architecture), labels=labels)
    with warnings.catch_warnings():  # DeBERTa's module is scripted when it is first imported
        warnings.filterwarnings("ignore", "`torch.jit", DeprecationWarning)
        made = AutoModelForSequenceClassification.from_config(config)
    for weight in made.parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=recipe.deviation)
    made.double()
    made.train(mode=False)
    return made


def explainer(architecture: str, *, batch_tokens: int | None = None) -> Explainer:
    return Explainer(model(architecture), tokenizer(architecture), batch_tokens=batch_tokens)


def session(explainer: Explainer) -> ModelSession:
    """The session of the explainer's model."""
    return ModelSession(HuggingFaceAdapter(explainer.model, explainer.tokenizer))
