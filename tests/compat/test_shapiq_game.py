"""A text as a cooperative game: against Shapley values and models known by hand, in one call of the engine."""

import sys
from collections.abc import Callable
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import pytest
import torch
from support import tiny, tiny_causal
from support.formula_models import network
from torch import Tensor

from unmask import Contrast, Explainer, Request
from unmask.compat.shapiq import TextGame, game
from unmask.engine import Engine
from unmask.errors import ArgumentError, KeywordError
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import Head

LETTERS = "abcdefgh"


def subsets(count: int) -> Any:
    """All subsets, [2^count, count]; row r contains unit u if bit u of r is set."""
    return np.array([[row >> unit & 1 for unit in range(count)] for row in range(2**count)], dtype=bool)


def shapley(values: Any, count: int) -> list[float]:
    """Shapley values by their definition, from the values of all subsets in the order of `subsets`."""
    found = []
    for unit in range(count):
        others, total = [other for other in range(count) if other != unit], 0.0
        for size in range(count):
            weight = factorial(size) * factorial(count - size - 1) / factorial(count)
            for members in combinations(others, size):
                row = sum(1 << member for member in members)
                total += weight * (values[row | 1 << unit] - values[row])
        found.append(total)
    return found


def interacting(units: int) -> tuple[Explainer, str, Callable[[Any], float]]:
    """A model of so many interacting words, a text, and its value for some of the text's words."""
    vectors = torch.randn(units, 3, generator=torch.Generator().manual_seed(units), dtype=torch.float64)
    formula = network(3, seed=units)

    def outputs(found: Tensor, attention: Tensor) -> Tensor:
        return formula(found * attention[..., None])[:, None]

    def value(present: Any) -> float:
        return float(formula((vectors * torch.tensor(present, dtype=torch.float64)[:, None])[None])[0])

    words = dict(zip(LETTERS, vectors.tolist(), strict=False))
    adapter = FormulaModel(words, outputs, head=Head(("value",), "none"))
    return Explainer.from_adapter(adapter), " ".join(LETTERS[:units]), value


@pytest.mark.parametrize("units", range(1, 9))
def test_a_game_has_the_models_values_and_our_shapley_values(units: int) -> None:
    explainer, text, value = interacting(units)
    found, matrix = game(explainer, text), subsets(units)
    assert found.value_function(matrix) == pytest.approx([value(row) for row in matrix], abs=1e-12)
    assert found(matrix) == pytest.approx([value(row) - value(matrix[0]) for row in matrix], abs=1e-12)
    ours = explainer.explain(text, method="shapley")
    assert shapley(found(matrix), units) == pytest.approx(ours.scores, abs=1e-12)
    assert found.evaluations == 2**units


@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2"])
def test_shapley_values_of_transformers_are_ours(architecture: str) -> None:
    explainer, text = tiny.explainer(architecture), "A lovely film, not dull."
    found = game(explainer, text)
    ours = explainer.explain(text, method="shapley")
    assert 2 < found.n_players <= 8
    assert shapley(found(subsets(found.n_players)), found.n_players) == pytest.approx(ours.scores, abs=1e-9)
    assert found.grand_coalition_value == pytest.approx(ours.together, abs=1e-9)


def test_a_call_is_one_call_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    explainer, text, _ = interacting(6)
    found, calls, run = game(explainer, text), list[float](), Engine.run

    def counted(self: Engine, jobs: Any, **more: Any) -> Any:
        listed = list(jobs)
        calls.extend(job.rows for job in listed)
        return run(self, listed, **more)

    monkeypatch.setattr(Engine, "run", counted)
    matrix = subsets(6)
    found(matrix[:20])
    assert calls == [19]  # the empty coalition is known
    found(np.concatenate([matrix[:24], matrix[:24]]))
    assert calls == [19, 4]  # new ones only, each once
    found(matrix[:24])
    found.toward("value")(matrix[:24])
    assert calls == [19, 4]


