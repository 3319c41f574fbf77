"""Scores of answers on every architecture equal those of the definition, whatever the batch, the unit, the baseline."""

from typing import Any

import pytest
import torch
from support import slow_generation, tiny_causal
from support.slow_reference import places

from unmask import Explanation

PROMPT = "the film is not bad, not bad at all. a lovely friendship"
ANSWER = " of the mysteries, isn't it dull"
EXACT, SINGLE = 1e-9, 1e-4  # of the largest score, in float64 and in float32


def reference(found: Explanation, architecture: str, unit: str, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    model, tokenizer = tiny_causal.model(architecture, dtype), tiny_causal.tokenizer(architecture)
    units, prompt = places(tokenizer, PROMPT, unit)
    ids = tokenizer(PROMPT + ANSWER)["input_ids"]
    assert ids[: len(prompt)] == prompt
    known: dict[str, Any] = {name: getattr(tokenizer, f"{name}_token_id") for name in ("pad", "unk", "eos")}
    if begins := [warning for warning in found.warnings if "every version of it starts with" in warning]:
        first = tokenizer.eos_token if tokenizer.bos_token is None else tokenizer.bos_token
        assert begins[0].endswith(f"starts with the token {first}")
        units, prompt = [tuple(token + 1 for token in one) for one in units], [0, *prompt]
        ids = [tokenizer.convert_tokens_to_ids(first), *ids]
    assert bool(begins) == (found.baseline == "ignored" and tokenizer("the")["input_ids"] == ids[bool(begins) :][:1])
    return slow_generation.scores(model, ids, len(prompt), units, known.get(found.baseline, found.baseline))


def check(found: Explanation, expected: torch.Tensor, tolerance: float) -> None:
    assert found.scores_by_output is not None
    assert found.scores_by_output.shape == tuple(expected.shape)
    largest = float(expected.abs().max())
    assert largest > 0.1
    assert (
        float((torch.tensor(found.scores_by_output, dtype=torch.float64) - expected).abs().max()) <= tolerance * largest
    )
    totals = expected.sum(-1)
    assert float((torch.tensor(found.scores, dtype=torch.float64) - totals).abs().max()) <= tolerance * float(
        totals.abs().max()
    )


BASELINES = {"gpt2-without-pad": "ignored", "llama-without-pad": "unk"}  # of `auto`; others have a padding token


@pytest.mark.parametrize("architecture", tiny_causal.ARCHITECTURES)
def test_every_architecture(architecture: str) -> None:
    found = tiny_causal.explainer(architecture).explain(PROMPT, continuation=ANSWER)
    assert found.baseline == BASELINES.get(architecture, "pad")
    check(found, reference(found, architecture, "word"), EXACT)


@pytest.mark.parametrize("architecture", [name for name in tiny_causal.ARCHITECTURES if name != "hybrid"])
def test_ignored_tokens_are_as_if_they_were_not_there(architecture: str) -> None:
    found = tiny_causal.explainer(architecture).explain(PROMPT, continuation=ANSWER, baseline="ignored")
    check(found, reference(found, architecture, "word"), EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("baseline", ["pad", "eos", "zero", "ignored"])
@pytest.mark.parametrize("unit", ["word", "token", "sentence"])
@pytest.mark.parametrize("batch", [1, 5, 64])
@pytest.mark.parametrize("cache", ["auto", "never"])
@pytest.mark.parametrize("architecture", [name for name in tiny_causal.ARCHITECTURES if "without" not in name])
def test_every_setting(architecture: str, cache: Any, batch: int, unit: str, baseline: str) -> None:
    if architecture == "hybrid" and baseline == "ignored":
        pytest.skip("refused")
    for dtype, tolerance in ((torch.float64, EXACT), (torch.float32, SINGLE)):
        explainer = tiny_causal.explainer(architecture, dtype=dtype, batch_tokens=40 * batch)
        found = explainer.explain(PROMPT, continuation=ANSWER, unit=unit, baseline=baseline, prefix_cache=cache)
        check(found, reference(found, architecture, unit, dtype), tolerance)
