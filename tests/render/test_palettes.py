"""Colors that can be read, and told apart."""

import pytest

from unmask.errors import ArgumentError
from unmask.render.palettes import PALETTES, PLAIN, Color, palette
from unmask.render.shades import LEVELS


def luminance(color: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(color: Color) -> float:
    dark, light = sorted(map(luminance, (color.ink, color.paper)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", PALETTES)
def test_every_ink_is_readable_on_its_paper(name: str) -> None:
    chosen = palette(name)
    for color in (*chosen.speaks_for, *chosen.speaks_against):
        assert contrast(color) >= 4.5  # WCAG AA


@pytest.mark.parametrize("name", PALETTES)
def test_stronger_is_darker(name: str) -> None:
    chosen = palette(name)
    for side in (chosen.speaks_for, chosen.speaks_against):
        assert len(side) == LEVELS
        papers = [luminance(color.paper) for color in side]
        assert papers == sorted(papers, reverse=True)


def test_levels_choose_the_color() -> None:
    chosen = palette("default")
    assert chosen.color(0) == PLAIN
    assert chosen.color(1) == chosen.speaks_for[0]
    assert chosen.color(-LEVELS) == chosen.speaks_against[-1]
    with pytest.raises(ArgumentError, match="unknown palette 'red-gren'; did you mean 'red-green'"):
        palette("red-gren")
