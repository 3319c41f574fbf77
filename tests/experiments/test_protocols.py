"""A protocol is one entry of a table: what it says is applied everywhere."""

import sys
from types import ModuleType

import pytest

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.experiments.plan import Plan
from unmask.metrics.faithfulness import METRICS
from unmask.metrics.protocols import PROTOCOLS, Protocol
from unmask.metrics.registry import Measure
from unmask.models.formula import FormulaModel


@pytest.fixture
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study of which the package knows nothing: it looks at exactly one unit."""
    study = ModuleType("toy_study")
    vars(study)["TOY"] = Protocol(
        "toy", lambda units, share: 1, methods=("leave_one_in",), operators=("mask", "mask", "mask"),
        caption=("Units are masked", "Every share is one unit."),
        fixed={"unit": "word", "target": "positive", "scale": "logit"},
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "toy_study", study)
    monkeypatch.setitem(PROTOCOLS, "toy", "toy_study:TOY")


@pytest.mark.usefixtures("_toy")
def test_a_study_adds_a_protocol_in_one_place() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
    found = explainer.evaluate(["a good film of good days", "a bad film"], protocol="toy")
    assert [row.name for row in found.rows if row.kind == "method"] == ["leave_one_in"]
    assert (found.protocol, found.operators, found.target, found.scale) == ("toy", ("toy",), "positive", "logit")
    assert len(found.row("leave_one_in").values[Measure("log_odds", "toy", 0.2)]) == 2
    assert all(found.row("leave_one_in").is_own(Measure(metric, "toy", 0.2)) for metric in METRICS)
    assert "Units are masked" in found.to_html()
    with pytest.raises(ArgumentError, match="the protocol 'toy' does not take unit"):
        explainer.evaluate(["a good film"], protocol="toy", unit="token")


@pytest.mark.usefixtures("_toy")
def test_a_plan_takes_it() -> None:
    tables = {"name": "tried", "methods": ["sig"], "models": {"one": "some/model"}}
    plan = Plan.from_dict({**tables, "datasets": {"films": {"source": "films.txt"}}}).under("toy")
    assert plan.evaluation_options() == {"protocol": "toy", "top": 0.2, "controls": ("random", "greedy"), "seed": 0}
