"""Two levels of a classifier's text: every score that is shown is that of the full explanation; the rest is null."""

import json
import math
from typing import Any

import pytest

from unmask import Explainer, Explanation, Request
from unmask.errors import ArgumentError
from unmask.models.formula import FormulaModel

WEIGHTS = {"good": 2.0, "bad": -3.0, "dull": -1.0, "fine": 0.5, "film": 0.25}
TEXT = "A fine film. Not good, not bad. The plot is dull. I like it."


@pytest.fixture(scope="module")
def weighted() -> Explainer:
    """Scores are weights, whatever else is masked."""
    return Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS))


def computed(explanation: Explanation) -> dict[str, float]:
    inner = explanation.detail
    assert inner is not None
    return {unit.text: score for unit, score in inner if not math.isnan(score)}


@pytest.mark.parametrize(("budget", "words"), [({"rows": 12}, 6), ({"rows": 3}, 0), ({"detail_rows": 7}, 7), ({}, 16)])
def test_words_of_the_sentences_that_matter_most(weighted: Explainer, budget: dict[str, int], words: int) -> None:
    explanation = weighted.explain(TEXT, target="positive", detail="sentence+word", **budget)  # type: ignore[arg-type]
    assert explanation.scores == pytest.approx([0.75, -1.0, -1.0, 0.0])
    assert [unit.text for unit in explanation.units][1] == "Not good, not bad."
    found = computed(explanation)
    assert found == {word: WEIGHTS.get(word, 0.0) for word in found}
    inner = explanation.detail
    assert inner is not None
    known = [at for at, score in enumerate(inner.scores) if not math.isnan(score)]
    assert len(known) == words
    assert explanation.passes.forward == 2 + 4 + words
    order = [*range(4, 10), *range(10, 15), *range(4), *range(15, 19)]  # by sentence, the largest first
    assert sorted(order[:words]) == known
    assert explanation.sets is None


def test_a_record_has_null_for_what_was_not_computed(weighted: Explainer) -> None:
    explanation = weighted.explain(TEXT, detail="sentence+word", rows=10)
    record = json.loads(json.dumps(explanation.to_dict(), allow_nan=False))
    assert Explanation.from_dict(record) == explanation
    scores = [unit["score"] for unit in record["detail"]["units"]]
    assert scores.count(None) == len(scores) - 4
    page = explanation.to_html()
    assert page.count('title="not computed"') == 2 * scores.count(None)  # for both labels
    assert f"4 of {len(scores)} words" in page


def test_time_limits_the_words_not_the_sentences(weighted: Explainer) -> None:
    none = weighted.explain(TEXT, detail="sentence+word", seconds=1e-9)
    assert none.scores == pytest.approx(weighted.explain(TEXT, unit="sentence").scores)
    assert computed(none) == {}
    everything = weighted.explain(TEXT, detail="sentence+word", seconds=600)
    assert everything.detail is not None
    assert everything.detail.scores == pytest.approx(weighted.explain(TEXT).scores)


def test_windows_and_two_levels_together() -> None:
    of = Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS), max_length=8)
    full = of.explain(TEXT, long="windows", target="positive")
    explanation = of.explain(TEXT, long="windows", target="positive", detail="sentence+word", rows=30)
    assert explanation.windows is not None
    assert explanation.windows == of.explain(TEXT, long="windows", unit="sentence", target="positive").windows
    assert explanation.passes.forward <= 30
    inner = explanation.detail
    assert inner is not None
    assert inner.window_scores is not None
    assert full.window_scores is not None
    for at, score in enumerate(inner.scores):
        assert math.isnan(score) is math.isnan(inner.window_scores[at])
        if not math.isnan(score):
            assert score == pytest.approx(full.scores[at])
            assert inner.window_scores[at] == pytest.approx(full.window_scores[at])
    assert Explanation.from_dict(json.loads(json.dumps(explanation.to_dict(), allow_nan=False))) == explanation


def test_the_estimate_counts_both_levels(weighted: Explainer) -> None:
    assert weighted.estimate([TEXT], detail="sentence+word", rows=12).passes == 12
    assert weighted.estimate([TEXT], detail="sentence+word", rows=3).passes == 6


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rows": 5}, "rows needs detail='sentence"),
        ({"seconds": 1.0}, "seconds needs detail='sentence"),
        ({"detail": "sentence+word", "rows": 5, "seconds": 1.0}, "give rows or seconds, not both"),
        ({"detail": "sentence+word", "rows": 0}, "rows=0: expected a whole number of at least 1"),
        ({"detail": "sentence+word", "seconds": -1}, "seconds=-1: expected a number above 0"),
        ({"detail": "word"}, "detail must be None or 'sentence"),
        ({"detail": "sentence+word", "method": "shapley"}, "needs the method sig or leave_one_out"),
    ],
)
def test_budgets_that_are_refused(weighted: Explainer, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        weighted.explain(TEXT, **settings)


def test_given_spans_are_refused(weighted: Explainer) -> None:
    with pytest.raises(ArgumentError, match="remove spans"):
        weighted.explain(Request(TEXT, spans=[(0, 4)]), detail="sentence+word")
