"""Sums for integrals: against integrals that are known."""

import numpy as np
import pytest

from unmask.errors import ArgumentError
from unmask.methods.quadrature import LEVELS, RULES, clenshaw_curtis, refinements, summed


def integral(nodes: np.ndarray, weights: np.ndarray, power: int) -> float:
    return float(weights @ nodes**power)


@pytest.mark.parametrize("steps", [2, 3, 10, 50])
@pytest.mark.parametrize("rule", RULES)
def test_weights_add_up_to_one(rule: str, steps: int) -> None:
    found = summed(rule, steps)
    assert len(found.nodes) == len(found.weights) == steps
    assert found.weights.sum() == pytest.approx(1, rel=1e-13)
    assert ((found.nodes >= 0) & (found.nodes <= 1)).all()


def test_each_rule_is_exact_as_far_as_it_is_known_to_be() -> None:
    for steps in (1, 2, 5, 12):
        for power in range(2 * steps):
            found = summed("gauss_legendre", steps)
            assert integral(found.nodes, found.weights, power) == pytest.approx(1 / (power + 1), rel=1e-12)
    for rule in ("riemann_middle", "trapezoid"):
        found = summed(rule, 7)
        assert integral(found.nodes, found.weights, 1) == pytest.approx(1 / 2, rel=1e-13)


def test_riemann_sums_stand_where_their_name_says() -> None:
    assert summed("riemann_left", 4).nodes.tolist() == [0, 0.25, 0.5, 0.75]
    assert summed("riemann_right", 4).nodes.tolist() == [0.25, 0.5, 0.75, 1]
    assert summed("riemann_middle", 4).nodes.tolist() == [0.125, 0.375, 0.625, 0.875]
    assert summed("trapezoid", 3).weights.tolist() == [0.25, 0.5, 0.25]


@pytest.mark.parametrize("count", LEVELS)
def test_clenshaw_curtis_is_exact_for_as_many_powers_as_nodes(count: int) -> None:
    found = clenshaw_curtis(count)
    for power in range(count):
        assert integral(found.nodes, found.weights, power) == pytest.approx(1 / (power + 1), rel=1e-12)


def test_refinements_add_up_to_the_rule_of_their_level() -> None:
    for level, count in enumerate(LEVELS):
        parts = refinements()[: level + 1]
        nodes = np.concatenate([part.nodes for part in parts])
        weights = np.concatenate([part.weights[level] for part in parts])
        assert len(nodes) == count
        order, whole = np.argsort(nodes), clenshaw_curtis(count)
        assert nodes[order] == pytest.approx(whole.nodes, abs=1e-15)
        assert weights[order] == pytest.approx(whole.weights, rel=1e-12)


def test_what_is_no_rule_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"unknown rule 'gauss'; .*gauss_legendre"):
        summed("gauss", 5)
    for rule, steps in (("gauss_legendre", 0), ("trapezoid", 1), ("riemann_left", 2.5), ("riemann_left", True)):
        with pytest.raises(ArgumentError, match=rf"steps={steps}: expected a whole number from [12] to 10,000"):
            summed(rule, steps)  # type: ignore[arg-type]
