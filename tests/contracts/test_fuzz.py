"""Arbitrary Unicode through the front door: an explanation that holds together, or an error of ours."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import tiny

from unmask import Explainer, Explanation, Request
from unmask.errors import ArgumentError, TextError
from unmask.models.formula import FormulaModel

ANY = st.text(st.one_of(st.characters(), st.characters(categories=["Cs"]), st.sampled_from("a \n.'\u200d\u0301中ก")))
SPANS = st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 9), st.integers(0, 2)), max_size=3)


@cache
def subject(name: str) -> Explainer:
    if name == "closed form":
        return Explainer.from_adapter(FormulaModel.weighted_words({"a": 1.0}))
    return Explainer(tiny.model(name), tiny.tokenizer(name), max_length=24)


def check(explainer: Explainer, request: Request, unit: str) -> None:
    try:
        explanation = explainer.explain(request, unit=unit)
    except (TextError, ArgumentError):
        return
    assert len(explanation.units) == len(explanation.scores) > 0
    for unit_found in explanation.units:
        assert explanation.texts[unit_found.segment][unit_found.start : unit_found.end] == unit_found.text != ""
    assert Explanation.from_dict(explanation.to_dict()) == explanation


@pytest.mark.slow
@pytest.mark.parametrize("name", ["closed form", "bert"])
@given(text=ANY, unit=st.sampled_from(["word", "token", "sentence"]))
@settings(max_examples=1000, deadline=None)
def test_any_text(name: str, text: str, unit: str) -> None:
    check(subject(name), Request(text), unit)


@pytest.mark.parametrize("name", ["closed form", "bert"])
@given(text=ANY, text_pair=st.none() | ANY, spans=st.none() | SPANS, fixed=SPANS)
@settings(max_examples=300, deadline=None)
def test_any_request(
    name: str, text: str, text_pair: str | None, spans: list[tuple[int, int, int]] | None, fixed: list[tuple[int, ...]]
) -> None:
    check(subject(name), Request(text, text_pair=text_pair, spans=spans, fixed=fixed), "word")
