"""What a text looks like on the path from its baseline."""

from typing import Any

import pytest
import torch
from support import tiny

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.methods import DIG
from unmask.models.formula import FormulaModel

TEXT = "a gripping film"


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return tiny.explainer("bert")


def test_every_way_leads_from_the_baseline_to_the_text(explainer: Explainer) -> None:
    found = explainer.paths(TEXT, word=1, points=4)
    assert found.units == ("a", "gripping", "film")
    assert [path.method for path in found.paths] == ["ig", "dig", "sig"]
    for path in found.paths:
        assert [point.share for point in path.points] == pytest.approx([0, 1 / 3, 2 / 3, 1])
        assert path.points[-1].words == found.units
        assert path.points[-1].unchanged == 1
        assert not any(path.points[-1].is_changed)
        assert path.error >= 0
    for path in found.paths[:2]:
        assert path.points[0].unchanged == 0
        assert set(" ".join(path.points[0].words).split()) == {"[MASK]"}


def test_only_one_word_moves_under_sig(explainer: Explainer) -> None:
    for point in explainer.paths(TEXT, word=1, points=6).paths[2].points:
        assert (point.words[0], point.words[2]) == ("a", "film")
        assert point.is_changed[::2] == (False, False)


def test_the_model_says_at_the_ends_what_it_says_of_these_texts(explainer: Explainer) -> None:
    found = explainer.paths(TEXT, word=1)
    whole = explainer.explain(TEXT)
    masked = torch.softmax(torch.tensor(whole.at_baseline, dtype=torch.float64), -1).tolist()
    without = torch.softmax(torch.tensor((whole.without or ())[1], dtype=torch.float64), -1).tolist()
    for path in found.paths:
        assert path.points[-1].probabilities == pytest.approx(list(whole.prediction.probabilities.values()), rel=1e-9)
        assert path.points[-1].label == whole.prediction.label
    assert found.paths[0].points[0].probabilities == pytest.approx(masked, rel=1e-9)
    assert found.paths[2].points[0].probabilities == pytest.approx(without, rel=1e-9)


def test_the_error_is_the_mean_distance_to_the_nearest_word() -> None:
    adapter = FormulaModel.weighted_words({"far": 1.0, "near": 0.25})
    found = Explainer.from_adapter(adapter).paths("far", word=0, dig=DIG(steps=1, neighbors=3))
    between = [min(abs(at / 100 - word) for word in (0.0, 0.25, 1.0)) for at in range(101)]
    assert found.paths[0].error == pytest.approx(sum(between) / 101, rel=1e-9)
    assert found.paths[1].error == pytest.approx(0, abs=1e-12)  # over `near`, which is a word


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"word": 3}, "no such word: the text has 3"), ({"word": -1}, "word=-1"), ({"word": 0, "points": 1}, "points=1")],
)
def test_what_cannot_be_shown_is_refused(explainer: Explainer, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        explainer.paths(TEXT, **settings)
