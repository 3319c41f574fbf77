"""DeepLift: against the rescale rule by hand, against Captum used plainly, and leaving no trace."""

import importlib.util
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from captum.attr import DeepLift as CaptumDeepLift
from captum.attr._core.deep_lift import SUPPORTED_NON_LINEAR
from support import tiny
from support.shared import MODELS, SHARED, needs_shared
from torch import Tensor, nn

from unmask import Contrast, Explainer
from unmask.engine.deeplift import RULED
from unmask.errors import ArgumentError, ModelError
from unmask.methods import DeepLift
from unmask.models.formula import FormulaModel
from unmask.results.metadata import Passes

FAMILIES = ("bert", "distilbert", "roberta")
TEXTS = [tiny.TEXTS[0], "a gripping film"]
Forward = Callable[[Tensor], Tensor]


class Text:
    """One text as vectors, its baseline's, and where its own tokens stand."""

    def __init__(self, explainer: Explainer, text: str) -> None:
        self.model, tokenizer = explainer.model, explainer.tokenizer
        found = tokenizer(text, return_tensors="pt", return_special_tokens_mask=True)
        words, content = self.model.get_input_embeddings(), found["special_tokens_mask"][0] == 0
        self.content = content.nonzero().flatten().tolist()
        with torch.no_grad():
            self.written: Tensor = words(found["input_ids"])
            masked = words(torch.full_like(found["input_ids"], tokenizer.mask_token_id))
            self.baseline = torch.where(content[None, :, None], masked, self.written)

    def scores(self, features: Tensor) -> list[float]:
        """Of the text's own tokens, from [1, tokens, width]."""
        return features[0].sum(-1)[self.content].tolist()

    def outputs(self, vectors: Tensor) -> Tensor:
        return self.model(inputs_embeds=vectors).logits  # type: ignore[no-any-return]  # modules are untyped


def by_hand(text: Text, target: Forward) -> Tensor:
    """Gradient times step, where the slope of BERT's pooler is a difference quotient; [1, tokens, width]."""
    vectors = text.written.clone().requires_grad_()
    model, step = text.model, text.written - text.baseline
    if model.config.model_type != "bert":  # no activation of its head is a module that lasts
        (gradient,) = torch.autograd.grad(target(text.outputs(vectors)).sum(), vectors)
        return gradient * step

    def before(vectors: Tensor) -> Tensor:
        """What goes into the Tanh."""
        return model.bert.pooler.dense(model.bert(inputs_embeds=vectors).last_hidden_state[:, 0])  # type: ignore[no-any-return]  # modules are untyped

    entering, at_baseline = before(vectors), before(text.baseline).detach()
    pooled = entering.detach().tanh().requires_grad_()
    (slope,) = torch.autograd.grad(target(model.classifier(pooled)).sum(), pooled)
    quotient = (pooled.detach() - at_baseline.tanh()) / (entering.detach() - at_baseline)
    (gradient,) = torch.autograd.grad((entering * quotient * slope).sum(), vectors)
    return gradient * step


