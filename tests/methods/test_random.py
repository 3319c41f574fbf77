"""The control: seeded, and blind to the text."""

from unmask import Explainer
from unmask.methods import Random
from unmask.models.formula import FormulaModel


def test_the_same_seed_gives_the_same_scores() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0}))
    one, two, other = (explainer.explain(text, method=Random(seed=3)) for text in ("a good film",) * 2 + ("good day",))
    assert one.scores == two.scores
    assert len({*one.scores, *other.scores}) == 5  # another text has numbers of its own
    assert one.scores != explainer.explain("a good film", method=Random(seed=4)).scores


def test_it_asks_for_the_text_and_its_baseline_only() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0}))
    found = explainer.explain("a good film", method="random")
    assert found.passes.forward == 2
    assert (found.without, found.interaction, found.method.uses_baseline) == (None, None, False)
    assert found.method.settings == {"seed": 0}
