"""Heads: one label, several labels, one value, one probability; any number of labels, whatever their names."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from support import tiny

from unmask import Explainer, Explanation
from unmask.errors import ArgumentError, ModelError
from unmask.tasks.targets import Head


def explainer(labels: int = 3, kind: str | None = None, names: dict[int, str] | None = None) -> Explainer:
    model = tiny.model("bert", labels=labels)
    model.config.__dict__["problem_type"] = kind
    if names is not None:
        model.config.id2label = names
    return Explainer(model, tiny.tokenizer("bert"))


def logits(explainer: Explainer, text: str) -> list[float]:
    with torch.no_grad():
        return list(explainer.model(**explainer.tokenizer(text, return_tensors="pt")).logits[0].tolist())


def test_one_label() -> None:
    subject = explainer()
    prediction = subject.explain(tiny.TEXTS[0]).prediction
    expected = torch.softmax(torch.tensor(logits(subject, tiny.TEXTS[0])), -1)
    assert prediction.label == f"LABEL_{int(expected.argmax())}"
    assert prediction.labels == (prediction.label,)
    assert list(prediction.probabilities.values()) == pytest.approx(expected.tolist(), rel=1e-6)


@pytest.mark.parametrize("text", tiny.TEXTS)
def test_several_labels_are_those_above_one_half(text: str) -> None:
    subject = explainer(labels=5, kind="multi_label_classification")
    explanation = subject.explain(text)
    shares = [1 / (1 + math.exp(-logit)) for logit in logits(subject, text)]
    assert list(explanation.prediction.probabilities.values()) == pytest.approx(shares, rel=1e-6)
    assert explanation.prediction.labels == tuple(f"LABEL_{at}" for at, share in enumerate(shares) if share > 0.5)
    assert explanation.target == explanation.prediction.label == f"LABEL_{int(np.argmax(shares))}"
    assert explanation.to_dict()["prediction"]["labels"] == list(explanation.prediction.labels)
    assert Explanation.from_dict(explanation.to_dict()) == explanation


def test_one_value() -> None:
    subject = explainer(labels=1)
    explanation = subject.explain(tiny.TEXTS[0])
    assert (explanation.scale, explanation.prediction.label, explanation.prediction.labels) == ("value", None, ())
    assert explanation.prediction.value == pytest.approx(logits(subject, tiny.TEXTS[0])[0], rel=1e-9)
    assert explanation.to_dict()["prediction"] == {"label": None, "value": explanation.prediction.value}
    with pytest.raises(ArgumentError, match="scale 'probability' does not apply to this model's outputs; use value"):
        subject.explain(tiny.TEXTS[0], scale="probability")


def test_the_problem_type_makes_one_output_a_probability() -> None:
    subject = explainer(labels=1, kind="multi_label_classification", names={0: "toxic"})
    explanation = subject.explain(tiny.TEXTS[0])
    share = 1 / (1 + math.exp(-logits(subject, tiny.TEXTS[0])[0]))
    assert (explanation.scale, explanation.target) == ("log_odds", "toxic")
    assert explanation.prediction.probabilities == {"toxic": pytest.approx(share, rel=1e-6)}
    assert explanation.prediction.labels == (("toxic",) if share > 0.5 else ())
    assert explanation.scores == explanation.toward("toxic", scale="logit").scores


@pytest.mark.parametrize(("labels", "kind"), [(1, "single_label_classification"), (3, "regression"), (2, "ranking")])
def test_heads_that_cannot_be_explained_say_which_can(labels: int, kind: str) -> None:
    with pytest.raises(ModelError, match=f"a head with {labels} outputs? for '{kind}' is not supported") as error:
        explainer(labels, kind)
    assert "classes (two or more)" in str(error.value)
    assert "multi_label_classification" in str(error.value)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({0: "bad", 1: "good", 2: "good"}, ("bad", "good (1)", "good (2)")),
        ({0: "bad"}, ("bad", "LABEL_1", "LABEL_2")),
        ({}, ("LABEL_0", "LABEL_1", "LABEL_2")),
        ({0: "max", 1: "predicted", 2: ""}, ("max (0)", "predicted (1)", "")),
        ({0: 1, 1: None, 2: "x"}, ("1", "None", "x")),
    ],
)
def test_missing_and_repeated_names(names: Any, expected: tuple[str, ...]) -> None:
    model = tiny.model("bert")
    model.config.__dict__["id2label"] = names
    explanation = Explainer(model, tiny.tokenizer("bert")).explain("a film")
    assert explanation.outputs == expected
    for at, label in enumerate(expected):
        assert explanation.toward(at).target == label


@pytest.mark.parametrize("kind", [None, "multi_label_classification"])
def test_a_thousand_labels(kind: str | None) -> None:
    explanation = explainer(1000, kind).explain(tiny.TEXTS[0], target=998)
    assert explanation.scores_by_output is not None
    assert explanation.scores_by_output.shape == (len(explanation.units), 1000)
    assert explanation.scores_by_output[:, 998] == pytest.approx(explanation.scores, rel=1e-9)


@pytest.mark.parametrize("spread", [0.1, 1.0, 30.0, 700.0])
@pytest.mark.parametrize("outputs", [2, 3, 50])
def test_log_odds_of_every_output_are_those_of_long_arithmetic(outputs: int, spread: float) -> None:
    """Against sums of exponentials in Python's fractions of a far larger range: log p - log(1 - p) without a loss."""
    from decimal import Decimal, getcontext

    getcontext().prec = 40
    drawn = np.random.default_rng(outputs).normal(scale=spread, size=outputs)
    weights = [Decimal(float(one)).exp() for one in drawn]
    expected = [
        float(weight.ln() - sum(weights[:at] + weights[at + 1 :], Decimal()).ln()) for at, weight in enumerate(weights)
    ]
    found = Head(tuple(map(str, range(outputs)))).on_scale(drawn, "log_odds")
    assert found.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)
    by_torch = Head(tuple(map(str, range(outputs)))).on_scale(torch.tensor(drawn), "log_odds")
    assert by_torch.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)
