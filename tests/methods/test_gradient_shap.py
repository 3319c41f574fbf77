"""GradientShap by its own draws: Integrated Gradients by Monte Carlo."""

import numpy as np
import pytest
from support.formula_models import explainer, network

from unmask import Explainer
from unmask.methods import IG, GradientShap

TEXT = "a b c"


@pytest.fixture(scope="module")
def model() -> Explainer:
    return explainer({"a": [0.3, -0.9], "b": [-0.5, 0.2], "c": [1.0, 1.0]}, network(2))


def errors(model: Explainer, samples: int) -> float:
    """How far it is from the integral, in the square mean over seeds."""
    exact = model.explain(TEXT, method=IG(steps=200)).scores
    found = [model.explain(TEXT, method=GradientShap(samples=samples, seed=seed)).scores for seed in range(40)]
    return float(np.sqrt(np.mean(np.square(np.subtract(found, exact)))))


def test_it_comes_to_integrated_gradients_with_the_root_of_the_samples(model: Explainer) -> None:
    few, many = errors(model, 20), errors(model, 320)
    assert many < 0.05 * max(map(abs, model.explain(TEXT, method=IG(steps=200)).scores))
    assert few / many == pytest.approx(4, rel=0.35)


def test_the_text_among_its_own_baselines_adds_nothing(model: Explainer) -> None:
    exact = np.array(model.explain(TEXT, method=IG(steps=200)).scores)
    method = GradientShap(samples=4000, pool="baseline_and_text")
    found = model.explain(TEXT, method=method)
    assert found.scores == pytest.approx(exact / 2, abs=0.05 * np.abs(exact).max())
    assert 1800 < found.passes.backward < 2200


def test_the_published_settings() -> None:
    assert GradientShap.paper() == GradientShap(samples=5, noise=0.0, seed=0, pool="baseline_and_text")
