"""Scores of an answer equal those of Captum's LLMAttribution with FeatureAblation, by token and by word."""

from math import log
from typing import Any

import pytest
import torch
from captum.attr import FeatureAblation, LLMAttribution, TextTokenInput
from support import tiny_causal
from support.slow_reference import places

PROMPT = "the film is not bad, a lovely friendship"
ANSWER = " of the mysteries"
EPSILON = 4 * torch.finfo(torch.float32).eps  # the rounding of log-probabilities, whose differences are scores


def captum_scores(architecture: str, groups: torch.Tensor | None, **settings: Any) -> Any:
    model, tokenizer = tiny_causal.model(architecture), tiny_causal.tokenizer(architecture)
    text = TextTokenInput(PROMPT, tokenizer, baselines=tokenizer.pad_token_id)
    target = torch.tensor(tokenizer(PROMPT + ANSWER)["input_ids"][len(tokenizer(PROMPT)["input_ids"]) :])
    more = {} if groups is None else {"feature_mask": groups}
    return LLMAttribution(FeatureAblation(model), tokenizer).attribute(text, target=target, **settings, **more)


@pytest.mark.parametrize("architecture", ["gpt2", "llama"])
@pytest.mark.parametrize("unit", ["token", "word"])
@pytest.mark.parametrize(
    "settings",  # with `use_cached_outputs`, Captum 0.9 gives transformers 5 the whole prompt again at every token
    [{"use_cached_outputs": False}, {"forward_in_tokens": False}],
    ids=["token-by-token", "at-once"],
)
@pytest.mark.filterwarnings("ignore:.*Skipping this token")  # about the names that Captum gives to tokens
def test_scores_equal_captums(architecture: str, unit: str, settings: dict[str, Any]) -> None:
    units, ids = places(tiny_causal.tokenizer(architecture), PROMPT, unit)
    owner = {token: at for at, one in enumerate(units, 1) for token in one}  # 0: tokens that are never masked
    groups = torch.tensor([[owner.get(token, 0) for token in range(len(ids))]])
    theirs = captum_scores(architecture, groups, **settings)
    found = tiny_causal.explainer(architecture).explain(PROMPT, continuation=ANSWER, unit=unit, baseline="pad")
    firsts = [one[0] for one in units]  # Captum gives a group's score to each of its tokens
    assert found.scores_by_output is not None
    ours = torch.tensor(found.scores_by_output, dtype=torch.float32)
    expected = theirs.token_attr[:, firsts].T
    assert ours.shape == expected.shape
    surprisals = [-log(token.probability) for token in found.output_tokens]
    assert float((ours - expected).abs().max()) <= EPSILON * max(surprisals)
    totals = theirs.seq_attr[firsts]
    assert float((torch.tensor(found.scores) - totals).abs().max()) <= EPSILON * sum(surprisals)
