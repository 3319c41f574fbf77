"""Pairs of texts: each unit knows its text; scores agree with the definition; who lost what is said."""

from typing import Any

import pytest
import torch
from support import tiny

from unmask import Explainer, Explanation, Request
from unmask.errors import ArgumentError, TextError
from unmask.models.formula import FormulaModel

PREMISE, HYPOTHESIS = "the film is not bad at all", "it isn't a lovely film"


@torch.no_grad()
def logits(explainer: Explainer, masked: set[int]) -> Any:
    """The model itself on the pair, with tokens masked by their ids."""
    inputs = explainer.tokenizer(PREMISE, HYPOTHESIS, return_tensors="pt")
    for position in masked:
        inputs["input_ids"][0, position] = explainer.tokenizer.mask_token_id
    return explainer.model(**inputs).logits[0]


def positions(explainer: Explainer, explanation: Explanation) -> list[set[int]]:
    """Each unit's tokens, by the tokenizer's own account of the pair."""
    found = explainer.tokenizer(PREMISE, HYPOTHESIS, return_offsets_mapping=True)
    placed = list(zip(found.sequence_ids(0), found["offset_mapping"], strict=True))
    return [
        {
            at
            for at, (segment, (start, end)) in enumerate(placed)
            if segment == unit.segment and start < unit.end and unit.start < end
        }
        for unit in explanation.units
    ]


@pytest.mark.parametrize("architecture", ["bert", "roberta", "deberta-v3", "xlnet", "modernbert", "bart"])
def test_scores_agree_with_the_definition(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    explanation = explainer.explain(PREMISE, text_pair=HYPOTHESIS, target=1, scale="logit")
    whole = logits(explainer, set())
    expected = [float(whole[1] - logits(explainer, masked)[1]) for masked in positions(explainer, explanation)]
    assert explanation.scores == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert explanation.whole == pytest.approx(whole.tolist(), rel=1e-9)
    assert max(map(abs, expected)) > 0.1


def test_units_point_into_their_own_text() -> None:
    explanation = tiny.explainer("bert").explain(PREMISE, text_pair=HYPOTHESIS)
    assert (explanation.text, explanation.text_pair) == (PREMISE, HYPOTHESIS)
    by_segment = [[unit.text for unit in explanation.units if unit.segment == segment] for segment in (0, 1)]
    assert by_segment == [PREMISE.split(), HYPOTHESIS.split()]
    for unit in explanation.units:
        assert explanation.texts[unit.segment][unit.start : unit.end] == unit.text


def test_requests_with_and_without_a_pair_go_together() -> None:
    explainer = tiny.explainer("bert")
    requests: list[str | Request] = [
        Request(PREMISE, text_pair=HYPOTHESIS),
        PREMISE,
        Request(HYPOTHESIS, text_pair=PREMISE),
    ]
    for one, request in zip(explainer.explain_many(requests), requests, strict=True):
        assert one.scores == pytest.approx(explainer.explain(request).scores, rel=1e-9, abs=1e-12)


def test_token_types_tell_the_texts_apart() -> None:
    explainer = tiny.explainer("bert")
    pair = explainer.explain(Request("a film", text_pair="a film"))
    assert pair.scores[:2] != pytest.approx(pair.scores[2:], rel=1e-3)


@pytest.mark.parametrize(
    ("length", "unread", "unread_pair", "said"),
    [
        (15, 0, 0, None),
        (13, 9, 0, "tokens: the last 9 characters of the first text were"),
        (9, 18, 9, "the last 18 characters of the first text and the last 9 characters of the second text were"),
    ],
)
def test_truncation_says_which_text_lost_what(length: int, unread: int, unread_pair: int, said: str | None) -> None:
    explainer = Explainer(tiny.model("bert"), tiny.tokenizer("bert"), max_length=length)
    explanation = explainer.explain("the film the film the film the", text_pair="the film the film the")
    assert (explanation.truncated, explanation.unread, explanation.unread_pair) == (
        said is not None,
        unread,
        unread_pair,
    )
    if said:
        assert f"the pair was truncated to {length} tokens: " in explanation.warnings[-1]
        assert said in explanation.warnings[-1]


def test_only_the_longer_text_is_cut() -> None:
    explainer = Explainer(tiny.model("bert"), tiny.tokenizer("bert"), max_length=10)
    explanation = explainer.explain("the film", text_pair="the film " * 5)
    assert (explanation.unread, explanation.unread_pair > 0) == (0, True)
    assert "of the first text" not in explanation.warnings[-1]
    assert [unit.text for unit in explanation.units if unit.segment == 0] == ["the", "film"]


def test_a_pair_survives_json() -> None:
    explanation = tiny.explainer("bert").explain(PREMISE, text_pair=HYPOTHESIS)
    assert Explanation.from_dict(explanation.to_dict()) == explanation
    record = explanation.to_dict()
    assert record["text_pair"] == HYPOTHESIS
    assert {unit["segment"] for unit in record["units"]} == {0, 1}


def test_a_text_alone_has_no_pair_in_json_and_old_records_are_read() -> None:
    explanation = tiny.explainer("bert").explain(PREMISE)
    record = explanation.to_dict()
    assert record["text_pair"] is None
    record["schema"] = 1
    for name in ("text_pair", "unread_pair", "segments"):
        del record[name]
    for unit in record["units"]:
        del unit["segment"]
    assert Explanation.from_dict(record) == explanation


def test_pairs_of_a_closed_form() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}), max_length=3)
    explanation = explainer.explain("a good", text_pair="bad good")
    assert explanation.scores == pytest.approx((0.0, -2.0, 3.0))  # the prediction is negative
    assert (explanation.unread, explanation.unread_pair) == (0, 5)


def test_one_of_two_texts_may_be_empty_but_not_both() -> None:
    explainer = tiny.explainer("bert")
    assert {unit.segment for unit in explainer.explain("", text_pair="a film").units} == {1}
    assert {unit.segment for unit in explainer.explain("a film", text_pair="").units} == {0}
    with pytest.raises(TextError, match="no unit"):
        explainer.explain("", text_pair=" ")


def test_bad_pairs_are_clear_errors() -> None:
    explainer = tiny.explainer("bert")
    with pytest.raises(TextError, match="a text must be a str, not int"):
        explainer.explain("a film", text_pair=3)  # type: ignore[arg-type]
    with pytest.raises(TextError, match="lone surrogate"):
        explainer.explain("a film", text_pair="\ud800")
    with pytest.raises(ArgumentError, match="text_pair does not apply to a Request"):
        explainer.explain(Request("a film"), text_pair="a film")
    with pytest.raises(TextError, match="a text must be a str, not tuple") as error:
        explainer.explain(("a film", "a film"))  # type: ignore[arg-type]
    assert "Request(text, text_pair=...)" in str(error.value.hint)
