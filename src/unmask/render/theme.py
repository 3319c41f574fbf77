"""Palettes, styles, light and dark backgrounds, and the line styles of charts."""

from dataclasses import dataclass
from typing import Literal, get_args

from ..errors import check_known

Style = Literal["shades", "paper"]  # units colored by score, or marked as in the paper's tables
Mode = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Color:
    """Text color (`ink`) and background color (`paper`)."""

    ink: str
    paper: str


PLAIN = Color("", "")


@dataclass(frozen=True, slots=True)
class Palette:
    """Colors from faint to strong, one per level."""

    speaks_for: tuple[Color, ...]
    speaks_against: tuple[Color, ...]

    def color(self, level: int) -> Color:
        """The color of a level; `PLAIN` for level 0."""
        if not level:
            return PLAIN
        return (self.speaks_for if level > 0 else self.speaks_against)[abs(level) - 1]

    @property
    def on_dark(self) -> "Palette":
        """The palette for a dark background, on which stronger colors are lighter."""
        return Palette(*map(_on_dark, (self.speaks_for, self.speaks_against)))


@dataclass(frozen=True, slots=True)
class Background:
    """The colors around the units."""

    paper: str
    ink: str
    quiet: str  # secondary text
    line: str  # separators
    accent: str  # links and focus
    bar: str


BACKGROUNDS: dict[Mode, Background] = {
    "light": Background("#ffffff", "#1c1e22", "#585e68", "#dcdfe4", "#0b57d0", "#6b7280"),
    "dark": Background("#16181d", "#e6e8eb", "#a9b0bb", "#3b414b", "#8ab4f8", "#9aa2ae"),
}


def _on_dark(colors: tuple[Color, ...]) -> tuple[Color, ...]:
    _, second, third, strongest = colors
    pairs = zip(bytes.fromhex(strongest.paper[1:]), bytes.fromhex(BACKGROUNDS["dark"].paper[1:]), strict=True)
    mixed = bytes((one + other) // 2 for one, other in pairs)
    return Color("#ffffff", f"#{mixed.hex()}"), strongest, third, second


def _colors(*papers: str) -> tuple[Color, ...]:
    return (*(Color("#000000", paper) for paper in papers[:-1]), Color("#ffffff", papers[-1]))


# Blue and orange are distinguishable with all common types of color vision; red and green are not.
PALETTES = {
    "default": Palette(
        _colors("#d1e5f0", "#92c5de", "#4393c3", "#2166ac"), _colors("#fee0b6", "#fdb863", "#e08214", "#a04d05")
    ),
    "red-green": Palette(
        _colors("#d9f0d3", "#a6dba0", "#5aae61", "#1b7837"), _colors("#fddbc7", "#f4a582", "#e2705a", "#b2182b")
    ),
}


@dataclass(frozen=True, slots=True)
class Theme:
    """The look of a drawing. Unknown names raise an error."""

    palette: str = "default"
    style: str = "shades"
    mode: str = "light"

    def __post_init__(self) -> None:
        for name, known in (("palette", tuple(PALETTES)), ("style", get_args(Style)), ("mode", get_args(Mode))):
            check_known(name, [getattr(self, name)], known)

    @property
    def colors(self) -> Palette:
        """The palette, for the theme's background."""
        return PALETTES[self.palette].on_dark if self.mode == "dark" else PALETTES[self.palette]

    @property
    def background(self) -> Background:
        """The colors around the units."""
        return BACKGROUNDS["dark" if self.mode == "dark" else "light"]

    @property
    def is_colored(self) -> bool:
        """Whether units are colored rather than marked."""
        return self.style == "shades"


DEFAULT = Theme()


# For lines and points on white: visible, and distinct with all common kinds of color vision.
SERIES = ("#0072b2", "#d55e00", "#6000e0", "#604020", "#c08080", "#1f2328")
MARKERS = ("o", "s", "^", "D", "v", "P", "*")
# With 5 dashes, 7 markers and 6 colors, styles repeat late because these counts share no divisor.
DASHES: tuple[tuple[float, ...] | None, ...] = (None, (4, 2), (1.5, 1.5), (5, 2, 1.5, 2), (7, 3))


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """The style of a series, which differs from others in marker and dashes, not only in color."""

    color: str
    marker: str
    dash: tuple[float, ...] | None = None
    width: float = 1.3


def series_style(at: int) -> SeriesStyle:
    """The style of the series at this index."""
    return SeriesStyle(SERIES[at % len(SERIES)], MARKERS[at % len(MARKERS)], DASHES[at % len(DASHES)])


def quiet_style(at: int) -> SeriesStyle:
    """The style of a reference series."""
    return SeriesStyle(BACKGROUNDS["light"].bar, MARKERS[at % len(MARKERS)], (1, 2.5), width=0.9)
