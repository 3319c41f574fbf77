"""Leave-one-in and Shapley values against their definitions."""

from collections.abc import Callable, Collection
from itertools import permutations

import numpy as np
import pytest
from support.formula_models import LETTERS
from support.formula_models import interacting_words as model

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.methods import LeaveOneIn, Shapley
from unmask.models.formula import FormulaModel


def brute_force(units: int, worth: Callable[[Collection[int]], float]) -> list[float]:
    """The average of what each unit adds, over all orders, one by one."""
    added, known = np.zeros(units), dict[frozenset[int], float]()
    orders = list(permutations(range(units)))
    for order in orders:
        for place, unit in enumerate(order):
            after, before = (frozenset(order[:end]) for end in (place + 1, place))
            for present in (after, before):
                if present not in known:
                    known[present] = worth(present)
            added[unit] += known[after] - known[before]
    return list(added / len(orders))


@pytest.mark.parametrize("units", [1, 2, 3, 4, 5, 6, 7, pytest.param(8, marks=pytest.mark.slow)])
def test_shapley_values_of_a_short_text_are_brute_forces(units: int) -> None:
    explainer, text, worth = model(units)
    found = explainer.explain(text, method=Shapley())
    assert found.scores == pytest.approx(brute_force(units, worth), abs=1e-12)
    assert found.standard_errors == (0.0,) * units
    assert found.passes.forward == 2**units


def test_all_subsets_are_taken_where_they_are_fewer_than_the_orders_need() -> None:
    explainer, text, _ = model(10)
    found = explainer.explain(text, method=Shapley(permutations=200))
    assert found.passes.forward == 2**10
    assert set(found.standard_errors or ()) == {0.0}


def test_sampled_values_are_near_the_exact_ones_and_say_how_near() -> None:
    explainer, text, _ = model(10)
    exact = np.array(explainer.explain(text, method=Shapley(permutations=200)).scores)
    errors, said = [], []
    for seed in range(60):
        found = explainer.explain(text, method=Shapley(permutations=16, seed=seed))
        assert found.passes.forward <= 16 * 9 + 2
        errors.append(np.subtract(found.scores, exact))
        said.append(found.standard_errors or ())
    assert np.abs(errors).max() > 0
    assert np.mean(np.square(errors)) == pytest.approx(np.mean(np.square(said)), rel=0.15)  # both are the variance


def test_sampled_values_add_up_whatever_the_orders() -> None:
    explainer, text, worth = model(12)
    found = explainer.explain(text, method=Shapley(permutations=4))
    assert sum(found.scores) == pytest.approx(worth(range(12)) - worth(()), abs=1e-12)
    assert found.method.adds_up
    assert found.scores != explainer.explain(text, method=Shapley(permutations=4, seed=1)).scores


def test_additive_models_leave_no_error_of_chance() -> None:
    weights = dict(zip(LETTERS, range(1, 14), strict=True))
    adapter = FormulaModel.weighted_words({word: float(weight) for word, weight in weights.items()})
    found = Explainer.from_adapter(adapter).explain(" ".join(LETTERS), method="shapley", target="positive")
    assert found.scores == pytest.approx(list(weights.values()), rel=1e-12)
    assert found.standard_errors == pytest.approx([0.0] * 13, abs=1e-12)


def test_every_output_is_explained_at_once() -> None:
    adapter = FormulaModel.weighted_words({"good": 2.0, "bad": -3.0})
    explainer = Explainer.from_adapter(adapter)
    for method in ("shapley", "leave_one_in"):
        found = explainer.explain("good bad good film", method=method, target="positive", scale="probability")
        again = explainer.explain("good bad good film", method=method, target="negative", scale="probability")
        assert found.scores_by_output is not None
        assert found.scores_by_output[:, 1] == pytest.approx(found.scores, abs=1e-12)
        assert found.toward("negative").scores == pytest.approx(again.scores, abs=1e-12)


def test_another_scale_of_shapley_values_needs_new_passes() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0}))
    found = explainer.explain("good film", method="shapley")
    with pytest.raises(ArgumentError, match=r"scores for .*; explain again with target='positive', scale='pro"):
        found.toward("positive", scale="probability")
    alone = explainer.explain("good film", method="leave_one_in").toward("positive", scale="probability")
    expected = explainer.explain("good film", method="leave_one_in", target="positive", scale="probability")
    assert alone.scores == pytest.approx(expected.scores, abs=1e-12)


@pytest.mark.parametrize("units", [1, 2, 5, 9])
def test_leave_one_in_is_its_definition(units: int) -> None:
    explainer, text, worth = model(units)
    found = explainer.explain(text, method=LeaveOneIn())
    assert found.scores == pytest.approx([worth([unit]) - worth(()) for unit in range(units)], abs=1e-12)
    assert found.passes.forward == (units + 2 if units > 1 else 2)


@pytest.mark.parametrize("permutations", [0, 2, 7, 4.5])
def test_orders_come_in_pairs(permutations: int) -> None:
    with pytest.raises(ArgumentError, match="permutations="):
        Shapley(permutations=permutations)
