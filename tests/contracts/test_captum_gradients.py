"""Integrated Gradients, Grad*Input, saliency and GradientShap equal Captum's on the same function."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from captum.attr import GradientShap as CaptumGradientShap
from captum.attr import InputXGradient, IntegratedGradients
from captum.attr import Saliency as CaptumSaliency
from support import tiny
from support.shared import MODELS, SHARED, needs_shared
from torch import Tensor

from unmask import Explainer
from unmask.methods import IG, GradientShap, GradXInput, Method, Saliency
from unmask.methods.gradient_shap import Draws

TEXTS = [tiny.TEXTS[0], "a gripping film"]
RULES = {
    "gauss_legendre": "gausslegendre",
    "riemann_left": "riemann_left",
    "riemann_right": "riemann_right",
    "riemann_middle": "riemann_middle",
}
Forward = Callable[[Tensor], Tensor]


class Text:
    """One text as Captum sees it: its vectors, its baseline's, and the logit of an output."""

    def __init__(self, explainer: Explainer, text: str, target: int) -> None:
        model, tokenizer = explainer.model, explainer.tokenizer
        found = tokenizer(text, return_tensors="pt", return_special_tokens_mask=True)
        words, content = model.get_input_embeddings(), found["special_tokens_mask"][0] == 0
        self.content = content.nonzero().flatten().tolist()
        with torch.no_grad():
            self.written: Tensor = words(found["input_ids"])
            masked = words(torch.full_like(found["input_ids"], tokenizer.mask_token_id))
            self.baseline = torch.where(content[None, :, None], masked, self.written)
        self.written.requires_grad_()  # Captum warns otherwise
        self.forward: Forward = lambda vectors: model(inputs_embeds=vectors).logits[:, target]

    def tokens(self, scores: Tensor) -> Tensor:
        """The scores of the text's own tokens, from [1, tokens, width]."""
        return scores[0].sum(-1)[self.content]


def explainers() -> list[Any]:
    trained = [pytest.param(name, marks=needs_shared) for name in MODELS]
    return ["bert", "distilbert", "roberta", *trained]


@pytest.fixture(params=explainers())
def explainer(request: pytest.FixtureRequest) -> Explainer:
    if request.param in MODELS:
        return Explainer.from_pretrained(SHARED / "models" / request.param, device="cpu")
    return tiny.explainer(request.param)


def check(explainer: Explainer, method: Method, expected: Callable[[Text], Tensor]) -> None:
    """Compare the scores of every text's tokens, to 1e-4 of the largest."""
    for written in TEXTS:
        text = Text(explainer, written, 1)
        found = explainer.explain(written, method=method, unit="token", target=1, scale="logit", baseline="mask")
        wanted = expected(text).detach()
        assert len(wanted) == len(found.scores)
        assert float(wanted.abs().max()) > 1e-3  # the comparison is of something
        assert found.scores == pytest.approx(wanted.tolist(), rel=1e-4, abs=1e-4 * float(wanted.abs().max()))


@pytest.mark.parametrize("rule", RULES)
def test_integrated_gradients(explainer: Explainer, rule: str) -> None:
    def expected(text: Text) -> Tensor:
        captum = IntegratedGradients(text.forward)
        return text.tokens(captum.attribute(text.written, text.baseline, n_steps=12, method=RULES[rule]))

    check(explainer, IG(steps=12, rule=rule), expected)


def test_captums_trapezoid_is_ours_but_for_its_weights(explainer: Explainer) -> None:
    def expected(text: Text) -> Tensor:
        captum = IntegratedGradients(text.forward)
        scores = captum.attribute(text.written, text.baseline, n_steps=12, method="riemann_trapezoid")
        return text.tokens(scores) * 12 / 11  # Captum's weights add up to 11/12

    check(explainer, IG(steps=12, rule="trapezoid"), expected)


def test_grad_x_input(explainer: Explainer) -> None:
    check(explainer, GradXInput(), lambda text: text.tokens(InputXGradient(text.forward).attribute(text.written)))


def test_saliency(explainer: Explainer) -> None:
    def expected(text: Text) -> Tensor:
        gradient: Tensor = CaptumSaliency(text.forward).attribute(text.written, abs=False)
        return torch.stack([row.norm() for row in gradient[0]])[text.content]

    check(explainer, Saliency(), expected)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize("with_text", [False, True])
def test_gradient_shap_with_the_same_draws(
    explainer: Explainer, noise: float, with_text: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples, places = 6, np.array([0, 1, 0, 0, 1, 1])
    alphas = np.random.default_rng(0).random(samples)
    monkeypatch.setattr(np.random, "uniform", lambda *_: alphas)
    monkeypatch.setattr(np.random, "choice", lambda *_: places)
    for written in TEXTS:
        text = Text(explainer, written, 1)
        added = torch.from_numpy(np.random.default_rng(1).normal(0, noise, (samples, *text.written.shape[1:])))
        added[:, [at for at in range(added.shape[1]) if at not in text.content]] = 0  # special tokens never move
        monkeypatch.setattr(torch, "normal", lambda *_, added=added, like=text.written: added.to(like))
        pool = torch.cat([text.baseline, text.written if with_text else text.baseline])
        captum = CaptumGradientShap(text.forward, multiply_by_inputs=True)
        scores = captum.attribute(text.written.detach(), pool.detach(), n_samples=samples, stdevs=noise or 1e-30)
        expected = text.tokens(scores).detach()
        draws = Draws(alphas.tolist(), (places == 1).tolist() if with_text else None, added if noise else None)
        found = explainer.explain(
            written, method=GradientShap(draws=draws), unit="token", target=1, scale="logit", baseline="mask"
        )
        largest = float(expected.abs().max())
        assert found.scores == pytest.approx(expected.tolist(), rel=1e-4, abs=1e-4 * largest)
        assert largest > 1e-3
