"""Tokenizers of every kind: each splits, normalizes and counts characters in its own way."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from support import tiny_tokenizers as tiny
from support.shared import MODELS, SHARED
from tokenizers import Regex, normalizers, pre_tokenizers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from unmask.models.huggingface.loading import embedded_model

SPECIAL = {"unk_token": "<unk>", "bos_token": "<s>", "pad_token": "<pad>"}


def changed(tokenizer: PreTrainedTokenizerFast, **parts: Any) -> PreTrainedTokenizerFast:
    """The tokenizer with another normalizer or pre-tokenizer."""
    backend = tokenizer.backend_tokenizer
    for name, part in parts.items():
        setattr(backend, name, part)
    return tokenizer


def unigram() -> PreTrainedTokenizerFast:
    return tiny.unigram(SPECIAL, template="<s> $A")


def byte_fallback() -> PreTrainedTokenizerFast:
    return tiny.byte_fallback({**SPECIAL, "eos_token": "</s>"})


def sentence_piece() -> Any:
    """SentencePiece's normalization of a text, built from the parts that `tokenizers` offers."""
    blanks = normalizers.Replace(Regex(" {2,}"), " ")
    return normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Strip(), blanks])


def llama_two() -> Any:
    return normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])


KINDS: dict[str, Callable[[], Any]] = {
    "WordPiece, lower case, no accents": tiny.word_piece,
    "WordPiece, cased": lambda: changed(tiny.word_piece(), normalizer=normalizers.BertNormalizer(lowercase=False)),
    "WordPiece, no normalizer": lambda: changed(tiny.word_piece(), normalizer=normalizers.Sequence([])),
    "byte-level BPE, trimmed": tiny.roberta_tokenizer,
    "byte-level BPE, untrimmed": lambda: tiny.gpt2_tokenizer(pad="<pad>"),
    "byte-level BPE, NFC": lambda: changed(tiny.gpt2_tokenizer(pad="<pad>"), normalizer=normalizers.NFC()),
    "Unigram, NFKC": unigram,
    "Unigram, no normalizer": lambda: changed(unigram(), normalizer=normalizers.Sequence([])),
    "Unigram, like SentencePiece": lambda: changed(unigram(), normalizer=sentence_piece()),
    "Unigram, lower case, no accents": lambda: changed(
        unigram(),
        normalizer=normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()]),
    ),
    "Unigram, no blank before the text": lambda: changed(
        unigram(), pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme="never", split=False)
    ),
    "BPE with bytes": byte_fallback,
    "BPE with bytes, like Llama 2": lambda: changed(
        byte_fallback(), normalizer=llama_two(), pre_tokenizer=pre_tokenizers.Sequence([])
    ),
    "BPE with bytes, like Gemma": lambda: changed(
        byte_fallback(),
        normalizer=normalizers.Replace(" ", "▁"),
        pre_tokenizer=pre_tokenizers.Split(" ", "merged_with_previous"),
    ),
    "the embedded model's": lambda: AutoTokenizer.from_pretrained(embedded_model()),
}
if SHARED.is_dir():
    KINDS |= {name: partial(AutoTokenizer.from_pretrained, SHARED / "models" / name) for name in MODELS}


@cache
def tokenizer(kind: str) -> Any:
    return KINDS[kind]()
