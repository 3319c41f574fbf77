"""Scores of a model in bfloat16 are as near to those of its weights as the plain model in bfloat16, row by row."""

import copy

import pytest
import torch
from support import slow_generation, tiny_causal
from support.slow_reference import places

PROMPT, ANSWER = "the film is not bad, not bad at all. a lovely friendship", " of the mysteries"
SPREAD = 2  # rows of a batch are rounded in another order than rows by themselves


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "qwen3", "gemma3"])
@pytest.mark.parametrize("baseline", ["pad", "ignored"])
def test_scores_are_right_within_the_precision_of_bfloat16(architecture: str, baseline: str) -> None:
    rounded, tokenizer = tiny_causal.model(architecture, torch.bfloat16), tiny_causal.tokenizer(architecture)
    exact = copy.deepcopy(rounded).double()  # the same weights, computed in 53 bits
    units, prompt = places(tokenizer, PROMPT, "word")
    ids = tokenizer(PROMPT + ANSWER)["input_ids"]
    found = tiny_causal.explainer(architecture, dtype=torch.bfloat16).explain(
        PROMPT, continuation=ANSWER, baseline=baseline
    )
    if found.baseline == "ignored" and any("every version of it starts with" in warning for warning in found.warnings):
        units, prompt = [tuple(token + 1 for token in one) for one in units], [0, *prompt]
        ids = [tokenizer.convert_tokens_to_ids(tokenizer.bos_token or tokenizer.eos_token), *ids]
    end = tokenizer.pad_token_id if baseline == "pad" else baseline
    expected = slow_generation.scores(exact, ids, len(prompt), units, end)
    own = slow_generation.scores(rounded, ids, len(prompt), units, end)  # row by row, in bfloat16
    assert found.scores_by_output is not None
    ours = torch.tensor(found.scores_by_output, dtype=torch.float64)
    precision = float((own - expected).abs().max())
    assert 0 < precision < float(expected.abs().max())
    assert float((ours - expected).abs().max()) <= SPREAD * precision
