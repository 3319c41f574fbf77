"""Settings have bounds; beyond them an error names the bound, and within them memory stays small."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from support.formula_models import explainer, network

from unmask import Explainer
from unmask.errors import ArgumentError, MemoryLimitError
from unmask.methods import DIG, IG, SDIG, GradientShap, Shapley, SIGPath
from unmask.methods.base import MOST
from unmask.methods.gradient_shap import Draws
from unmask.methods.quadrature import summed
from unmask.methods.registry import resolve_method

TEXT = "a b c"


@pytest.fixture(scope="module")
def model() -> Explainer:
    return explainer({"a": [0.3, -0.9], "b": [-0.5, 0.2], "c": [1.0, 1.0]}, network(2))


@pytest.mark.parametrize("steps", [257, 1000, 1001, 2500])
def test_many_gauss_legendre_nodes_are_those_of_numpy(steps: int) -> None:
    nodes, weights = np.polynomial.legendre.leggauss(steps)
    found = summed("gauss_legendre", steps)
    assert 2 * found.nodes - 1 == pytest.approx(nodes, abs=1e-15)
    assert 2 * found.weights == pytest.approx(weights, abs=1e-12)


def test_the_most_nodes_integrate_the_highest_power_they_can() -> None:
    tracemalloc.start()
    found = summed("gauss_legendre", MOST)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10e6  # a matrix of all pairs would be 800 MB
    for power in (0, 1, 2, 1001, 2 * MOST - 1):
        assert found.weights @ found.nodes**power == pytest.approx(1 / (power + 1), rel=1e-11)
    inside = found.weights @ np.cos(5000 * found.nodes)
    assert inside == pytest.approx(np.sin(5000) / 5000, abs=1e-14)


@pytest.mark.parametrize(
    ("make", "settings"),
    [
        (IG, {"steps": MOST + 1}),
        (IG, {"steps": 10**22}),
        (IG, {"steps": MOST + 1, "rule": "trapezoid"}),
        (IG, {"steps_per_token": 10**9}),
        (SIGPath, {"steps": 200_000}),
        (GradientShap, {"samples": 10**9}),
        (Shapley, {"permutations": 10**9}),
        (DIG, {"steps": 10**9}),
        (SDIG, {"steps": 10**9}),
        (DIG, {"factor": 40}),
        (IG, {"steps": 16**9999}),  # which Python refuses to print
    ],
)
def test_beyond_a_bound_the_error_names_it(make: Any, settings: dict[str, int]) -> None:
    with pytest.raises(ArgumentError, match=r"=.*: expected a whole number from \d to \d"):
        make(**settings)


def test_a_text_with_too_many_passes_is_refused(model: Explainer) -> None:
    long = " ".join(["a"] * 200)
    with pytest.raises(MemoryLimitError, match="sig_path:steps=10000 needs 2,000,200 passes for a text of 200 units"):
        model.explain(long, method=SIGPath(steps=MOST))


def test_points_that_would_not_fit_in_memory_are_refused(model: Explainer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.methods.base.MOST_VALUES", 100)
    curve = SIGPath(path=lambda start, end, t: start + t * (end - start), steps=1000)
    with pytest.raises(MemoryLimitError, match="paths of 1,000 steps would need 0 GB"):
        model.explain(TEXT, method=curve)


def test_a_factor_is_in_the_cost() -> None:
    assert DIG(steps=9, factor=3).cost(5, 7).backward == 80
    assert SDIG(steps=9, factor=3).cost(5, 7).backward == 400


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_samples_in_parts_give_the_same_scores(model: Explainer, noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    method = GradientShap(samples=40, noise=noise)
    whole = model.explain(TEXT, method=method)
    monkeypatch.setattr("unmask.methods.gradient_shap.HELD", 7 * 6)  # 3 tokens of width 2: 7 samples at once
    parts = model.explain(TEXT, method=method)
    assert parts.scores == pytest.approx(whole.scores, rel=1e-12)
    assert parts.passes == whole.passes


def test_samples_that_all_drew_the_text_are_told(model: Explainer) -> None:
    drawn = GradientShap(draws=Draws([0.1, 0.2], from_text=[True, True]))
    assert model.explain(TEXT, method=drawn).warnings[0].startswith("every sample drew the text itself")
    some = GradientShap(draws=Draws([0.1, 0.2], from_text=[True, False]))
    assert not any("drew the text" in warning for warning in model.explain(TEXT, method=some).warnings)


@pytest.mark.parametrize("method", ["sig", "ig", "random", "shapley"])
def test_a_negative_seed_is_refused_by_every_method(method: str) -> None:
    with pytest.raises(ArgumentError, match="seed=-1: expected a whole number of at least 0"):
        resolve_method(method, seed=-1)
