"""Sentences about fillings and choices: these are texts themselves, so they stand in quotation marks."""

import pytest
from support import tiny_heads

from unmask import Explanation, Request
from unmask.render.captions import heading
from unmask.render.view import view_explanation
from unmask.web.captions import caption_records

FILLING = Request("the film is [MASK] bad")
CHOICES = Request(segments=[("prompt", "the film is"), ("choice 1", "a lovely friendship."), ("choice 2", "dull")])


@pytest.fixture(params=["fill_mask", "multiple_choice"])
def found(request: pytest.FixtureRequest) -> Explanation:
    explainer = tiny_heads.explainer(request.param, "bert")
    return explainer.explain(FILLING if request.param == "fill_mask" else CHOICES)


def test_fillings_and_choices_stand_in_quotation_marks(found: Explanation) -> None:
    view, quoted = view_explanation(found), f'"{found.prediction.label}"'
    assert caption_records(found)["prediction"].startswith(f"Prediction: {quoted} ")
    assert heading(found) == f"What supports {quoted}"
    assert f"supports {quoted}," in view.key("shades")
    assert view.label == quoted
    assert found.prediction.label == found.target  # in the result itself, there are none


def test_deciding_sets_of_choices_do_too() -> None:
    found = tiny_heads.explainer("multiple_choice", "bert").explain(CHOICES)
    assert found.sets is not None
    assert found.sets.necessary is not None
    assert found.sets.necessary.question == "label"
    now, (change, *_) = found.sets.necessary.label, view_explanation(found).sets
    assert f': "{now}" ' in change.sentence


def test_another_answer_stands_in_quotation_marks() -> None:
    explainer = tiny_heads.explainer("question_answering", "bert")
    question = Request("what is it?", text_pair="the film is not bad")
    assert "(all words masked: answer " in caption_records(explainer.explain(question))["prediction"]
    other = caption_records(explainer.explain(question, target="film"))["prediction"]
    assert '(all words masked: "film" ' in other
