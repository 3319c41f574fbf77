"""Equal words in a list are told apart by what is around them."""

import pytest

from unmask.render.colored_spans import ColoredSpan
from unmask.render.unit_names import unit_names


@pytest.mark.parametrize(
    ("text", "listed", "names"),
    [
        ("a film and a letdown", [0, 3], ["a (film)", "a (letdown)"]),
        ("a film and a letdown", [3, 1], ["a (letdown)", "film"]),  # in the order of the list
        ("good film , bad film .", [1, 4], ["film (bad)", "film"]),
        ("so good so good so", [1, 3], ["good (#1)", "good (#2)"]),
        ("very good film and good film", [1, 4], ["good (after very)", "good (after and)"]),
    ],
)
def test_names(text: str, listed: list[int], names: list[str]) -> None:
    units = [ColoredSpan(word, 1.0) for word in text.split()]
    assert list(unit_names(units, listed).values()) == names


def test_words_of_two_texts_are_told_apart_by_their_text() -> None:
    units = [ColoredSpan("film", 1.0), ColoredSpan("film", 1.0, segment=1)]
    assert unit_names(units, [0, 1]) == {0: "film", 1: "film"}
