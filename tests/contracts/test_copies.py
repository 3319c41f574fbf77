"""An explainer is pickled and copied, whatever its model, also after use."""

import copy
import pickle
from collections.abc import Callable

import pytest
from support import tiny

from unmask import Explainer
from unmask.models.formula import FormulaModel

COPIES = [copy.deepcopy, copy.copy, lambda explainer: pickle.loads(pickle.dumps(explainer))]


@pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "copy", "pickle"])
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_a_copy_explains_alike(family: str, copied: Callable[[Explainer], Explainer]) -> None:
    explainer = Explainer(tiny.model(family), tiny.tokenizer(family), batch_tokens=100, max_length=20)
    before = [found.scores for found in explainer.explain_many(tiny.TEXTS[:3])]
    again = copied(explainer)
    assert repr(again) == repr(explainer)
    assert [found.scores for found in again.explain_many(tiny.TEXTS[:3])] == before
    assert [found.scores for found in explainer.explain_many(tiny.TEXTS[:3])] == before


@pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "copy", "pickle"])
@pytest.mark.parametrize("method", ["sig", "dig:steps=3", "ig", "shapley"])
def test_what_an_explainer_remembers_does_not_hinder(method: str, copied: Callable[[Explainer], Explainer]) -> None:
    explainer = tiny.explainer("bert")
    before = explainer.explain(tiny.TEXTS[0], method=method)
    after = copied(explainer).explain(tiny.TEXTS[0], method=method)
    assert (after.scores, after.model) == (before.scores, before.model)


@pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "copy", "pickle"])
def test_the_closed_form_model_too(copied: Callable[[Explainer], Explainer]) -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
    assert copied(explainer).explain("a good film").scores == (0.0, 2.0, 0.0)


def test_a_copy_is_made_while_a_text_is_under_way() -> None:
    explainer = tiny.explainer("bert")
    under_way = explainer.explain_many(tiny.TEXTS)
    first = next(under_way)
    again = pickle.loads(pickle.dumps(explainer))
    assert again.explain(first.text).scores == pytest.approx(first.scores, rel=1e-9)  # other batches
    assert len(list(under_way)) == len(tiny.TEXTS) - 1


def test_what_hinders_a_copy_is_the_callers_own_and_named() -> None:
    explainer = tiny.explainer("bert")
    explainer.model.register_forward_hook(lambda *_: None)
    with pytest.raises((AttributeError, pickle.PicklingError), match="test_what_hinders_a_copy"):
        pickle.dumps(explainer)
