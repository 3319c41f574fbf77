"""Targets and scales against formulas written out, for numpy and torch alike."""

import math

import numpy as np
import pytest
import torch

from unmask.errors import ArgumentError
from unmask.tasks.targets import Contrast, Head, distinct_names, resolve_target

LOGITS = [0.3, -1.2, 2.0]
HEAD = Head(("bad", "so-so", "good"))
EXPS = [math.exp(x) for x in LOGITS]
P = [x / sum(EXPS) for x in EXPS]


def value(target: object, scale: str = "auto", head: Head = HEAD, logits: list[float] = LOGITS) -> float:
    """The target's value, the same by both libraries, alone and in a batch."""
    array = np.array(logits)
    goal = resolve_target(target, scale=scale, head=head, whole=array)  # type: ignore[arg-type]
    by_numpy = float(goal(array))
    tensor = torch.tensor(logits, dtype=torch.float64)
    assert float(goal(tensor)) == pytest.approx(by_numpy, rel=1e-14)
    assert goal(torch.stack([tensor, tensor])).tolist() == pytest.approx([by_numpy] * 2, rel=1e-14)
    return by_numpy


@pytest.mark.parametrize("index", [0, 1, 2])
def test_scales_of_a_softmax(index: int) -> None:
    assert value(index, "logit") == LOGITS[index]
    assert value(index, "probability") == pytest.approx(P[index], rel=1e-14)
    assert value(index, "log_probability") == pytest.approx(math.log(P[index]), rel=1e-14)
    assert value(index, "log_odds") == pytest.approx(math.log(P[index] / (1 - P[index])), rel=1e-13)


def test_log_odds_of_two_classes_are_the_margin() -> None:
    assert value("good", head=Head(("bad", "good")), logits=[-3.25, 1.5]) == 4.75


def test_log_odds_stay_exact_where_probabilities_saturate() -> None:
    assert value(1, head=Head(("bad", "good")), logits=[-400.0, 400.0]) == 800.0


@pytest.mark.parametrize("scale", ["log_odds", "logit"])
def test_log_odds_of_a_sigmoid_are_the_logit(scale: str) -> None:
    assert value("so-so", scale, head=Head(HEAD.labels, "sigmoid")) == -1.2


def test_scales_of_a_sigmoid() -> None:
    head = Head(HEAD.labels, "sigmoid")
    p = 1 / (1 + math.exp(1.2))
    assert value(1, "probability", head=head) == pytest.approx(p, rel=1e-14)
    assert value(1, "log_probability", head=head) == pytest.approx(math.log(p), rel=1e-14)
    assert value(0, "log_probability", head=head, logits=[-800.0, 0.0, 0.0]) == -800.0


def test_a_regression_has_one_scale() -> None:
    head = Head(("score",), "none")
    assert value("predicted", head=head, logits=[3.5]) == 3.5
    with pytest.raises(ArgumentError, match="'log_odds' does not apply"):
        value("predicted", "log_odds", head=head, logits=[3.5])
    with pytest.raises(ArgumentError, match="'value' does not apply"):
        value("good", "value")


def test_contrasts() -> None:
    contrast = Contrast("good", "bad")
    assert value(contrast, "log_odds") == pytest.approx(math.log(P[2] / P[0]), rel=1e-13)
    assert value(contrast, "log_probability") == pytest.approx(math.log(P[2] / P[0]), rel=1e-13)
    assert value(contrast, "logit") == pytest.approx(1.7)
    assert value(contrast, "probability") == pytest.approx(P[2] - P[0], rel=1e-13)
    sigmoid = Head(HEAD.labels, "sigmoid")
    p, q = 1 / (1 + math.exp(-2.0)), 1 / (1 + math.exp(-0.3))
    assert value(contrast, "log_odds", head=sigmoid) == pytest.approx(math.log(p / q), rel=1e-13)


@pytest.mark.parametrize("scale", ["logit", "log_odds", "probability", "log_probability"])
def test_max_is_the_largest_at_each_point(scale: str) -> None:
    goal = resolve_target("max", scale=scale, head=HEAD, whole=np.array(LOGITS))
    points = np.array([[0.3, -1.2, 2.0], [5.0, 1.0, 1.0], [0.0, 0.1, 0.0]])
    each = [[float(resolve_target(c, scale=scale, head=HEAD, whole=p)(p)) for c in range(3)] for p in points]
    assert goal(points).tolist() == [max(values) for values in each]
    assert goal(torch.tensor(points)).tolist() == pytest.approx([max(values) for values in each], rel=1e-14)


def test_predicted_is_held_fixed() -> None:
    goal = resolve_target("predicted", scale="logit", head=HEAD, whole=np.array(LOGITS))
    assert goal.name == "good"
    assert float(goal(np.array([9.0, 0.0, 1.0]))) == 1.0


def test_labels_and_indices() -> None:
    assert value("1", "logit") == value(1, "logit") == value("so-so", "logit") == -1.2
    numbers = Head(("1", "0"))
    assert value("1", "logit", head=numbers, logits=[5.0, 7.0]) == 5.0  # a label comes before an index
    assert value(1, "logit", head=numbers, logits=[5.0, 7.0]) == 7.0


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("goood", "did you mean 'good'"),
        (3, "outputs are 0 to 2"),
        (-1, "outputs are 0 to 2"),
        (True, "outputs are 0 to 2"),
        (None, "neither a label nor an index"),
        (1.5, "neither a label nor an index"),
        (Contrast("good", 2), "'good' with itself"),
        (Contrast("good", "predicted"), "a contrast needs two outputs, not 'predicted' or 'max'"),
        (Contrast("goood", "bad"), "did you mean 'good'"),
    ],
)
def test_what_is_no_target_is_refused(target: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        value(target)


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(ArgumentError, match="unknown scale 'logits'; did you mean 'logit'"):
        value(0, "logits")


def test_labels_become_distinct() -> None:
    assert distinct_names(["a", "b"]) == ("a", "b")
    assert len(set(distinct_names(["x", "x", "predicted"]))) == 3
    assert len(set(distinct_names(["a", "a", "a (1)"]))) == 3


def test_case_does_not_matter_where_a_label_is_unambiguous() -> None:
    assert value("GOOD") == value("good")
    assert value("Predicted") == value("predicted")
    assert value(Contrast("Good", "BAD")) == value(Contrast("good", "bad"))
    alike = Head(("Good", "good", "bad"))
    assert value("good", "logit", head=alike) == LOGITS[1]
    assert value("Good", "logit", head=alike) == LOGITS[0]
    with pytest.raises(ArgumentError, match="unknown target 'GOOD'"):
        value("GOOD", head=alike)