def plainly(text: Text, target: Forward) -> Tensor:
    """Captum's own use, with nothing around it; [1, tokens, width]."""

    class Classifier(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = text.model

        def forward(self, vectors: Tensor) -> Tensor:
            return target(text.outputs(vectors))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found: Tensor = CaptumDeepLift(Classifier()).attribute(text.written.clone().requires_grad_(), text.baseline)
    return found.detach()


def softmax(index: int) -> Forward:
    return lambda outputs: outputs.softmax(-1)[:, index]


TARGETS: list[tuple[Any, str, Forward]] = [
    (1, "logit", lambda outputs: outputs[:, 1]),
    (2, "probability", softmax(2)),
    (0, "log_odds", lambda outputs: torch.logit(softmax(0)(outputs))),
    (Contrast("LABEL_2", "LABEL_0"), "logit", lambda outputs: outputs[:, 2] - outputs[:, 0]),
    ("max", "logit", lambda outputs: outputs.amax(-1)),
]


@pytest.mark.parametrize("architecture", FAMILIES)
@pytest.mark.parametrize(("name", "scale", "target"), TARGETS)
def test_the_rule_by_hand_and_captum_used_plainly(architecture: str, name: Any, scale: str, target: Forward) -> None:
    explainer = tiny.explainer(architecture)
    for written in TEXTS:
        text = Text(explainer, written)
        found = explainer.explain(
            written, method="deeplift", unit="token", target=name, scale=scale, baseline="mask"
        ).scores
        for expected in (by_hand, plainly):
            wanted = text.scores(expected(text, target))
            assert found == pytest.approx(wanted, rel=1e-6, abs=1e-6 * max(map(abs, wanted)))


@needs_shared
@pytest.mark.parametrize("name", MODELS)
def test_trained_models(name: str) -> None:
    explainer = Explainer.from_pretrained(SHARED / "models" / name, device="cpu")
    for written in TEXTS:
        text = Text(explainer, written)
        found = explainer.explain(
            written, method="deeplift", unit="token", target=1, scale="logit", baseline="mask"
        ).scores
        for expected in (by_hand, plainly):
            wanted = text.scores(expected(text, lambda outputs: outputs[:, 1]))
            assert max(map(abs, wanted)) > 1e-3  # the comparison is of something
            assert found == pytest.approx(wanted, rel=1e-3, abs=1e-3 * max(map(abs, wanted)))


def test_the_rule_of_berts_pooler_is_of_weight() -> None:
    """The comparison above would pass for a plain gradient else."""
    explainer = tiny.explainer("bert")
    text = Text(explainer, TEXTS[0])
    vectors = text.written.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(text.outputs(vectors)[:, 1].sum(), vectors)
    plain = torch.tensor(text.scores(gradient * (text.written - text.baseline)))
    found = torch.tensor(explainer.explain(TEXTS[0], method="deeplift", unit="token", target=1, scale="logit").scores)
    assert float((found - plain).abs().max()) > 0.01 * float(plain.abs().max())


def test_words_are_the_sums_of_their_tokens() -> None:
    explainer = tiny.explainer("bert")
    words, tokens = (explainer.explain(TEXTS[0], method="deeplift", unit=unit) for unit in ("word", "token"))
    for unit, score in zip(words.units, words.scores, strict=True):
        parts = [
            other
            for token, other in zip(tokens.units, tokens.scores, strict=True)
            if unit.start <= token.start and token.end <= unit.end
        ]
        assert score == pytest.approx(sum(parts), rel=1e-9, abs=1e-12)


def ruled(architecture: str, activation: str, *, chunk: int = 0) -> Explainer:
    """A model with a rule in every layer, whose feed-forward layers may run in chunks."""
    kept = tiny.model(architecture)
    name = "activation" if architecture == "distilbert" else "hidden_act"
    config = type(kept.config).from_dict({**kept.config.to_dict(), name: activation, "chunk_size_feed_forward": chunk})
    model = type(kept)(config).double().eval()
    model.load_state_dict(kept.state_dict())
    return Explainer(model, tiny.tokenizer(architecture))


@pytest.mark.parametrize("architecture", FAMILIES)
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_an_activation_that_is_used_more_than_once(architecture: str, activation: str) -> None:
    """In chunks of one token, each layer's activation is used as often as there are tokens."""
    whole, chunked = ruled(architecture, activation), ruled(architecture, activation, chunk=1)
    options: dict[str, Any] = {"method": "deeplift", "unit": "token", "target": 1, "scale": "logit", "baseline": "mask"}
    text = Text(whole, TEXTS[0])
    expected = text.scores(plainly(text, lambda outputs: outputs[:, 1]))
    with pytest.raises(RuntimeError, match="your module is being used more than once"):
        plainly(Text(ruled(architecture, activation, chunk=1), TEXTS[0]), lambda outputs: outputs[:, 1])
    for explainer in (whole, chunked):
        found = explainer.explain(TEXTS[0], **options).scores
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-6 * max(map(abs, expected)))


