"""A scale that is new in the registry and nowhere else: it is explained, drawn and read again."""

import pytest

from unmask import Explainer, Explanation
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import SCALES, Contrast, Scale


def test_a_scale_is_explained_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = Scale("twice", "doubled logit of {label}", "{label} over {against}, doubled", lambda raw, _: 2 * raw)
    monkeypatch.setitem(SCALES, "twice", twice)
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
    plain = explainer.explain("good bad film", target="positive", scale="logit")
    found = explainer.explain("good bad film", target="positive", scale="twice")
    assert found.scores == pytest.approx([2 * score for score in plain.scores])
    assert "doubled logit of &quot;positive&quot;" in found.to_html()
    read = Explanation.from_dict(found.to_dict()).toward(Contrast("positive", "negative"))
    assert "&quot;positive&quot; over &quot;negative&quot;, doubled" in read.to_html()
