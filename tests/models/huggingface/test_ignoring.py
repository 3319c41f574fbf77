"""The baseline `ignored`: a masked unit is as if it were not there, and all other tokens keep their positions."""

from typing import Any

import pytest
import torch
from support import tiny, tiny_causal
from support.slow_reference import BEHIND_PADDING, HEADS, places
from torch import Tensor

from unmask import Explainer
from unmask.errors import ArgumentError, GateError
from unmask.models.formula import FormulaModel
from unmask.models.huggingface.adapter import HuggingFaceAdapter

TEXT = "the film is not bad, a lovely friendship"
KINDS = ("bert", "distilbert", "roberta", "xlm-roberta", "electra", "gpt2", "gpt2-without-pad", "llama", "qwen2", "opt")


@torch.no_grad()
def outputs(model: Any, ids: list[int], seen: list[int]) -> Tensor:
    """The logits of a text without some of its tokens; the others keep their positions."""
    kind, pad = model.config.model_type, model.config.pad_token_id or 0
    behind = pad + 1 if kind in BEHIND_PADDING else 0
    left = torch.tensor([[ids[at] for at in seen]])
    positions = torch.tensor([[at + behind for at in seen]])
    inputs = {"input_ids": left, "attention_mask": torch.ones_like(left), "position_ids": positions}
    hidden = model.base_model(**inputs).last_hidden_state
    return HEADS[kind](model, hidden)[0] if kind in HEADS else model.score(hidden[:, -1])[0]  # type: ignore[no-any-return]


@pytest.mark.parametrize("architecture", KINDS)
def test_a_classifier_reads_the_text_without_the_unit(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    found = explainer.explain(TEXT, baseline="ignored", target=0, scale="logit")
    units, ids = places(explainer.tokenizer, TEXT, "word")
    everywhere = list(range(len(ids)))
    whole = outputs(explainer.model, ids, everywhere)
    expected = [whole - outputs(explainer.model, ids, [at for at in everywhere if at not in unit]) for unit in units]
    assert found.scores_by_output == pytest.approx(torch.stack(expected).numpy(), abs=1e-9)
    assert (found.baseline, found.baseline_token) == ("ignored", None)


@pytest.mark.parametrize("method", ["leave_one_in", "shapley:permutations=4", "two_sided", "recursive_sig"])
def test_every_exact_method_ignores(method: str) -> None:
    found = tiny.explainer("bert").explain(TEXT, baseline="ignored", method=method)
    assert any(found.scores)
    batches = tiny.explainer("bert", batch_tokens=1).explain(TEXT, baseline="ignored", method=method)
    assert batches.scores == pytest.approx(found.scores, abs=1e-9)


def test_a_formula_ignores_by_its_attention() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
    assert explainer.explain("a good bad film", baseline="ignored", target=1).scores == (0.0, 2.0, -3.0, 0.0)


@pytest.mark.parametrize("method", ["ig", "sig_path", "gradient_shap", "dig", "sdig", "deeplift"])
def test_a_method_that_needs_a_path_refuses(method: str) -> None:
    with pytest.raises(ArgumentError, match="the baseline 'ignored' has no embedding"):
        tiny.explainer("bert").explain(TEXT, baseline="ignored", method=method)


def test_gradients_at_the_text_need_no_path() -> None:
    explainer = tiny.explainer("bert")
    for method in ("grad_x_input", "saliency"):
        ignored, masked = (explainer.explain(TEXT, baseline=one, method=method) for one in ("ignored", "mask"))
        assert ignored.scores == pytest.approx(masked.scores, abs=1e-12)


@pytest.mark.parametrize(
    ("explainer", "why"),
    [
        (lambda: tiny.explainer("bart"), "its decoder reads the text again"),
        (lambda: tiny.explainer("t5"), "its decoder reads the text again"),
        (lambda: tiny_causal.explainer("hybrid"), "it has a recurrent state"),
        (lambda: tiny_causal.explainer("bloom"), "ALiBi"),
    ],
    ids=["bart", "t5", "hybrid", "bloom"],
)
def test_a_model_that_cannot_ignore_says_why(explainer: Any, why: str) -> None:
    with pytest.raises(ArgumentError, match="this model does not support baseline 'ignored'") as error:
        explainer().explain(TEXT, baseline="ignored")
    assert why in str(error.value)


def test_a_model_that_still_sees_an_ignored_token_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = HuggingFaceAdapter.outputs

    def leaking(self: Any, batch: Any, vectors: Tensor) -> Tensor:
        return sound(self, batch, vectors) + vectors.mean()

    monkeypatch.setattr(HuggingFaceAdapter, "outputs", leaking)
    monkeypatch.setattr(
        HuggingFaceAdapter, "reference_outputs", lambda self, batch: leaking(self, batch, self.embed(batch.ids))
    )
    with pytest.raises(GateError, match="a token that nothing attends to still changes"):
        tiny.explainer("bert").explain(TEXT, baseline="ignored")


def test_a_model_that_is_not_causal_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = HuggingFaceAdapter.outputs

    def looking_ahead(self: Any, batch: Any, vectors: Tensor) -> Tensor:
        return sound(self, batch, vectors) + vectors[:, -1:].sum(-1, keepdim=True)

    monkeypatch.setattr(HuggingFaceAdapter, "outputs", looking_ahead)
    monkeypatch.setattr(
        HuggingFaceAdapter, "reference_outputs", lambda self, batch: looking_ahead(self, batch, self.embed(batch.ids))
    )
    with pytest.raises(GateError, match="does not read from left to right"):
        tiny_causal.explainer("llama").explain("the film is", continuation=" bad", prefix_cache="never")
