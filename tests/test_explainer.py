"""The front door: units of one's own, fixed spans, and errors in a text's place."""

import copy
import pickle
from collections.abc import Callable

import pytest
import torch
from support import tiny

from unmask import Explainer, Explanation, Failure, Request
from unmask.errors import ArgumentError, InputError
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import distinct_names

TEXT = "a truly good film, not bad"


@pytest.fixture
def words() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0, "not": 0.5, "truly": 0.25}))


def test_given_spans_are_scored_as_a_whole(words: Explainer) -> None:
    found = words.explain(Request(TEXT, spans=[(19, 26), (2, 12)]), target="positive")
    assert [(unit.text, unit.start, unit.end) for unit in found.units] == [
        ("truly good", 2, 12),
        ("not bad", 19, 26),
    ]
    assert found.scores == pytest.approx((2.25, -2.5))
    assert found.unit == "span"
    assert found.together == pytest.approx(-0.25)


def test_a_widened_span_is_shown_as_it_moved(words: Explainer) -> None:
    found = words.explain(Request(TEXT, spans=[(10, 11)]), target="positive")
    assert [(unit.text, unit.start) for unit in found.units] == [("good", 8)]
    assert found.scores == pytest.approx((2.0,))


def test_what_became_of_a_span_is_said(words: Explainer) -> None:
    found = words.explain(Request(TEXT, spans=[(8, 10), (10, 12), (12, 13)]))
    assert found.warnings == (
        "the spans 10 to 12 share a token with the preceding span and are masked with it",
        "the spans 12 to 13 have no score: the model reads none of their text, or only text that cannot be masked",
    )


def test_fixed_spans_have_no_score_and_stay_also_together(words: Explainer) -> None:
    found = words.explain(Request(TEXT, fixed=[(8, 12)]), target="positive")
    assert "good" not in [unit.text for unit in found.units]
    assert found.together == pytest.approx(-2.25)
    assert [(unit.text, unit.start) for unit in found.fixed] == [("good", 8)]
    widened = words.explain(Request(TEXT, fixed=[(9, 10)])).fixed
    assert [(unit.text, unit.start, unit.end) for unit in widened] == [("good", 8, 12)]
    assert Explanation.from_dict(found.to_dict()) == found


def test_bad_spans_fail_their_text_alone(words: Explainer) -> None:
    bad, fine = words.attempts([Request(TEXT, spans=[(0, 99)]), TEXT])
    assert isinstance(bad, Failure)
    assert isinstance(bad.error, ArgumentError)
    assert isinstance(fine, Explanation)


def test_sentences_of_a_real_tokenizer() -> None:
    text = "The film is not bad. It isn't dull!"
    found = tiny.explainer("bert").explain(text, unit="sentence")
    assert [unit.text for unit in found.units] == ["The film is not bad.", "It isn't dull!"]
    assert found.unit == "sentence"
    one = tiny.explainer("bert").explain(Request(text, spans=[(0, 20), (21, 35)]))
    assert one.scores == found.scores


def test_an_error_in_a_texts_place_stays_there(words: Explainer) -> None:
    first, bad, last = words.attempts(["good", InputError("line 2 is broken"), "bad"])
    assert isinstance(first, Explanation)
    assert isinstance(last, Explanation)
    assert isinstance(bad, Failure)
    assert (bad.index, bad.text, str(bad.error)) == (1, "", "line 2 is broken")
    with pytest.raises(InputError, match="line 2 is broken"):
        list(words.explain_many(["good", InputError("line 2 is broken")]))


def test_spans_may_come_from_an_iterator(words: Explainer) -> None:
    request = Request(TEXT, spans=iter([(8, 12)]), fixed=(span for span in [(0, 1)]))
    assert words.explain(request).scores == words.explain(request).scores


@pytest.mark.parametrize("wrong", [{"spans": 5}, {"fixed": None}, {"fixed": "ab"}])
def test_what_are_no_spans_is_refused_at_once(wrong: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match="must be spans such as"):
        Request(TEXT, **wrong)  # type: ignore[arg-type]


def test_a_progress_that_cannot_be_told_is_refused_at_once(words: Explainer) -> None:
    with pytest.raises(ArgumentError, match="progress must be 'bar' or a function"):
        words.explain_many([TEXT], progress="bra")  # type: ignore[arg-type]


