"""A method that is new in the registry and nowhere else: it is explained, drawn, listed and evaluated."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from typer.testing import CliRunner

from unmask import Explainer, Explanation
from unmask.cli.app import app
from unmask.methods import METHODS, Cost, Method
from unmask.models.formula import FormulaModel
from unmask.questions import Asking, Instance, Perturbation, Scores, ask_outputs

TEXTS = ["good bad film", "a good day"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubled(Method):
    """Twice what the text loses without a unit."""

    name: ClassVar[str] = "doubled"
    summary: ClassVar[str] = "A score is twice the {quantity} that is lost with a {unit}, {odd}."
    passes: ClassVar[str] = "N + 2, twice over"
    rank: ClassVar[int] = 5
    steps: int = 4

    def ask(self, instance: Instance) -> Asking:
        without = yield from ask_outputs(Perturbation(unit) for unit in instance.units)
        return Scores(2 * (instance.target(instance.whole) - instance.target(without)))

    def cost(self, units: int, tokens: int) -> Cost:
        return Cost(forward=units)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "doubled", f"{__name__}:Doubled")


@pytest.fixture
def explainer() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))


def test_it_explains_and_its_file_says_what_a_score_means(explainer: Explainer) -> None:
    found = explainer.explain(TEXTS[0], method="doubled:steps=7", target="positive")
    assert found.scores == pytest.approx((4.0, -6.0, 0.0), rel=1e-12)
    METHODS.pop("doubled")  # a saved explanation is drawn without its method
    drawn = Explanation.from_dict(found.to_dict()).to_html()
    assert "A score is twice the log-odds of &quot;positive&quot; that is lost with a word, {odd}." in drawn
    assert "doubled steps=7" in drawn


def test_the_command_lists_it() -> None:
    assert "passes: N + 2, twice over" in CliRunner().invoke(app, ["methods"]).output


def test_it_is_compared_and_evaluated(explainer: Explainer) -> None:
    assert explainer.compare(TEXTS[0], methods=["sig", "doubled"]).names == ("sig", "doubled")
    evaluation = explainer.evaluate(TEXTS, methods=["sig", "doubled"], controls=())
    assert [row.name for row in evaluation.rows] == ["sig", "doubled"]
