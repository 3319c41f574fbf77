"""Interactions of pairs against slow references: closed forms, and plain models run on altered ids."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import torch
from support import slow_reference, tiny, tiny_causal
from support.shared import SHARED, needs_shared, sst2
from torch import Tensor

from unmask import Contrast, Explainer, Interactions, Request
from unmask.errors import ArgumentError, KeywordError, TextError
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import Head

WORDS = ("alpha", "beta", "gamma", "delta")
TEXT = " ".join(WORDS)
# The value of alpha, beta, gamma and delta, each 1 where it is present.
FORMULAS: dict[str, Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]] = {
    "sum": lambda a, b, c, d: 2 * a - 3 * b + 0.5 * c + d,
    "or": lambda a, b, c, d: 4 * (1 - (1 - a) * (1 - b)) + c + d,  # alpha and beta say the same
    "and": lambda a, b, c, d: 4 * a * b + c + d,  # alpha and beta need each other
    "three": lambda a, b, c, d: 6 * a * b * c - 2 * c * d,
    "cancel": lambda a, b, c, d: 5 * a * b - 2.5 * (a + b),
    "against": lambda a, b, c, d: -4 * (1 - (1 - a) * (1 - b)) + c + d,
}


def model(name: str, head: Head | None = None) -> Explainer:
    """A model of four words with the value as output 1 and its double as output 2, if there are three."""

    def formula(vectors: Tensor, attention: Tensor) -> Tensor:
        value = FORMULAS[name](*vectors.sum(1).T)
        rows = {1: [value], 2: [torch.zeros_like(value), value], 3: [torch.zeros_like(value), value, 2 * value]}
        return torch.stack(rows[len(adapter.head.labels)], -1)

    adapter = FormulaModel(dict(zip(WORDS, np.eye(4).tolist(), strict=True)), formula)
    adapter.head = head or adapter.head
    return Explainer.from_adapter(adapter)


def by_words(found: Interactions) -> dict[tuple[str, str], tuple[Any, str]]:
    units = found.explanation.units
    return {(units[pair.first].text, units[pair.second].text): (pair.interaction, pair.relation) for pair in found}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum", {}),
        ("or", {("alpha", "beta"): (-4.0, "cover for each other")}),
        ("and", {("alpha", "beta"): (4.0, "need each other")}),
        ("against", {("alpha", "beta"): (4.0, "cover for each other")}),
        # gamma's single cost is 6 - 2; with alpha or beta masked too it is 0 - 2.
        (
            "three",
            {
                ("alpha", "beta"): (6.0, "need each other"),
                ("alpha", "gamma"): (6.0, "need each other"),
                ("beta", "gamma"): (6.0, "need each other"),
                ("gamma", "delta"): (-2.0, "cover for each other"),
            },
        ),
    ],
)
def test_closed_forms_have_the_known_interactions(name: str, expected: dict[Any, Any]) -> None:
    found = by_words(model(name).interactions(TEXT, target="positive", scale="logit"))
    assert len(found) == 6
    for pair, (value, relation) in found.items():
        wanted = expected.get(pair, (0.0, "add up"))
        assert (value, relation) == (pytest.approx(wanted[0], abs=1e-12), wanted[1]), pair


def test_a_pair_that_costs_nothing_together_needs_each_other() -> None:
    (pair,) = model("cancel").interactions("alpha beta", target="positive", scale="logit")
    assert (pair.cost, pair.net, pair.relation) == (0.0, -5.0, "need each other")


def test_the_units_are_chosen_by_two_sided_scores() -> None:
    found = model("or").interactions(TEXT, top=2, target="positive", scale="logit")
    assert [found.explanation.units[unit].text for unit in found.chosen] == ["alpha", "beta"]  # each 0 + 4, halved
    assert found.explanation.scores == pytest.approx((2.0, 2.0, 1.0, 1.0))
    assert found.costs == pytest.approx((0.0, 0.0, 1.0, 1.0))  # by themselves they would not be found
    assert len(found) == 1


def test_passes_are_two_per_unit_and_one_per_pair() -> None:
    text = " ".join([*WORDS, "five", "six", "seven"])
    for top, pairs in ((2, 1), (4, 6), (7, 21), (100, 21)):
        found = model("three").interactions(text, top=top)
        assert found.explanation.passes.forward == 2 * 7 + 2 + pairs
        assert len(found) == pairs
    assert model("or").interactions("alpha beta").explanation.passes.forward == 4  # both alone are both without


@pytest.mark.parametrize("target", ["positive", "negative", "other", "max", Contrast("positive", "other")])
@pytest.mark.parametrize("scale", ["log_odds", "probability", "log_probability", "logit"])
@pytest.mark.parametrize("activation", ["softmax", "sigmoid"])
def test_toward_needs_no_pass_and_gives_what_asking_again_gives(target: Any, scale: str, activation: Any) -> None:
    explainer = model("three", Head(("negative", "positive", "other"), activation))
    found = explainer.interactions(TEXT).toward(target, scale)
    again = explainer.interactions(TEXT, target=target, scale=scale)
    assert by_words(found).keys() == by_words(again).keys()
    for pair, (value, relation) in by_words(again).items():
        assert by_words(found)[pair] == (pytest.approx(value, abs=1e-12), relation)
    if isinstance(target, str) and target != "max":
        values = [pair.interaction for pair in again]
        at = explainer.interactions(TEXT).explanation.outputs.index(target)
        np.testing.assert_allclose(again.by_output[:, at], values, atol=1e-12)


def test_a_regression_has_interactions_of_its_value() -> None:
    found = model("and", Head(("value",), "none")).interactions(TEXT)
    assert (found.explanation.scale, len(found)) == ("value", 6)
    assert by_words(found)["alpha", "beta"] == (pytest.approx(4.0), "need each other")


def test_a_text_of_one_unit_has_no_pairs_and_says_so() -> None:
    found = model("or").interactions("alpha")
    assert (len(found), found.sentence) == (0, "The text is one word: there are no pairs.")
    assert found.by_output.shape == (0, 2)
    assert repr(found) == "<Interactions in 'alpha': The text is one word: there are no pairs.>"
    assert Interactions.from_dict(found.to_dict()) == found


@pytest.mark.parametrize("top", [1, 0, -2, 2.5, True, "8"])
def test_fewer_than_two_units_are_refused(top: Any) -> None:
    with pytest.raises(ArgumentError, match=r"top=.*expected a whole number of at least 2"):
        model("or").interactions(TEXT, top=top)


def test_a_method_does_not_apply() -> None:
    with pytest.raises(KeywordError, match="interactions has no keyword 'method'"):
        model("or").interactions(TEXT, method="ig")  # type: ignore[call-arg]
    with pytest.raises(TextError):
        model("or").interactions("  ")


def test_a_language_model_is_refused() -> None:
    with pytest.raises(ArgumentError, match="interactions are not supported for language models"):
        tiny_causal.explainer("gpt2").interactions("A lovely film.")


def log_odds(logits: Tensor, label: int) -> float:
    probability = torch.softmax(logits.double(), -1)[label]
    return float(torch.log(probability / (1 - probability)))


def reference(
    explainer: Explainer, ids: Sequence[int], units: Sequence[Sequence[int]], baseline: int
) -> Callable[[Iterable[int]], Tensor]:
    """The plain model's logits with some units at the baseline, changed by ids, one text at a time."""
    known = dict[tuple[int, ...], Tensor]()

    def logits(masked: Iterable[int]) -> Tensor:
        key = tuple(sorted(masked))
        if key not in known:
            positions = [token for unit in key for token in units[unit]]
            known[key] = slow_reference.outputs(explainer.model, slow_reference.without(ids, positions, baseline))
        return known[key]

    return logits


