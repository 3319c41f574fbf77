"""Small versions of every tested architecture: configuration and tokenizer."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from support import double_attention
from support import tiny_tokenizers as kinds
from transformers import (
    AlbertConfig,
    BartConfig,
    BertConfig,
    CamembertConfig,
    DebertaV2Config,
    DistilBertConfig,
    ElectraConfig,
    Gemma2Config,
    Gemma3TextConfig,
    GemmaConfig,
    GPT2Config,
    GPTNeoXConfig,
    LlamaConfig,
    MistralConfig,
    ModernBertConfig,
    MPNetConfig,
    OPTConfig,
    Phi3Config,
    PreTrainedConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen3Config,
    RobertaConfig,
    T5Config,
    XLMRobertaConfig,
    XLNetConfig,
)

SIZES: dict[str, Any] = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
DECODER: dict[str, Any] = {**SIZES, "num_key_value_heads": 2, "max_position_embeddings": 64}
GEMMA: dict[str, Any] = {**DECODER, "head_dim": 6}
GEMMA3: dict[str, Any] = {
    **GEMMA,
    "query_pre_attn_scalar": 6,
    "sliding_window": 8,
    "layer_types": ["sliding_attention", "full_attention"],
}
GEMMA2: dict[str, Any] = {**GEMMA3, "attn_implementation": double_attention.NAME}
DEBERTA: dict[str, Any] = {
    **SIZES,
    "max_position_embeddings": 64,
    "relative_attention": True,
    "pos_att_type": ["c2p", "p2c"],
    "position_buckets": 8,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "position_biased_input": False,
}
LLAMA = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
PADDED = {**LLAMA, "pad_token": "<pad>"}
GEMMA_TOKENS = {"pad_token": "<pad>", "eos_token": "<eos>", "bos_token": "<bos>", "unk_token": "<unk>"}
XLM = {**kinds.ROBERTA, "cls_token": "<s>", "sep_token": "</s>"}
ALBERT = {
    "pad_token": "<pad>",
    "unk_token": "<unk>",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}
T5 = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
IDS = ("pad", "bos", "eos", "sep", "cls")  # of a tokenizer's tokens, those that a configuration names


@dataclass(frozen=True)
class Architecture:
    """How to build a small model of this architecture."""

    config: type[PreTrainedConfig]
    sizes: dict[str, Any]
    kind: str  # of its tokenizer, in words
    tokenizer: Callable[[], PreTrainedTokenizerFast]
    deviation: float = 0.3  # of its weights: every word matters, and no rounding is blown up

    def configuration(self, tokenizer: Any, *, labels: int) -> PreTrainedConfig:
        """The configuration for this tokenizer's vocabulary and special tokens."""
        named = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in IDS}
        settings: dict[str, Any] = {"vocab_size": len(tokenizer), "num_labels": labels, **named, **self.sizes}
        return self.config(**settings)


def word_piece(config: type[PreTrainedConfig], sizes: dict[str, Any]) -> Architecture:
    return Architecture(config, {"max_position_embeddings": 64, **sizes}, "WordPiece", kinds.word_piece)


def byte_level(
    config: type[PreTrainedConfig], sizes: dict[str, Any], tokenizer: Callable[[], PreTrainedTokenizerFast]
) -> Architecture:
    return Architecture(config, sizes, "byte-level BPE", tokenizer)


def unigram(
    config: type[PreTrainedConfig], sizes: dict[str, Any], roles: dict[str, str], template: str, **settings: Any
) -> Architecture:
    tokenizer = lambda: kinds.unigram(roles, template=template, **settings)  # noqa: E731  a value of the table
    return Architecture(config, sizes, "Unigram", tokenizer)


def byte_fallback(config: type[PreTrainedConfig], sizes: dict[str, Any], roles: dict[str, str]) -> Architecture:
    return Architecture(config, sizes, "BPE with bytes", lambda: kinds.byte_fallback(roles))


def mpnet_tokenizer() -> PreTrainedTokenizerFast:
    roles = {**XLM, "unk_token": "[UNK]"}
    return kinds.word_piece(roles, template="<s> $A </s>", model_input_names=["input_ids", "attention_mask"])


def gpt2_tokenizer() -> PreTrainedTokenizerFast:
    return kinds.gpt2_tokenizer(pad="<pad>")


