"""The caller's model and tokenizer come back as they were: after a batch, after an exception, between two yields."""

from typing import Any

import pytest
import torch
from support import tiny

from unmask import Explainer, Failure
from unmask.errors import ModelError


def state(explainer: Explainer) -> dict[str, Any]:
    """All that a caller could notice."""
    model, tokenizer = explainer.model, explainer.tokenizer
    return {
        "hooks": [
            (name, len(module._forward_hooks), len(module._forward_pre_hooks), len(module._backward_hooks))
            for name, module in model.named_modules()
        ],
        "modes": {name: module.training for name, module in model.named_modules()},
        "gradients": {name: (weight.requires_grad, weight.grad) for name, weight in model.named_parameters()},
        "dtypes": {name: weight.dtype for name, weight in model.named_parameters()},
        "weights": {name: weight.sum().item() for name, weight in model.named_parameters()},
        "config": model.config.to_json_string(),
        "tokenizer": tokenizer.backend_tokenizer.to_str(),
        "sides": (tokenizer.padding_side, tokenizer.truncation_side, tokenizer.pad_token, tokenizer.model_max_length),
    }


@pytest.fixture(params=tiny.FAMILIES)
def explainer(request: pytest.FixtureRequest) -> Explainer:
    """A model in a state that is nobody's default."""
    model, tokenizer = tiny.model(request.param), tiny.tokenizer.__wrapped__(request.param)
    model.train()
    list(model.modules())[-1].eval()
    next(model.parameters()).requires_grad_(False)
    tokenizer.padding_side = "left"
    tokenizer.backend_tokenizer.enable_truncation(max_length=9)
    if tokenizer.pad_token:
        tokenizer.backend_tokenizer.enable_padding(length=11)
    return Explainer(model, tokenizer)


def test_after_an_explanation(explainer: Explainer) -> None:
    before = state(explainer)
    explainer.explain(tiny.TEXTS[0])
    assert state(explainer) == before


@pytest.mark.parametrize("baseline", ["zero", "token:the", "pad"])
def test_after_any_baseline(explainer: Explainer, baseline: str) -> None:
    if baseline == "pad" and explainer.tokenizer.pad_token is None:
        baseline = "eos"
    before = state(explainer)
    explainer.explain(tiny.TEXTS[0], baseline=baseline)
    assert state(explainer) == before


def test_between_two_yields(explainer: Explainer) -> None:
    before = state(explainer)
    for _ in explainer.explain_many(tiny.TEXTS * 3):
        assert state(explainer) == before


def test_after_an_exception_in_the_middle_of_a_batch(explainer: Explainer) -> None:
    before = state(explainer)

    def broken(*_: object) -> None:
        raise RuntimeError("a layer that fails")

    explainer.explain(tiny.TEXTS[0])
    handle = list(explainer.model.modules())[-1].register_forward_hook(broken)
    with pytest.raises(ModelError, match="a layer that fails"):
        explainer.explain(tiny.TEXTS[0])
    handle.remove()
    assert state(explainer) == before


def test_after_the_consumer_leaves(explainer: Explainer) -> None:
    before = state(explainer)
    results = explainer.attempts(tiny.TEXTS * 50)
    next(results)
    del results
    assert state(explainer) == before


def test_after_an_interrupt(explainer: Explainer) -> None:
    before = state(explainer)
    explainer.explain(tiny.TEXTS[0])

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    handle = list(explainer.model.modules())[-1].register_forward_hook(interrupted)
    with pytest.raises(KeyboardInterrupt):
        explainer.explain(tiny.TEXTS[0])
    handle.remove()
    assert state(explainer) == before


def test_after_a_text_that_fails(explainer: Explainer) -> None:
    before = state(explainer)
    attempts = list(explainer.attempts(["", tiny.TEXTS[0], "\ud800"]))
    assert [isinstance(attempt, Failure) for attempt in attempts] == [True, False, True]
    assert state(explainer) == before


def test_dropout_is_off_while_a_batch_runs(explainer: Explainer) -> None:
    assert explainer.explain(tiny.TEXTS[0]).scores == explainer.explain(tiny.TEXTS[0]).scores


def test_no_gradient_is_recorded(explainer: Explainer) -> None:
    seen = []
    handle = explainer.model.register_forward_hook(lambda *_: seen.append(torch.is_inference_mode_enabled()))
    explainer.explain(tiny.TEXTS[0])
    handle.remove()
    assert seen
    assert all(seen)
