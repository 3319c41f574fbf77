"""Several named texts in one request, from the request to the file."""

from dataclasses import replace
from pathlib import Path

import pytest
from support import tiny

from unmask import Explainer, Explanation, Failure, Request
from unmask.errors import ArgumentError, TextError
from unmask.models.formula import FormulaModel
from unmask.results.metadata import SegmentInfo

SEGMENTS = [("question", "is it good"), ("context", "the film is not bad"), ("note", "so good")]
WEIGHTS = {"good": 2.0, "bad": -3.0, "not": 0.5, "so": 0.25}


@pytest.fixture
def words() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS))


def test_three_segments_are_explained_and_kept(words: Explainer, tmp_path: Path) -> None:
    explanation = words.explain(Request(segments=SEGMENTS), target="positive")
    texts = [text for _, text in SEGMENTS]
    assert explanation.texts == tuple(texts)
    assert (explanation.text, explanation.text_pair) == (texts[0], texts[1])
    for segment, text in enumerate(texts):
        units = [unit for unit in explanation.units if unit.segment == segment]
        assert [unit.text for unit in units] == text.split()
        assert all(text[unit.start : unit.end] == unit.text for unit in units)
    assert explanation.scores == tuple(WEIGHTS.get(unit.text, 0.0) for unit in explanation.units)
    record = explanation.to_dict()
    assert record["segments"] == [{"name": name, "text": text, "unread": 0} for name, text in SEGMENTS]
    explanation.save(tmp_path / "three.json")
    assert Explanation.load(tmp_path / "three.json") == explanation


def test_a_pair_is_two_segments(words: Explainer) -> None:
    pair = words.explain("a good film", text_pair="not bad")
    assert [segment.name for segment in pair.segments] == ["first text", "second text"]
    named = words.explain(Request(segments=[("premise", "a good film"), ("hypothesis", "not bad")]))
    assert (named.scores, named.units) == (pair.scores, pair.units)


def test_a_classifier_reads_no_more_than_two() -> None:
    explainer = tiny.explainer("bert")
    (failed,) = explainer.attempts([Request(segments=SEGMENTS)])
    assert isinstance(failed, Failure)
    assert isinstance(failed.error, ArgumentError)
    assert "one text or a pair; the request has 3 segments" in str(failed.error)
    two = explainer.explain(Request(segments=SEGMENTS[:2]))
    assert two.scores == explainer.explain(SEGMENTS[0][1], text_pair=SEGMENTS[1][1]).scores


def test_spans_and_what_is_fixed_in_a_third_segment(words: Explainer) -> None:
    request = Request(segments=SEGMENTS, spans=[(0, 7, 2), (6, 10)], fixed=[(12, 15, 1)])
    explanation = words.explain(request, target="positive")
    assert [(unit.text, unit.segment) for unit in explanation.units] == [("good", 0), ("so good", 2)]
    assert [(unit.text, unit.segment) for unit in explanation.fixed] == [("not", 1)]
    assert explanation.scores == (2.0, 2.25)


def test_messages_name_the_segment(words: Explainer) -> None:
    idle = words.explain(Request(segments=SEGMENTS, spans=[(6, 10), (2, 3, 2)]))
    assert idle.warnings[0].startswith("the spans 2 to 3 of the note have no score")
    with pytest.raises(ArgumentError, match="3 to 9 of the question and 5 to 7 of the question overlap"):
        words.explain(Request(segments=SEGMENTS, spans=[(3, 9), (5, 7)]))
    with pytest.raises(ArgumentError, match=r"refers to text 3: texts are counted from 0 \(question, context, note\)"):
        words.explain(Request(segments=SEGMENTS, spans=[(0, 1, 3)]))


def test_truncation_names_the_segments_that_were_cut() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS), max_length=6)
    explanation = explainer.explain(Request(segments=SEGMENTS))
    assert explanation.truncated
    assert [segment.unread for segment in explanation.segments] == [0, 8, 7]
    assert explanation.warnings[-1] == (
        "the request was truncated to 6 tokens: the last 8 characters of the context and the last 7 characters of the "
        "note were not read and are not explained"
    )


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ([], "at least one segment"),
        ([("", "a")], "every segment needs a name"),
        ([("a", "x"), ("a", "y")], "different names"),
        (["text"], "must be names and texts"),
        (5, "must be names and texts"),
    ],
)
def test_what_are_no_segments_is_refused_at_once(segments: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Request(segments=segments)  # type: ignore[arg-type]


def test_a_request_has_a_text_or_segments() -> None:
    with pytest.raises(ArgumentError, match="not both"):
        Request("a film", segments=SEGMENTS)
    with pytest.raises(TextError, match="must be a str, not NoneType"):
        Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS)).explain(Request())


def test_requests_are_values() -> None:
    request = Request("good", text_pair="bad", spans=[(0, 4)])
    assert replace(request, target="positive") == Request("good", "positive", "bad", spans=[(0, 4)])
    assert {request: 1}[Request("good", text_pair="bad", spans=iter([(0, 4)]))] == 1


def test_an_explanation_of_no_text_is_refused(words: Explainer) -> None:
    with pytest.raises(ArgumentError, match="at least one text"):
        replace(words.explain("good"), segments=())
    assert replace(words.explain("good"), segments=(SegmentInfo("good", unread=3),)).unread == 3