def test_many_spans_and_labels_take_no_longer_than_they_must() -> None:
    text = "a " * 4000
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"b": 1.0}), max_length=4)
    found = explainer.explain(Request(text, spans=[(2 * at, 2 * at + 1) for at in range(4000)]))
    assert len(found.units) == 4
    (idle, _) = found.warnings
    assert idle.startswith("the spans 8 to 9, 10 to 11, 12 to 13 and 3,993 more have no score")
    assert distinct_names(["same"] * 20_000)[-1] == "same (19999)"


def test_one_span_is_not_the_whole_text(words: Explainer) -> None:
    found = words.explain(Request(TEXT, spans=[(8, 12)])).interaction
    assert found is not None
    assert found.sentence == "The text is one unit."


def test_repr_names_model_task_and_device(embedded: Explainer, words: Explainer) -> None:
    assert repr(embedded) == "Explainer(model='minilm-sst2', task='classification', device='cpu')"
    assert repr(words) == "Explainer(model='weighted-words', task='classification', device='cpu')"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda explainer: pickle.loads(pickle.dumps(explainer))])
def test_a_copy_has_a_model_of_its_own(copied: Callable[[Explainer], Explainer]) -> None:
    explainer = Explainer(tiny.model("bert"), tiny.tokenizer("bert"), max_length=9, labels=["a", "b", "c"])
    before = explainer.explain(tiny.TEXTS[0])
    again = copied(explainer)
    assert again.model is not explainer.model
    assert repr(again) == repr(explainer)
    after = again.explain(tiny.TEXTS[0])
    assert (after.scores, after.outputs, after.model) == (before.scores, before.outputs, before.model)
    with torch.no_grad():
        again.model.get_input_embeddings().weight.zero_()  # the copy's own
    assert again.explain(tiny.TEXTS[0]).scores != before.scores
    assert explainer.explain(tiny.TEXTS[0]).scores == before.scores


@pytest.mark.parametrize("text", ["ภาพยนตร์เรื่องนี้ดีมาก", "good film 电影"])
def test_words_that_the_tokenizer_does_not_know_are_named(embedded: Explainer, text: str) -> None:
    found = embedded.explain(text)
    unknown = [unit for unit in found.units if unit.unknown]
    (warning,) = found.warnings
    assert warning.startswith(f"unknown to the tokenizer: {unknown[0].text!r}")
    assert f"({len(unknown)} of {len(found)} units)" in warning


def test_an_unknown_word_without_weight_is_not_named(embedded: Explainer) -> None:
    text = "It was a film 电 and one of the very best of them all, a wonderful story."
    found = embedded.explain(text)
    ((unit, score),) = [pair for pair in found if pair[0].unknown]
    assert unit.text == "电"
    assert abs(score) < max(map(abs, found.scores)) / 5
    assert found.warnings == ()


def test_one_unknown_word_is_named_where_it_matters() -> None:
    explainer, found = tiny.explainer("bert"), set[bool]()
    for text in tiny.TEXTS[:3]:
        explanation = explainer.explain(f"{text} {text} 电 {text}")  # one of more than twenty units
        ((_, score),) = [pair for pair in explanation if pair[0].unknown]
        matters = abs(score) >= max(map(abs, explanation.scores)) / 5
        assert bool(explanation.warnings) is matters
        found.add(matters)
    assert found == {True, False}


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16])
def test_sixteen_bits_on_a_cpu_are_named(kind: torch.dtype) -> None:
    model = tiny.model("bert").to(kind)
    explainer = Explainer(model, tiny.tokenizer("bert"))
    (warning,) = explainer.warnings()
    assert warning.startswith(f"the model is in {str(kind).removeprefix('torch.')} on a CPU: small scores are unrel")
    assert 'dtype="float32"' in warning
    assert warning in explainer.explain("a film").warnings
    assert Explainer(model.float(), tiny.tokenizer("bert")).warnings() == ()


def test_sixteen_bits_on_a_gpu_are_fine() -> None:
    model = FormulaModel.weighted_words({"good": 2.0})
    model.precision = torch.finfo(torch.float16).eps
    assert len(Explainer.from_adapter(model).warnings()) == 1
    model.device = torch.device("cuda")
    assert Explainer.from_adapter(model).warnings() == ()
