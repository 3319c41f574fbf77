"""A model can run other inputs between two tokens of an answer, and the answer does not notice."""

import copy
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from support import tiny_causal, tiny_heads
from torch import nn

from unmask import Explainer
from unmask.models.huggingface.causal import CausalAdapter
from unmask.models.huggingface.pausing import can_pause
from unmask.models.huggingface.text2text import Text2TextAdapter

PROMPT, OTHER = "the film is not bad", "a good but bad film"
WAYS: dict[str, dict[str, Any]] = {
    "greedy": {},
    "sampled": {"do_sample": True, "temperature": 3.0},
    "beams": {"num_beams": 2},
}
FAST = ("gpt2", "llama", "t5")
PAUSING = [
    pytest.param(name, marks=[] if name in FAST else [pytest.mark.slow])
    for name in (*tiny_causal.ARCHITECTURES, "t5", "bart")
    if name != "hybrid"
]


def adapter_of(architecture: str) -> CausalAdapter:
    if architecture in ("t5", "bart"):
        return Text2TextAdapter(tiny_heads.model("text2text", architecture), tiny_heads.tokenizer(architecture))
    return CausalAdapter(tiny_causal.model(architecture), tiny_causal.tokenizer(architecture))


def answer(adapter: CausalAdapter, settings: dict[str, Any], between: Callable[[int], None]) -> tuple[int, ...]:
    ids = [token.id for token in adapter.tokenize(PROMPT, is_chat=False)]
    return adapter.generate(ids, seed=5, settings={"max_new_tokens": 6, **settings}, on_token=between)


@pytest.mark.parametrize("settings", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("architecture", PAUSING)
def test_batches_between_tokens_change_neither_the_answer_nor_their_own_results(
    architecture: str, settings: dict[str, Any]
) -> None:
    adapter, scores = adapter_of(architecture), list[tuple[float, ...]]()
    explainer = Explainer.from_adapter(adapter)
    assert adapter.can_pause
    for method in ("sig", "ig:steps=2"):
        explain = partial(explainer.explain, OTHER, continuation=" so fine", method=method, baseline="zero")
        explain()  # its first batch is checked, and may differ by rounding
        alone = explain().scores

        def between(_: int, explain: Any = explain) -> None:
            torch.rand(7)
            scores.append(explain().scores)

        assert answer(adapter, settings, between) == answer(adapter, settings, lambda _: None)
        assert set(scores) == {alone}
        scores.clear()


def test_an_exception_ends_the_answer_and_leaves_the_model_as_found() -> None:
    model = copy.deepcopy(tiny_causal.model("llama")).train()
    adapter = CausalAdapter(model, tiny_causal.tokenizer("llama"))
    before, counts = torch.get_rng_state(), list[int]()

    def stop(count: int) -> None:
        counts.append(count)
        if count == 2:
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        answer(adapter, {}, stop)
    assert counts == [1, 2]
    assert all(module.training for module in model.modules())
    assert all(weight.requires_grad for weight in model.parameters())
    assert torch.equal(torch.get_rng_state(), before)
    assert not torch.is_inference_mode_enabled()


def test_a_model_that_stores_something_of_an_answer_cannot_pause() -> None:
    plain, hybrid = (tiny_causal.model(name) for name in ("llama", "hybrid"))
    assert can_pause(plain)
    assert not can_pause(hybrid)
    with_images = nn.Linear(1, 1)
    with_images.rope_deltas = None  # type: ignore[assignment]  # as in Qwen2-VL
    config = SimpleNamespace(get_text_config=lambda: SimpleNamespace(layer_types=None))
    with_images.config = config  # type: ignore[assignment]
    assert not can_pause(with_images)
    foreign = nn.Linear(1, 1)
    foreign.__class__ = type("Foreign", (nn.Linear,), {"__module__": "transformers_modules.some.model"})
    foreign.config = config  # type: ignore[assignment]
    assert not can_pause(foreign)