def test_an_activation_that_all_layers_share() -> None:
    expected, explainer = ruled("bert", "relu"), ruled("bert", "relu")
    shared = nn.ReLU()
    for layer in explainer.model.bert.encoder.layer:
        layer.intermediate.intermediate_act_fn = shared
    found = explainer.explain(TEXTS[0], method="deeplift")
    assert found.scores == pytest.approx(expected.explain(TEXTS[0], method="deeplift").scores, rel=1e-9)
    assert all(layer.intermediate.intermediate_act_fn is shared for layer in explainer.model.bert.encoder.layer)


def test_the_callers_own_hooks_still_run() -> None:
    explainer, seen = tiny.explainer("bert"), list[int]()
    explainer.model.bert.pooler.activation.register_forward_hook(
        lambda _module, _inputs, found: seen.append(len(found))
    )
    found = explainer.explain(TEXTS[0], method="deeplift")
    assert seen[-1] == 2
    assert found.passes == Passes(4, 2)


def inside(model: Any) -> list[Any]:
    return [
        (name, module, sorted(vars(module)), len(module._forward_pre_hooks)) for name, module in model.named_modules()
    ]


@pytest.mark.parametrize("when", ["forward", "backward"])
def test_no_trace_is_left_after_an_exception(when: str) -> None:
    explainer = ruled("bert", "relu")
    explainer.explain(TEXTS[0])

    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(_context: Any, vectors: Tensor) -> Tensor:
            return vectors.clone()

        @staticmethod
        def backward(_context: Any, *_: Tensor) -> Tensor:
            raise RuntimeError("a layer that fails")

    def fail(_module: nn.Module, _inputs: object, found: Tensor) -> Tensor:
        if torch.is_inference_mode_enabled():
            return found
        if when == "forward":
            raise RuntimeError("a layer that fails")
        return Broken.apply(found)  # type: ignore[no-any-return, no-untyped-call]

    handle = explainer.model.bert.encoder.layer[1].output.dense.register_forward_hook(fail)
    before = inside(explainer.model)
    with pytest.raises(ModelError, match="a layer that fails"):
        explainer.explain(TEXTS[0], method="deeplift")
    assert inside(explainer.model) == before
    handle.remove()
    assert explainer.explain(TEXTS[0], method="deeplift").scores


def test_other_models_are_refused_with_a_sentence() -> None:
    with pytest.raises(ModelError, match=r"deeplift does not support this model \(gpt2\)"):
        tiny.explainer("gpt2").explain(TEXTS[0], method="deeplift")
    with pytest.raises(ModelError, match=r"this model \(FormulaModel\); it supports BERT, DistilBERT"):
        Explainer.from_adapter(FormulaModel.weighted_words({"good": 1.0})).explain("good", method="deeplift")


def test_captum_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setitem(sys.modules, "captum", None)
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "captum" else found(name, *rest)
    )
    with pytest.raises(ArgumentError, match="deeplift needs captum, which is not installed") as raised:
        DeepLift()
    assert raised.value.hint == "pip install 'unmask[captum]'"


def test_it_stands_beside_other_methods() -> None:
    explainer = tiny.explainer("bert")
    compared = explainer.compare(TEXTS[0], methods=["deeplift", "ig:steps=5", "sig"])
    assert len(compared.explanations) == 3
    found = list(explainer.explain_many(tiny.TEXTS, method="deeplift"))
    estimate = explainer.estimate(tiny.TEXTS, method="deeplift")
    assert estimate.passes == sum(one.passes.forward for one in found)


def test_captums_rules_are_those_that_are_known() -> None:
    pooling = {nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d}
    assert set(SUPPORTED_NON_LINEAR) - pooling == set(RULED)