ALBERT_SIZES = {**SIZES, "embedding_size": 16, "max_position_embeddings": 64}
DISTILBERT = {"dim": 24, "n_layers": 2, "n_heads": 4, "hidden_dim": 48}
GPT2 = {"n_positions": 64, "n_embd": 24, "n_layer": 2, "n_head": 4}
BEHIND_PADDING = {**SIZES, "max_position_embeddings": 66, "type_vocab_size": 1}
MODERNBERT = {**SIZES, "max_position_embeddings": 64, "local_attention": 8, "global_attn_every_n_layers": 2}
XLNET = {"d_model": 24, "n_layer": 2, "n_head": 4, "d_inner": 48}
BART = {
    "d_model": 24,
    "max_position_embeddings": 64,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "scale_embedding": True,
    "decoder_start_token_id": 2,
}
OPT = {**SIZES, "ffn_dim": 48, "max_position_embeddings": 64, "word_embed_proj_dim": 16}
T5_SIZES = {"d_model": 24, "d_kv": 6, "d_ff": 48, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}

TABLE: dict[str, Architecture] = {
    "bert": word_piece(BertConfig, SIZES),
    "distilbert": word_piece(DistilBertConfig, DISTILBERT),
    "roberta": byte_level(RobertaConfig, BEHIND_PADDING, kinds.roberta_tokenizer),
    "xlm-roberta": unigram(XLMRobertaConfig, BEHIND_PADDING, XLM, "<s> $A </s>"),
    "camembert": unigram(CamembertConfig, BEHIND_PADDING, XLM, "<s> $A </s>"),
    "albert": replace(
        unigram(AlbertConfig, ALBERT_SIZES, ALBERT, "[CLS] $A [SEP]", model_input_names=kinds.TYPED), deviation=0.6
    ),
    "electra": word_piece(ElectraConfig, {**SIZES, "embedding_size": 16}),
    "deberta-v2": unigram(
        DebertaV2Config, {**DEBERTA, "conv_kernel_size": 3, "conv_act": "gelu"}, kinds.BERT, "[CLS] $A [SEP]"
    ),
    "deberta-v3": unigram(DebertaV2Config, DEBERTA, kinds.BERT, "[CLS] $A [SEP]"),
    "mpnet": Architecture(MPNetConfig, {**SIZES, "max_position_embeddings": 66}, "WordPiece", mpnet_tokenizer),
    "xlnet": unigram(
        XLNetConfig,
        XLNET,
        kinds.XLNET,
        "$A:0 <sep>:0 <cls>:2",
        pair="$A:0 <sep>:0 $B:1 <sep>:1 <cls>:2",
        padding_side="left",
        model_input_names=kinds.TYPED,
    ),
    "modernbert": byte_level(ModernBertConfig, MODERNBERT, kinds.modernbert_tokenizer),
    "gpt2": byte_level(GPT2Config, GPT2, gpt2_tokenizer),
    "gpt2-without-pad": byte_level(GPT2Config, GPT2, lambda: kinds.gpt2_tokenizer(pad=None)),
    "gpt-neox": byte_level(GPTNeoXConfig, {**SIZES, "max_position_embeddings": 64}, gpt2_tokenizer),
    "llama": byte_fallback(LlamaConfig, DECODER, PADDED),
    "llama-without-pad": byte_fallback(LlamaConfig, DECODER, LLAMA),
    "qwen2": byte_level(Qwen2Config, DECODER, gpt2_tokenizer),
    "qwen3": byte_level(Qwen3Config, {**DECODER, "head_dim": 6}, gpt2_tokenizer),
    "mistral": byte_fallback(MistralConfig, {**DECODER, "sliding_window": 8}, PADDED),
    "gemma": byte_fallback(GemmaConfig, GEMMA, GEMMA_TOKENS),
    "gemma2": byte_fallback(Gemma2Config, GEMMA2, GEMMA_TOKENS),
    "gemma3": byte_fallback(Gemma3TextConfig, GEMMA3, GEMMA_TOKENS),
    "phi3": byte_fallback(Phi3Config, DECODER, PADDED),
    "opt": byte_level(OPTConfig, OPT, kinds.opt_tokenizer),
    "bart": byte_level(BartConfig, BART, kinds.roberta_tokenizer),
    "t5": unigram(T5Config, T5_SIZES, T5, "$A </s>"),
}
