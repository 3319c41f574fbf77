"""Agreement with people against slow references, and who counts as people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import slow_metrics

from unmask.errors import ArgumentError
from unmask.metrics.plausibility import Annotation, agreed_spans, auprc, f1, iou_parts, marked_units, token_f1
from unmask.text.spans import Span

marks = st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.0])), min_size=1)


@given(marks)
def test_all_three_are_those_of_the_definition(rows: list[tuple[bool, bool, float]]) -> None:
    truth, chosen, scores = (list(column) for column in zip(*rows, strict=True))
    assert token_f1(truth, chosen) == pytest.approx(slow_metrics.token_f1(truth, chosen))
    assert iou_parts(truth, chosen) == pytest.approx(slow_metrics.iou_parts(truth, chosen))
    if any(truth):
        assert auprc(truth, scores) == pytest.approx(slow_metrics.auprc(truth, scores))


def test_equal_scores_are_chosen_together() -> None:
    assert auprc([True, False], [1.0, 1.0]) == auprc([False, True], [1.0, 1.0]) == 0.75


def test_the_words_that_more_than_half_of_those_who_are_right_marked() -> None:
    text = "a  gripping film"
    people = [
        Annotation((False, True, True), "positive"),
        Annotation((False, True, False), "positive"),
        Annotation((True, False, True), "negative"),
    ]
    assert agreed_spans(text, people, gold="positive") == (Span(3, 11),)
    assert agreed_spans(text, people, gold=None) == (Span(3, 11), Span(12, 16))
    assert agreed_spans(text, people, gold="neutral") == ()
    with pytest.raises(ArgumentError, match="a rationale has 3 marks, but the text has 2 words"):
        agreed_spans("two words", people, gold=None)


def test_a_unit_is_marked_where_it_holds_a_character_of_a_marked_word() -> None:
    units = [Span(0, 4), Span(5, 9), Span(9, 10)]  # "very good!", of which "good!" was marked
    assert marked_units(units, [Span(5, 10)]) == (False, True, True)


def test_the_harmonic_mean() -> None:
    assert [f1(0.0, 0.0), f1(1.0, 0.5)] == pytest.approx([0, 2 / 3])
