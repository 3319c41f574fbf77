"""Colors that can be read, and told apart."""

import math
from itertools import combinations

import pytest
from support.contrast import KINDS_OF_VISION, contrast, luminance, perceived

from unmask.errors import ArgumentError
from unmask.render.colored_spans import LEVELS
from unmask.render.theme import PALETTES, PLAIN, SERIES, Theme, quiet_style, series_style


@pytest.mark.parametrize("name", PALETTES)
def test_every_ink_is_readable_on_its_paper(name: str) -> None:
    chosen = PALETTES[name]
    for color in (*chosen.speaks_for, *chosen.speaks_against):
        assert contrast(color.ink, color.paper) >= 4.5  # WCAG AA


@pytest.mark.parametrize("name", PALETTES)
def test_stronger_is_darker(name: str) -> None:
    chosen = PALETTES[name]
    for side in (chosen.speaks_for, chosen.speaks_against):
        assert len(side) == LEVELS
        papers = [luminance(color.paper) for color in side]
        assert papers == sorted(papers, reverse=True)


def test_levels_choose_the_color() -> None:
    chosen = PALETTES["default"]
    assert chosen.color(0) == PLAIN
    assert chosen.color(1) == chosen.speaks_for[0]
    assert chosen.color(-LEVELS) == chosen.speaks_against[-1]
    with pytest.raises(ArgumentError, match="unknown palette 'red-gren'; did you mean 'red-green'"):
        Theme("red-gren")


def test_lines_are_seen_on_white_and_told_apart() -> None:
    assert all(contrast(color, "#ffffff") >= 3 for color in SERIES)  # WCAG's for what is drawn
    for seen in KINDS_OF_VISION.values():
        lab = [perceived(color, seen) for color in SERIES]
        assert min(math.dist(one, other) for one, other in combinations(lab, 2)) > 25


def test_series_differ_without_their_colors_and_with_them() -> None:
    styles = [series_style(at) for at in range(20)]
    assert len({(style.marker, style.dash) for style in styles}) == 20
    assert len({(style.color, style.dash) for style in styles}) == 20
    assert quiet_style(0).width < series_style(0).width
