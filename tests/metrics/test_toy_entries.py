"""A metric and an operator that are new in their registries and nowhere else: they are computed and drawn."""

import pytest

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.metrics.perturbations import OPERATORS, Operator, share_left
from unmask.metrics.registry import KNOWN, Measure, Metric
from unmask.models.formula import FormulaModel

TEXTS = ["good bad film", "a good day"]


@pytest.fixture
def explainer() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))


def test_a_metric_is_computed_and_drawn(explainer: Explainer, monkeypatch: pytest.MonkeyPatch) -> None:
    gap = Metric(
        "gap",
        "the gap",
        "higher",
        "comprehensiveness minus sufficiency",
        derive=lambda values: values["comprehensiveness"] - values["sufficiency"],
    )
    monkeypatch.setitem(KNOWN, "gap", gap)
    found = explainer.evaluate(TEXTS, methods=["sig"], operators="remove", controls=())
    values = found.row("sig").values
    loss, rest = (values[Measure(name, "remove", found.top)] for name in ("comprehensiveness", "sufficiency"))
    assert values[Measure("gap", "remove", found.top)] == pytest.approx(loss - rest)
    assert "the gap ↑" in found.to_html()


def test_an_operator_is_used_and_named(explainer: Explainer, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError, match="unknown operator 'blank'"):
        explainer.evaluate(TEXTS, methods=["sig"], operators="blank")
    monkeypatch.setitem(OPERATORS, "blank", Operator("blank", "Units are blanked out", "zero"))
    found = explainer.evaluate(TEXTS, methods=["sig"], operators=["remove", "blank"], controls=["random words"])
    assert found.operators == ("remove", "blank")
    deleted = [measure.operator for measure in found.row("random words").values]
    assert deleted.count("blank") == deleted.count("remove") > 0
    assert "Units are blanked out" in found.to_html()
    assert (share_left(0.2, "blank"), share_left(0.2, "remove")) == (1.0, 0.8)
