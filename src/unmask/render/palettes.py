"""Colors for what speaks for the target and against it; every ink is readable on its paper, in any surroundings."""

from dataclasses import dataclass

from ..errors import unknown


@dataclass(frozen=True, slots=True)
class Color:
    """What is written, and what it is written on."""

    ink: str
    paper: str


PLAIN = Color("", "")


@dataclass(frozen=True, slots=True)
class Palette:
    """Colors from faint to strong, as many as a shade has levels."""

    speaks_for: tuple[Color, ...]
    speaks_against: tuple[Color, ...]

    def color(self, level: int) -> Color:
        """The color of a shade's level; none for level 0."""
        if not level:
            return PLAIN
        return (self.speaks_for if level > 0 else self.speaks_against)[abs(level) - 1]


def _colors(*papers: str) -> tuple[Color, ...]:
    return (*(Color("#000000", paper) for paper in papers[:-1]), Color("#ffffff", papers[-1]))


# Blue and orange are told apart by all common kinds of color vision, red and green are not.
PALETTES = {
    "default": Palette(
        _colors("#d1e5f0", "#92c5de", "#4393c3", "#2166ac"), _colors("#fee0b6", "#fdb863", "#e08214", "#a04d05")
    ),
    "red-green": Palette(
        _colors("#d9f0d3", "#a6dba0", "#5aae61", "#1b7837"), _colors("#fddbc7", "#f4a582", "#e2705a", "#b2182b")
    ),
}

# Of lines and points on white: dark enough to be seen, and far from each other in all common kinds of color vision.
SERIES = ("#0072b2", "#d55e00", "#6000e0", "#604020", "#c08080", "#1f2328")


def palette(name: str) -> Palette:
    """The palette of that name."""
    if name not in PALETTES:
        raise unknown("palette", name, PALETTES)
    return PALETTES[name]
