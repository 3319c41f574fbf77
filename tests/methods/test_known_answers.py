"""Methods along paths, where the answer is known by hand."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.formula_models import explainer, network
from torch import Tensor

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.methods import IG, Method, SIGPath
from unmask.models.formula import FormulaModel

NUMBER = st.floats(-3, 3).map(lambda number: round(number, 3))
TWO = {"one": [1.0, 1.0], "two": [1.0, 0.0]}
STRAIGHT = [SIGPath(), SIGPath(steps=20), IG(), IG(steps=None)]


def triple(vectors: Tensor) -> Tensor:
    """x11 * x21 * x12: the first word's two features and the second word's first."""
    return vectors[:, 0, 0] * vectors[:, 1, 0] * vectors[:, 0, 1]


@pytest.mark.parametrize("method", STRAIGHT)
def test_a_linear_function_gives_weight_times_distance(method: Method) -> None:
    weights = torch.tensor([2.0, -3.0], dtype=torch.float64)
    model = explainer({"good": [1.0, 0.5], "bad": [-1.0, 2.0]}, lambda vectors: (vectors @ weights).sum(-1))
    assert model.explain("good bad", method=method).scores == pytest.approx((0.5, -8.0), rel=1e-12)


@pytest.mark.parametrize(("method", "expected"), [(SIGPath(), 6.0), (IG(), 3.0)])
def test_a_product_counts_whole_for_each_or_is_shared(method: Method, expected: float) -> None:
    model = explainer({"two": [2.0], "three": [3.0]}, lambda vectors: vectors[:, 0, 0] * vectors[:, 1, 0])
    assert model.explain("two three", method=method).scores == pytest.approx((expected, expected), rel=1e-12)


@pytest.mark.parametrize("method", STRAIGHT)
def test_a_square_of_one_word_is_its_own(method: Method) -> None:
    model = explainer({"two": [2.0], "three": [3.0]}, lambda vectors: (vectors[..., 0] ** 2).sum(-1))
    assert model.explain("two three", method=method).scores == pytest.approx((4.0, 9.0), rel=1e-12)


def test_features_of_different_words_need_not_be_symmetric() -> None:
    found = explainer(TWO, triple).explain("one two", method=SIGPath(keep="features", tolerance=1e-9))
    assert found.features == pytest.approx(np.array([[0.5, 0.5], [1.0, 0.0]]), rel=1e-9)
    assert found.token_scores == pytest.approx((1.0, 1.0), rel=1e-9)


def test_integrated_gradients_share_the_same_product_in_three() -> None:
    assert explainer(TWO, triple).explain("one two", method=IG()).scores == pytest.approx((2 / 3, 1 / 3), rel=1e-12)


def test_two_equal_words_under_a_symmetric_function_are_equal() -> None:
    def symmetric(vectors: Tensor) -> Tensor:
        return torch.tanh(vectors.prod(1).sum(-1)) + (vectors**3).sum((1, 2))

    model = explainer({"same": [0.7, -0.4]}, symmetric)
    for method in (SIGPath(keep="features"), SIGPath(keep="features", steps=7), IG()):
        found = model.explain("same same", method=method)
        assert found.scores[0] == pytest.approx(found.scores[1], rel=1e-12)
        if found.features is not None:
            assert found.features[0] == pytest.approx(found.features[1], rel=1e-12)


def test_features_of_one_word_are_symmetric_where_their_baselines_are_equal() -> None:
    def product(vectors: Tensor) -> Tensor:
        return vectors[:, 0].prod(-1)

    model = explainer({"even": [2.0, 2.0], "odd": [2.0, 3.0]}, product)
    even = model.explain("even", method=SIGPath(keep="features")).features
    assert even is not None
    assert even[0, 0] == pytest.approx(even[0, 1], rel=1e-12)


def curve(baseline: Tensor, word: Tensor, t: float) -> Tensor:
    """Forth and back, and sideways."""
    away = torch.linspace(-1, 1, word.shape[-1], dtype=word.dtype)
    return baseline + (t + math.sin(math.pi * 3 * t) ** 2) * (word - baseline) + math.sin(math.pi * t) * away


def test_a_curved_path_comes_to_the_same_totals_and_to_other_features() -> None:
    words = {"a": [0.3, -0.9, 1.1], "b": [-0.5, 0.2, 0.4], "c": [1.0, 1.0, -1.0]}
    model = explainer(words, network(3))
    exact = model.explain("a b c").scores
    errors = []
    for steps in (10, 40, 160):
        found = model.explain("a b c", method=SIGPath(path=curve, steps=steps, keep="features", tolerance=10))
        errors.append(np.abs(np.subtract(found.scores, exact)).max())
        assert found.residuals == pytest.approx(np.subtract(found.scores, exact), abs=1e-12)
    assert errors[-1] < 1e-3 * max(map(abs, exact))
    assert errors[-1] < errors[0] / 100  # the error falls with the square of the steps
    straight = model.explain("a b c", method=SIGPath(keep="features", tolerance=1e-6)).features
    assert found.features is not None
    assert straight is not None
    assert np.abs(found.features - straight).max() > 0.01


def test_a_curved_path_is_refined_until_it_is_within_the_tolerance() -> None:
    model = explainer({"a": [0.3, -0.9], "b": [-0.5, 0.2]}, network(2))
    found = model.explain("a b", method=SIGPath(path=curve, tolerance=1e-3))
    assert found.residuals is not None
    assert max(map(abs, found.residuals)) <= 1e-3 * max(map(abs, model.explain("a b").scores))
    assert found.method.settings["path"] == "curve"
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (lambda baseline, word, t: word * (1 + t), "it is off at t=0"),
        (lambda baseline, word, t: baseline + t * t * (word - baseline) / 2, "it is off at t=1"),
        (lambda baseline, word, t: word[..., :1], r"returned shape \(1, 1\); expected \(1, 2\)"),
        (lambda baseline, word, t: None, "the path returned NoneType"),
        (lambda baseline, word, t: baseline.mul_(0).add_(5), r"\(t=1\); it is off at t=0"),
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(path: object, message: str) -> None:
    model = explainer({"a": [0.3, -0.9]}, network(2))
    with pytest.raises(ArgumentError, match=message):
        model.explain("a", method=SIGPath(path=path))  # type: ignore[arg-type]


@given(vectors=st.lists(st.tuples(NUMBER, NUMBER), min_size=1, max_size=5), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_every_unit_is_complete(vectors: list[tuple[float, float]], seed: int) -> None:
    model = explainer({f"w{at}": vector for at, vector in enumerate(vectors)}, network(2, seed=seed))
    text = " ".join(f"w{at}" for at in range(len(vectors)))
    exact = model.explain(text).scores
    found = model.explain(text, method=SIGPath(tolerance=1e-2))
    bound = 1e-2 * max(map(abs, exact)) + 1e-5
    assert np.abs(np.subtract(found.scores, exact)).max() <= bound or found.warnings
    assert found.residuals == pytest.approx(np.subtract(found.scores, exact), abs=1e-12)


@given(vectors=st.lists(st.tuples(NUMBER, NUMBER), min_size=1, max_size=5), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_integrated_gradients_add_up(vectors: list[tuple[float, float]], seed: int) -> None:
    model = explainer({f"w{at}": vector for at, vector in enumerate(vectors)}, network(2, seed=seed))
    found = model.explain(" ".join(f"w{at}" for at in range(len(vectors))), method=IG(steps=200))
    assert sum(found.scores) == pytest.approx(found.together, abs=1e-5)
    assert found.delta == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("method", STRAIGHT)
def test_what_changes_nothing_scores_nothing(method: Method) -> None:
    model = explainer({"seen": [1.0, 2.0], "unseen": [5.0, -4.0]}, lambda vectors: vectors[:, 0].sum(-1).exp())
    seen, unseen = model.explain("seen unseen", method=method).scores
    assert seen != 0
    assert unseen == 0


@pytest.mark.parametrize("method", STRAIGHT)
def test_two_ways_to_write_a_function_give_the_same(method: Method) -> None:
    words = {"a": [0.4, -0.2], "b": [1.1, 0.3]}
    one = explainer(words, lambda vectors: torch.sigmoid(vectors.sum((1, 2))))
    other = explainer(words, lambda vectors: (1 + torch.tanh(vectors.sum((1, 2)) / 2)) / 2)
    expected = one.explain("a b", method=method)
    assert other.explain("a b", method=method).scores == pytest.approx(expected.scores, rel=1e-12)


def sharp(vectors: Tensor) -> Tensor:
    """A step so steep that few nodes see it."""
    return torch.sigmoid(400 * (vectors[:, 0, 0] - 0.37)) + vectors[:, 1, 0]


def test_only_units_above_the_tolerance_are_refined() -> None:
    model = explainer({"steep": [1.0], "flat": [0.5]}, sharp)
    found = model.explain("steep flat", method=SIGPath(tolerance=1e-2))
    assert found.passes.backward > 4 + 1  # two lines of two nodes, and the text itself
    assert found.passes.backward == 1 + 2 + 32  # the flat one stops at once; the steep one goes on to the end


def test_units_above_the_tolerance_are_named() -> None:
    model = explainer({"steep": [1.0], "flat": [0.5]}, lambda vectors: sharp(vectors[:, :1].repeat(1, 2, 1) * 40 - 14))
    found = model.explain("steep flat", method=SIGPath(steps=3))
    assert found.residuals is not None
    assert abs(found.residuals[0]) > 1e-2
    assert any("'steep' (residual" in warning for warning in found.warnings)
    assert not any("flat" in warning for warning in found.warnings)


def small(vectors: Tensor) -> Tensor:
    """5, but for waves in the seventh place."""
    return 5 + 1e-7 * torch.sin(30 * vectors[..., 0]).sum(-1)


def test_rounding_is_no_residual(monkeypatch: pytest.MonkeyPatch) -> None:
    """In single precision these waves are noise: nothing is refined, and nobody is warned."""
    monkeypatch.setattr(FormulaModel, "precision", torch.finfo(torch.float32).eps)
    found = explainer({"a": [1.0], "b": [0.5]}, small).explain("a b", method=SIGPath())
    assert found.passes.backward == 5
    assert found.warnings == ()


def test_in_double_precision_the_tolerance_holds_however_small_the_scores() -> None:
    found = explainer({"a": [1.0], "b": [0.5]}, small).explain("a b", method=SIGPath())
    assert found.passes.backward > 5
    exact = explainer({"a": [1.0], "b": [0.5]}, small).explain("a b").scores
    assert np.abs(np.subtract(found.scores, exact)).max() <= 1e-2 * max(map(abs, exact)) or found.warnings


def test_integrated_gradients_say_when_they_do_not_add_up() -> None:
    found = explainer({"steep": [1.0], "flat": [0.5]}, sharp).explain("steep flat", method=IG(steps=3))
    assert abs(found.delta) > 1e-2 * abs(found.together)
    assert any("add up to" in warning for warning in found.warnings)


def test_more_nodes_where_more_is_kept() -> None:
    """The sum can be right where its parts are not: an odd function of the node's place cancels."""

    def odd(vectors: Tensor) -> Tensor:
        return vectors[:, 0, 0] + 4 * vectors[:, 0, 0] * (vectors[:, 0, 1] ** 7 - vectors[:, 0, 1] ** 6)

    model = explainer({"word": [1.0, 1.0]}, odd)
    loose = model.explain("word", method=SIGPath())
    tight = model.explain("word", method=SIGPath(keep="features", tolerance=1e-4))
    assert tight.passes.backward > loose.passes.backward
    expected = np.array([1 + 4 * (1 / 8 - 1 / 7), 4 * (7 / 8 - 6 / 7)])
    assert tight.features is not None
    assert tight.features[0] == pytest.approx(expected, abs=1e-3)


def test_the_whole_way_there_and_the_number_of_steps() -> None:
    model: Explainer = explainer({"a": [0.3], "b": [0.2]}, network(1))
    assert model.explain("a b", method=IG(steps=7)).passes.backward == 7
    assert model.explain("a b a", method=IG(steps_per_token=10)).passes.backward == 30
    assert model.explain("a b", method=SIGPath(steps=7)).passes.backward == 14
