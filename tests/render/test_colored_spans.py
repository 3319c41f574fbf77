"""The neutral form of a drawing."""

from dataclasses import replace

import pytest

from unmask import Explainer, Explanation
from unmask.models.formula import FormulaModel
from unmask.render.colored_spans import ColoredSpan, colored_spans, colored_units


@pytest.fixture
def explanation() -> Explanation:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -1.0}))
    return explainer.explain("  good,\nbad film ")


def test_the_pieces_are_the_text(explanation: Explanation) -> None:
    assert "".join(shade.text for shade in colored_spans(explanation)) == explanation.text


def test_each_text_of_a_pair_has_its_own_pieces() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -1.0}))
    pair = explainer.explain("a good film", text_pair="good, bad", target="positive")
    assert "".join(shade.text for shade in colored_spans(pair)) == "a good film"
    assert pair.together == 3.0
    assert [(shade.text, shade.strength) for shade in colored_spans(pair, 1)] == [
        ("good", pytest.approx(2 / 3)),
        (",", 0.0),
        (" ", 0.0),
        ("bad", pytest.approx(-1 / 3)),
    ]


def test_strengths_are_relative_to_the_largest_score(explanation: Explanation) -> None:
    strengths = {shade.text: shade.strength for shade in colored_spans(explanation) if shade.score is not None}
    assert strengths == {"good": 1.0, ",": 0.0, "bad": -0.5, "film": 0.0}


def test_a_text_in_which_no_word_matters_alone_is_pale(explanation: Explanation) -> None:
    redundant = replace(explanation, scores=(-0.05, -0.05, 0.04, 0.0), at_baseline=(0.0, -5.0))
    assert redundant.together == 6.0
    assert all(shade.level == 0 for shade in colored_spans(redundant))


def test_all_zero_is_plain(explanation: Explanation) -> None:
    nothing = replace(explanation, scores=(0.0,) * 4, whole=(0.0, 0.0), at_baseline=(0.0, 0.0))
    assert {shade.strength for shade in colored_spans(nothing)} == {0.0}


@pytest.mark.parametrize(
    ("strength", "level"),
    [(0.0, 0), (0.049, 0), (0.05, 1), (0.24, 1), (0.25, 2), (0.5, 3), (0.99, 4), (1.0, 4), (-0.3, -2), (-1.0, -4)],
)
def test_levels(strength: float, level: int) -> None:
    assert ColoredSpan("x", 1.0, strength).level == level


def test_punctuation_needs_more_weight() -> None:
    assert [ColoredSpan(text, 1.0, 0.08).level for text in ("x", "7", ",", "...")] == [1, 1, 0, 0]
    assert ColoredSpan("!", 1.0, -0.1).level == -1


def test_marks_are_the_papers(explanation: Explanation) -> None:
    marked = replace(explanation, scores=(-9.0, 0.5, 2.0, 1.0))
    assert [shade.mark for shade in colored_units(marked)] == [None, None, "most", None]  # by sign, not by size
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"b": 3.0, "d": 2.0, "f": 1.0}))
    found = colored_units(explainer.explain("a b c d e f g h", target="positive"))
    assert {shade.text: shade.mark for shade in found if shade.mark} == {"b": "most", "d": "top"}  # 1.6 of 8: two


def test_normalized_scores_are_the_explanations(explanation: Explanation) -> None:
    assert tuple(shade.normalized for shade in colored_units(explanation)) == explanation.normalized
