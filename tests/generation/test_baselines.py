"""The baseline that `auto` takes for a language model: never a token that says something else."""

import copy
from typing import Any

import pytest
from support import tiny_causal

from unmask.models.huggingface.causal import CausalAdapter

GIVEN: list[tuple[dict[str, Any], str]] = [
    ({"pad_token": "<pad>"}, "pad"),
    ({"pad_token": "</s>"}, "unk"),  # its EOS
    ({"pad_token": "<s>"}, "unk"),  # its BOS
    ({"pad_token": "<unk>"}, "unk"),
    ({"pad_token": "<|endoftext|>"}, "unk"),
    ({"pad_token": "</s>", "unk_token": "<|endoftext|>"}, "ignored"),
    ({"pad_token": "<|end_of_text|>", "unk_token": "</s>"}, "ignored"),
    ({"pad_token": "<|stop|>"}, "unk"),  # in the generation settings
]


@pytest.mark.parametrize(("tokens", "baseline"), GIVEN)
def test_a_token_that_ends_a_text_is_no_baseline(tokens: dict[str, str], baseline: str) -> None:
    tokenizer, model = copy.deepcopy(tiny_causal.tokenizer("llama")), copy.deepcopy(tiny_causal.model("llama"))
    names = ["<|endoftext|>", "<|end_of_text|>", "<|stop|>"]
    tokenizer.add_special_tokens({"additional_special_tokens": names})
    model.resize_token_embeddings(len(tokenizer))
    for name, token in tokens.items():
        setattr(tokenizer, name, token)
    model.generation_config.eos_token_id = [tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids("<|stop|>")]
    assert CausalAdapter(model, tokenizer).baseline("auto").name == baseline
