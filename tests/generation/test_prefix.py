"""The prefix before the first altered token is computed once where a model allows it, and changes no score."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from support import tiny_causal

from unmask import Explainer, Explanation
from unmask.models.huggingface.causal import CausalAdapter

PROMPT = "the film is not bad, not bad at all. a lovely friendship, isn't it"
ANSWER = " dull and bad"
PLAIN = ("mistral", "gemma2", "gemma3", "hybrid", "bloom")  # windows shorter than the text, states, ALiBi


@contextmanager
def counted(model: Any) -> Iterator[list[int]]:
    """The tokens that the model reads in each call."""
    tokens: list[int] = []
    hook = model.get_input_embeddings().register_forward_hook(
        lambda _module, args, _out: tokens.append(args[0].numel())
    )
    try:
        yield tokens
    finally:
        hook.remove()


def explained(explainer: Explainer, **settings: Any) -> tuple[Explanation, int]:
    """The explanation past the first use, which is checked, and the tokens that the model read."""
    explainer.explain(PROMPT, continuation=ANSWER, **settings)
    with counted(explainer.model) as tokens:
        found = explainer.explain(PROMPT, continuation=ANSWER, **settings)
    return found, sum(tokens)


@pytest.mark.parametrize("method", ["sig", "leave_one_out", "leave_one_in", "shapley:permutations=4"])
@pytest.mark.parametrize("baseline", ["pad", "ignored"])
def test_scores_with_and_without_a_shared_prefix(method: str, baseline: str) -> None:
    settings: dict[str, Any] = {"method": method, "baseline": baseline, "unit": "token"}
    shared, few = explained(tiny_causal.explainer("llama", batch_tokens=300), **settings)
    plain, many = explained(tiny_causal.explainer("llama", batch_tokens=300), prefix_cache="never", **settings)
    assert shared.scores_by_output == pytest.approx(plain.scores_by_output, abs=1e-10)
    assert shared.passes == plain.passes
    assert few < many or method in ("leave_one_in", "shapley:permutations=4")


def test_the_saving_is_near_what_is_possible() -> None:
    model, tokenizer, prompt = tiny_causal.chat_model(), tiny_causal.chat_tokenizer(""), (PROMPT + ". ") * 9
    tokens: list[int] = []
    hook = model.model.layers[0].register_forward_pre_hook(
        lambda _layer, args: tokens.append(args[0].shape[:2].numel())
    )
    read = {}
    for cache in ("auto", "never"):
        explainer = Explainer(model, tokenizer)
        explainer.explain(prompt, continuation=ANSWER, unit="token", prefix_cache=cache)
        tokens.clear()
        explainer.explain(prompt, continuation=ANSWER, unit="token", prefix_cache=cache)
        read[cache] = sum(tokens)
    hook.remove()
    before, whole = (len(tokenizer(text)["input_ids"]) for text in (prompt, prompt + ANSWER))
    assert whole > 180
    assert read["never"] / read["auto"] > 0.9 * whole / (before / 2 + whole - before)


@pytest.mark.parametrize("architecture", [*tiny_causal.ARCHITECTURES, "bloom"])
def test_what_cannot_share_a_prefix_takes_the_plain_path(architecture: str) -> None:
    adapter = CausalAdapter(tiny_causal.model(architecture), tiny_causal.tokenizer(architecture))
    assert adapter.can_share_prefix(40) == (architecture not in PLAIN)
    if architecture in ("mistral", "gemma2", "gemma3"):
        assert adapter.can_share_prefix(8)  # no longer than the window


def test_a_cache_that_does_not_do_what_it_says_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right, _ = explained(tiny_causal.explainer("llama"), prefix_cache="never")
    sound = CausalAdapter.outputs_behind
    monkeypatch.setattr(CausalAdapter, "outputs_behind", lambda *args: sound(*args) * 1.01)
    explainer = tiny_causal.explainer("llama")
    for _ in range(2):
        assert explainer.explain(PROMPT, continuation=ANSWER).scores == pytest.approx(right.scores, abs=1e-10)

    def broken(*_: object) -> None:
        raise RuntimeError("no such cache")

    monkeypatch.setattr(CausalAdapter, "outputs_behind", broken)
    found = tiny_causal.explainer("llama").explain(PROMPT, continuation=ANSWER)
    assert found.scores == pytest.approx(right.scores, abs=1e-10)


def test_several_prompts_at_once_are_as_one_by_one() -> None:
    explainer = tiny_causal.explainer("llama", batch_tokens=200)
    prompts = [PROMPT, "junk food cinema at its greasiest! a lovely film", PROMPT[10:], "bad"]
    together = list(explainer.explain_many(prompts, continuation=ANSWER))
    for prompt, found in zip(prompts, together, strict=True):
        assert found.scores == pytest.approx(explainer.explain(prompt, continuation=ANSWER).scores, abs=1e-10)


def test_the_model_is_left_as_found() -> None:
    explainer = tiny_causal.explainer("llama")
    before = explainer.model.config.to_dict()
    explained(explainer)
    assert explainer.model.config.to_dict() == before
    assert not explainer.model.get_input_embeddings()._forward_hooks
