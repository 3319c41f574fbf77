"""Sentences first, then words in those that matter most: what is shown is exact, the rest is not computed."""

import json
import math
from typing import Any

import pytest
from support import tiny_causal

from unmask import Contrast, Explainer, Explanation
from unmask.errors import ArgumentError

PROMPT = "the film is bad. a lovely friendship. not dull at all. isn't it?"
ANSWER = " not bad"


@pytest.fixture(scope="module")
def lm() -> Explainer:
    return tiny_causal.explainer("llama")


@pytest.mark.parametrize("method", ["sig", "leave_one_out"])
@pytest.mark.parametrize("rows", [None, 3, 100])
def test_words_of_the_largest_sentences(lm: Explainer, method: str, rows: int | None) -> None:
    settings: dict[str, Any] = {"continuation": ANSWER, "method": method}
    found = lm.explain(PROMPT, detail="sentence+word", detail_rows=rows, **settings)
    sentences, words = (lm.explain(PROMPT, unit=unit, **settings) for unit in ("sentence", "word"))
    assert found.units == sentences.units
    assert found.scores == pytest.approx(sentences.scores, abs=1e-12)
    inner = found.detail
    assert inner is not None
    assert (found.unit, inner.unit, inner.units) == ("sentence", "word", words.units)
    known = [at for at, score in enumerate(inner.scores) if not math.isnan(score)]
    assert len(known) == min(4 * len(sentences.units) if rows is None else rows, len(words.units))
    assert [inner.scores[at] for at in known] == pytest.approx([words.scores[at] for at in known], abs=1e-12)
    order = sorted(range(len(sentences)), key=lambda at: -abs(sentences.scores[at]))
    inside = [at for one in order for at, unit in enumerate(words.units) if within(unit, sentences.units[one])]
    assert sorted(inside[: len(known)]) == known
    assert found.passes.forward <= 2 + len(sentences.units) + len(known)
    record = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert Explanation.from_dict(record) == found
    assert [unit["score"] is None for unit in record["detail"]["units"]] == [math.isnan(one) for one in inner.scores]


def within(inner: Any, outer: Any) -> bool:
    return bool(outer.start <= inner.start and inner.end <= outer.end)


def test_detail_follows_the_target(lm: Explainer) -> None:
    found = lm.explain(PROMPT, continuation=ANSWER, detail="sentence+word", detail_rows=2).toward("bad")
    anew = lm.explain(PROMPT, continuation=ANSWER, unit="word", target="bad")
    assert found.detail is not None
    assert found.detail.target == "bad"
    for score, expected in zip(found.detail.scores, anew.scores, strict=True):
        assert math.isnan(score) or score == pytest.approx(expected, abs=1e-12)
    assert found.detail.interaction is None
    assert len(found.to_html()) > 1000
    assert len(found.detail.to_html()) > 1000


def test_what_detail_does_not_apply_to(lm: Explainer) -> None:
    with pytest.raises(ArgumentError, match="needs the method sig or leave_one_out, not 'shapley'"):
        lm.explain(PROMPT, continuation=ANSWER, detail="sentence+word", method="shapley")
    with pytest.raises(ArgumentError, match="detail is not supported for a contrast"):
        lm.explain(PROMPT, detail="sentence+word", target=Contrast(" bad", " dull"))
    with pytest.raises(ArgumentError, match=r"detail must be None or 'sentence\+word', not 'word'"):
        lm.explain(PROMPT, continuation=ANSWER, detail="word")
    with pytest.raises(ArgumentError, match="detail_rows=0"):
        lm.explain(PROMPT, continuation=ANSWER, detail="sentence+word", detail_rows=0)
