"""Exact SIG against a slow reference written from the definition."""

from functools import cache

import pytest
import torch
from support import slow_reference, tiny
from support.shared import MODELS, SHARED, needs_shared
from support.tiny_architectures import TABLE
from torch import Tensor

from unmask import Explainer, Explanation

TINY = [(name, baseline) for name in tiny.ARCHITECTURES for baseline in ("mask", "pad", "eos", "token:the")]
LACKS = {
    ("bert", "eos"),
    ("distilbert", "eos"),
    ("gpt2", "mask"),
    ("gpt2-without-pad", "mask"),
    ("gpt2-without-pad", "pad"),
}
SIDES = [
    (name, side)
    for name in TABLE
    for side in ("left", "right")
    if side == "right" or name not in slow_reference.ONLY_RIGHT
]


def baseline_id(explainer: Explainer, explanation: Explanation) -> int:
    return int(explainer.tokenizer.convert_tokens_to_ids(explanation.baseline_token))


@cache
def defined(architecture: str, *, unit: str, baseline: str) -> list[Tensor]:
    """All texts' scores by the definition."""
    explainer = tiny.explainer(architecture)
    token = baseline_id(explainer, explainer.explain("lovely", baseline=baseline))
    pairs = [slow_reference.places(explainer.tokenizer, text, unit) for text in tiny.TEXTS]
    return [slow_reference.scores(explainer.model, ids, units, token) for units, ids in pairs]


def check(architecture: str, *, rows: int, unit: str, baseline: str) -> None:
    """Compare all texts' scores with the definition's, to 1e-9 of the largest."""
    explainer = tiny.explainer(architecture, batch_tokens=rows * 24)
    found = explainer.explain_many(tiny.TEXTS, unit=unit, baseline=baseline, scale="logit")
    for explanation, expected in zip(found, defined(architecture, unit=unit, baseline=baseline), strict=True):
        by_output = torch.tensor(explanation.scores_by_output)
        assert (by_output - expected).abs().max() <= 1e-9 * expected.abs().max()
        assert expected.abs().max() > 0.1  # the comparison is of something


@pytest.mark.parametrize(("rows", "unit"), [(1, "word"), (7, "word"), (64, "word"), (7, "token")])
@pytest.mark.parametrize("architecture", TABLE)
def test_every_architecture_agrees_with_the_definition(architecture: str, unit: str, rows: int) -> None:
    check(architecture, rows=rows, unit=unit, baseline="auto")


@pytest.mark.parametrize("unit", ["word", "token"])
@pytest.mark.parametrize(("architecture", "baseline"), [pair for pair in TINY if pair not in LACKS])
def test_every_baseline_agrees_with_the_definition(architecture: str, baseline: str, unit: str) -> None:
    check(architecture, rows=7, unit=unit, baseline=baseline)


@pytest.mark.parametrize(("architecture", "side"), SIDES)
def test_padding_on_either_side_changes_nothing_in_the_definition(architecture: str, side: str) -> None:
    explainer = tiny.explainer(architecture)
    for text in tiny.TEXTS:
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        baseline = explainer.tokenizer.mask_token_id or 1
        expected = slow_reference.scores(explainer.model, ids, units, baseline)
        found = slow_reference.scores(explainer.model, ids, units, baseline, **{side: 3})
        assert (found - expected).abs().max() <= 1e-9 * expected.abs().max()


@pytest.mark.parametrize("architecture", TABLE)
def test_the_definition_is_of_the_model_itself(architecture: str) -> None:
    model, tokenizer = tiny.model(architecture), tiny.tokenizer(architecture)
    for text in tiny.TEXTS:
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            expected = model(**inputs).logits[0]
        found = slow_reference.outputs(model, inputs["input_ids"][0].tolist())
        assert (found - expected).abs().max() <= 1e-12 * expected.abs().max()


@pytest.mark.parametrize("architecture", tiny.ARCHITECTURES)
def test_log_odds_agree_with_the_definition(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    for text in tiny.TEXTS:
        explanation = explainer.explain(text)
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        expected = slow_reference.margins(explainer.model, ids, units, baseline_id(explainer, explanation))
        found = torch.tensor(explanation.scores, dtype=torch.float64)
        assert (found - expected).abs().max() <= 1e-9 * expected.abs().max()


def trained() -> list[object]:
    return [pytest.param(name, marks=needs_shared) for name in MODELS] + ["embedded"]


@pytest.mark.slow
@pytest.mark.parametrize("baseline", ["mask", "pad"])
@pytest.mark.parametrize("rows", [1, 7, 64])
@pytest.mark.parametrize("name", trained())
def test_trained_models_agree_with_the_definition(name: str, rows: int, baseline: str, embedded: Explainer) -> None:
    texts = ["a hideous , confusing spectacle , one that may well put the nail in the coffin .", *tiny.TEXTS]
    if name == "embedded":
        explainer = Explainer(embedded.model, embedded.tokenizer, batch_tokens=rows * 24)
    else:
        explainer = Explainer.from_pretrained(SHARED / "models" / name, device="cpu", batch_tokens=rows * 24)
    for text, explanation in zip(texts, explainer.explain_many(texts, baseline=baseline), strict=True):
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        expected = slow_reference.scores(explainer.model, ids, units, baseline_id(explainer, explanation))
        largest = max(map(abs, explanation.whole))
        by_output = torch.tensor(explanation.toward("predicted", scale="logit").scores_by_output)
        assert (by_output - expected).abs().max() <= 1e-4 * expected.abs().max() + 2e-6 * largest