def check(explainer: Explainer, text: str, *, unit: str, top: int, tolerance: float) -> None:
    """Compare every number with the definition, for all outputs and for log-odds of the prediction."""
    found = explainer.interactions(text, unit=unit, top=top)
    units, ids = slow_reference.places(explainer.tokenizer, text, unit)
    baseline = int(explainer.tokenizer.convert_tokens_to_ids(found.explanation.baseline_token))
    logits, everything = reference(explainer, ids, units, baseline), range(len(units))
    label = int(logits([]).argmax())

    def value(*masked: int) -> float:
        return log_odds(logits(masked), label)

    others = [[other for other in everything if other != unit] for unit in everything]
    two_sided = [(value() - value(at) + value(*others[at]) - value(*everything)) / 2 for at in everything]
    np.testing.assert_allclose(found.explanation.scores, two_sided, atol=tolerance)
    np.testing.assert_allclose(found.costs, [value() - value(at) for at in everything], atol=tolerance)
    assert sorted(found.chosen) == sorted(sorted(everything, key=lambda at: -abs(two_sided[at]))[:top])
    assert {(pair.first, pair.second) for pair in found} == set(combinations(sorted(found.chosen), 2))
    raw = found.toward("predicted", "logit")
    rows = dict(zip(((pair.first, pair.second) for pair in raw), raw.by_output, strict=True))
    for pair in found:
        i, j = pair.first, pair.second
        assert pair.interaction == pytest.approx(value() - value(i) - value(j) + value(i, j), abs=tolerance)
        assert pair.cost == pytest.approx(value() - value(i, j), abs=tolerance)
        expected = logits([]) - logits([i]) - logits([j]) + logits([i, j])
        np.testing.assert_allclose(rows[i, j], expected.numpy(), atol=tolerance)
        surplus = (value() - value(i, j)) - (value() - value(i)) - (value() - value(j))
        if abs(surplus) > 1e-3 and abs(value() - value(i, j)) > 1e-3:
            together = surplus * (value() - value(i, j)) > 0
            assert pair.relation == ("cover for each other" if together else "need each other")
    assert max(abs(pair.net) for pair in found) > 0.05  # the comparison is of something


@pytest.mark.parametrize("unit", ["word", "token", "sentence"])
@pytest.mark.parametrize("architecture", tiny.ARCHITECTURES)
def test_tiny_models_agree_with_the_definition(architecture: str, unit: str) -> None:
    check(tiny.explainer(architecture), "A lovely film. Not dull, but so slow.", unit=unit, top=4, tolerance=1e-9)


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("name", ["bert-sst2", "roberta-sst2"])
def test_trained_models_agree_with_the_definition(name: str) -> None:
    explainer = Explainer.from_pretrained(SHARED / "models" / name, device="cpu", dtype="float64")
    texts = [row["text"] for row in sst2("dev") if 8 <= len(row["text"].split()) <= 14][:3]
    for text in ["A gripping, beautifully shot film.", *texts]:
        check(explainer, text, unit="word", top=5, tolerance=1e-8)


def test_your_own_spans_and_pairs_of_texts(embedded: Explainer) -> None:
    spans = Request("A gripping, beautifully shot film.", spans=[(2, 10), (12, 28), (29, 33)])
    found = embedded.interactions(spans)
    assert [found.explanation.units[unit].text for unit in sorted(found.chosen)] == [
        "gripping",
        "beautifully shot",
        "film",
    ]
    pair = embedded.interactions(Request("A gripping film.", text_pair="Never dull."), top=3)
    assert len(pair) == 3
    assert {unit.segment for unit in pair.explanation.units} == {0, 1}
