"""Tiny causal language models of many architectures, with random weights in float64."""

import copy
from functools import cache
from typing import Any

import torch
from support.tiny_architectures import TABLE, byte_level
from support.tiny_tokenizers import gpt2_tokenizer
from transformers import AutoModelForCausalLM, BambaConfig, BloomConfig, PreTrainedTokenizerFast

from unmask import Explainer

BAMBA: dict[str, Any] = {
    "hidden_size": 24,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "attn_layer_indices": [1],
    "mamba_n_heads": 4,
    "mamba_d_head": 12,
    "mamba_d_state": 8,
    "mamba_chunk_size": 8,
}
BLOOM: dict[str, Any] = {"hidden_size": 24, "n_layer": 2, "n_head": 4}
OWN = {
    "hybrid": byte_level(BambaConfig, BAMBA, lambda: gpt2_tokenizer(pad="<pad>")),
    "bloom": byte_level(BloomConfig, BLOOM, lambda: gpt2_tokenizer(pad="<pad>")),
}
ARCHITECTURES = (
    "gpt2",
    "gpt2-without-pad",
    "llama",
    "llama-without-pad",
    "qwen2",
    "qwen3",
    "mistral",
    "gemma2",
    "gemma3",
    "gpt-neox",
    "phi3",
    "opt",
    "hybrid",
)


def recipe(architecture: str) -> Any:
    return OWN.get(architecture) or TABLE[architecture]


@cache
def tokenizer(architecture: str) -> PreTrainedTokenizerFast:
    return recipe(architecture).tokenizer()  # type: ignore[no-any-return]  # a value of the table


@cache
def model(architecture: str, dtype: torch.dtype = torch.float64) -> Any:
    """A model that all tests share, so they must leave it unchanged."""
    torch.manual_seed(0)
    config = recipe(architecture).configuration(tokenizer(architecture), labels=2)
    config.use_cache = True
    made = AutoModelForCausalLM.from_config(config)
    for name, weight in made.named_parameters():
        if weight.ndim > 1 and "conv" not in name:
            torch.nn.init.normal_(weight, std=0.3)
    return made.to(dtype).eval()


def stopping(stop: bool) -> tuple[Any, PreTrainedTokenizerFast]:
    """A model whose first generated token is always its stop token, or never."""
    made, words = model("gpt2"), tokenizer("gpt2")
    constant: Any = type(made)(made.config).double().eval()
    for weight in constant.parameters():
        torch.nn.init.zeros_(weight)
    constant.transformer.ln_f.bias.data.fill_(1.0)
    constant.lm_head.weight = torch.nn.Parameter(torch.zeros_like(constant.lm_head.weight))
    constant.lm_head.weight.data[words.eos_token_id if stop else 20] = 1.0
    return constant, words


MARKS = ["<|im_start|>", "<|im_end|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
TURNS = ["<start_of_turn>", "<end_of_turn>", "[INST]", "[/INST]"]


def chat_tokenizer(template: str) -> PreTrainedTokenizerFast:
    """A fresh tokenizer in which the markers of chat templates are single tokens."""
    made = copy.deepcopy(tokenizer("llama"))
    made.add_special_tokens({"additional_special_tokens": [*MARKS, *TURNS]})
    made.model_max_length, made.chat_template = 512, template
    return made


@cache
def chat_model() -> Any:
    """A model for the chat tokenizer that reads up to 512 tokens."""
    torch.manual_seed(0)
    config: Any = recipe("llama").configuration(chat_tokenizer(""), labels=2)
    config.max_position_embeddings = 512
    made = AutoModelForCausalLM.from_config(config)
    for weight in made.parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=0.3)
    return made.double().eval()


def explainer(architecture: str, *, dtype: torch.dtype = torch.float64, batch_tokens: int | None = None) -> Explainer:
    return Explainer(model(architecture, dtype), tokenizer(architecture), batch_tokens=batch_tokens)
