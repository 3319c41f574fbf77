"""What a text looks like on the way from its baseline."""

from typing import Any

import pytest
import tiny
import torch

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.methods import DIG
from unmask.models.closed_form import ClosedForm

TEXT = "a gripping film"


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return tiny.explainer("bert")


def test_every_way_leads_from_the_baseline_to_the_text(explainer: Explainer) -> None:
    found = explainer.ways(TEXT, word=1, stops=4)
    assert found.units == ("a", "gripping", "film")
    assert [way.method for way in found.ways] == ["ig", "dig", "sig"]
    for way in found.ways:
        assert [stop.share for stop in way.stops] == pytest.approx([0, 1 / 3, 2 / 3, 1])
        assert way.stops[-1].words == found.units
        assert way.stops[-1].unchanged == 1
        assert not any(way.stops[-1].is_changed)
        assert way.error >= 0
    for way in found.ways[:2]:
        assert way.stops[0].unchanged == 0
        assert set(" ".join(way.stops[0].words).split()) == {"[MASK]"}


def test_only_one_word_moves_under_sig(explainer: Explainer) -> None:
    for stop in explainer.ways(TEXT, word=1, stops=6).ways[2].stops:
        assert (stop.words[0], stop.words[2]) == ("a", "film")
        assert stop.is_changed[::2] == (False, False)


def test_the_model_says_at_the_ends_what_it_says_of_these_texts(explainer: Explainer) -> None:
    found = explainer.ways(TEXT, word=1)
    whole = explainer.explain(TEXT)
    masked = torch.softmax(torch.tensor(whole.at_baseline, dtype=torch.float64), -1).tolist()
    without = torch.softmax(torch.tensor((whole.without or ())[1], dtype=torch.float64), -1).tolist()
    for way in found.ways:
        assert way.stops[-1].probabilities == pytest.approx(list(whole.prediction.probabilities.values()), rel=1e-9)
        assert way.stops[-1].label == whole.prediction.label
    assert found.ways[0].stops[0].probabilities == pytest.approx(masked, rel=1e-9)
    assert found.ways[2].stops[0].probabilities == pytest.approx(without, rel=1e-9)


def test_the_error_is_the_mean_distance_to_the_nearest_word() -> None:
    adapter = ClosedForm.weighted_words({"far": 1.0, "near": 0.25})
    found = Explainer.from_adapter(adapter).ways("far", word=0, dig=DIG(steps=1, neighbors=3))
    between = [min(abs(at / 100 - word) for word in (0.0, 0.25, 1.0)) for at in range(101)]
    assert found.ways[0].error == pytest.approx(sum(between) / 101, rel=1e-9)
    assert found.ways[1].error == pytest.approx(0, abs=1e-12)  # over `near`, which is a word


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"word": 3}, "no such word: the text has 3"), ({"word": -1}, "word=-1"), ({"word": 0, "stops": 1}, "stops=1")],
)
def test_what_cannot_be_shown_is_refused(explainer: Explainer, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        explainer.ways(TEXT, **settings)