def test_what_shapiq_asks_of_a_game() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
    found = game(explainer, "a good good film", target="positive")
    assert (found.n_players, found.player_names) == (4, ["a", "good", "good (2)", "film"])
    assert (found.normalization_value, found.empty_coalition_value, found.grand_coalition_value) == (0.0, 0.0, 4.0)
    assert found.empty_coalition.tolist() == [False] * 4
    assert found.grand_coalition.tolist() == [True] * 4
    assert found(found.grand_coalition).tolist() == [4.0]  # one coalition may be a vector
    assert found(np.array([[0, 1, 0, 0], [0, 1, 1, 0]])).tolist() == [2.0, 4.0]  # 1 and 0 are True and False
    assert found([(True, False, False, True)]).tolist() == [0.0]


@pytest.mark.parametrize("architecture", ["gpt2", "llama"])
def test_the_answer_of_a_language_model_has_the_values_of_its_explanation(architecture: str) -> None:
    explainer, text = tiny_causal.explainer(architecture), "A lovely film. Not dull."
    found, explained = game(explainer, text), explainer.explain(text)
    without = found.grand_coalition_value - found(~np.eye(found.n_players, dtype=bool))
    assert without == pytest.approx(explained.scores, abs=1e-9)
    assert found.grand_coalition_value == pytest.approx(explained.together, abs=1e-9)


def test_targets_and_scales() -> None:
    explainer, text = tiny.explainer("bert"), "A lovely film."
    matrix = subsets(4)
    for target, scale in (("LABEL_1", "probability"), (Contrast("LABEL_0", "LABEL_2"), "logit"), ("max", "log_odds")):
        asked = game(explainer, text, target=target, scale=scale)
        assert game(explainer, text).toward(target, scale)(matrix) == pytest.approx(asked(matrix), abs=1e-12)
        explained = explainer.explain(text, target=target, scale=scale)
        without = [asked(asked.grand_coalition)[0] - asked(row)[0] for row in ~np.eye(4, dtype=bool)]
        assert without == pytest.approx(explained.scores, abs=1e-9)


def test_requests_and_units() -> None:
    explainer = tiny.explainer("bert")
    pair = Request("A lovely film.", text_pair="Not dull.")
    assert game(explainer, pair).player_names == ["A", "lovely", "film", ".", "Not", "dull", ". (2)"]
    assert game(explainer, "A lovely film. Not dull.", unit="sentence").n_players == 2


@pytest.mark.parametrize(
    ("coalitions", "message"),
    [
        (np.ones((2, 3), bool), r"coalitions have shape \(2, 3\); expected a boolean matrix \[coalitions, 4\]"),
        (np.ones(5, bool), r"coalitions have shape \(5,\)"),
        (np.ones((2, 2, 4), bool), r"coalitions have shape \(2, 2, 4\)"),
        (np.array(True), r"coalitions have shape \(\)"),
        (np.ones((0, 4), bool), "at least one row"),
        (np.full((1, 4), 2), "only True and False"),
        (np.full((1, 4), 0.5), "only True and False"),
        (np.full((1, 4), np.nan), "only True and False"),
        ([("good", "film", "a", "good")], "only True and False"),
    ],
)
def test_a_wrong_matrix_is_an_error(coalitions: Any, message: str) -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0}))
    with pytest.raises(ArgumentError, match=message):
        game(explainer, "a good good film")(coalitions)


def test_a_method_does_not_apply() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0}))
    with pytest.raises(KeywordError, match="game has no keyword 'method'"):
        game(explainer, "good", method="ig")  # type: ignore[call-arg]


def test_without_shapiq_the_class_is_not_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shapiq", None)
    found = game(Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0})), "good film")
    assert isinstance(found, TextGame)
    with pytest.raises(ArgumentError, match="to_shapiq needs shapiq, which is not installed"):
        found.to_shapiq()
