"""The plot of a chart on a figure of matplotlib: its place, its points, its ticks and labels that fit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .canvas import DPI
from .escape import shown
from .theme import BACKGROUNDS, SeriesStyle

LIGHT = BACKGROUNDS["light"]
WIDTH = 360.0  # of every chart, in pixels
SMALL, LABEL, TITLE = 7.2, 7.6, 9.0  # points
LETTER = 0.86  # pixels for each point of size: how wide a letter is, about


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one chart in a figure; `tips` are shown on hover, by the `gid` of an artist."""

    figure: Figure
    left: float
    top: float
    height: float
    tips: dict[str, str]

    def plot(self, *, left: float, right: float, top: float, bottom: float) -> Axes:
        """Axes with these margins, without a frame."""
        whole_width, whole_height = self.figure.get_size_inches() * DPI
        lower = whole_height - self.top - self.height + bottom
        size = (WIDTH - left - right) / whole_width, (self.height - top - bottom) / whole_height
        axes = self.figure.add_axes(((self.left + left) / whole_width, lower / whole_height, *size), facecolor="none")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, colors=LIGHT.quiet, labelsize=SMALL)
        return axes

    def point(
        self, axes: Axes, x: float, y: float, style: SeriesStyle, tip: str, *, is_hollow: bool = False, **more: Any
    ) -> None:
        """One point of a series; a hollow one is not to be compared with the others."""
        name = f"tip-{len(self.tips)}"
        self.tips[name] = tip
        fill, edge, width = (LIGHT.paper, style.color, 0.9) if is_hollow else (style.color, LIGHT.paper, 0.5)
        look: dict[str, Any] = {"markerfacecolor": fill, "markeredgecolor": edge, "markeredgewidth": width, **more}
        axes.plot([x], [y], marker=style.marker, linestyle="", markersize=4.4, gid=name, clip_on=False, **look)


def cut(text: str, width: float, *, size: float = LABEL) -> str:
    """The text in one line, cut where it is too long for a width in pixels.

    >>> cut("gradient_shap", 40.0)
    'gradi…'
    """
    safe, most = shown(text).replace("\n", " "), max(1, int(width / (LETTER * size)))
    return safe if len(safe) <= most else f"{safe[: most - 1]}…"


def ticks(low: float, high: float, *, most: int = 6) -> list[float]:
    """Round numbers from at or below the lowest to at or above the highest.

    >>> ticks(-0.03, 0.47), ticks(-2.3, -0.1), ticks(0.5, 0.5)
    ([-0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [-2.5, -2.0, -1.5, -1.0, -0.5, 0.0], [0.5, 0.6])
    """
    reach = (high - low) or 0.1
    power = 10.0 ** math.floor(math.log10(reach / most))
    step = next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor * most >= reach * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(at * step, 12) + 0.0 for at in range(first, max(last, first + 1) + 1)]


def tick_labels(values: Sequence[float]) -> list[str]:
    """The ticks as they are written, all with the same digits.

    >>> tick_labels([-0.5, 0.0, 0.5]), tick_labels([0.0, 20.0])
    (['−0.5', '0.0', '0.5'], ['0', '20'])
    """
    step = min((later - value for value, later in pairwise(values)), default=1.0)
    digits = max(0, math.ceil(-math.log10(step) - 1e-9))
    return [f"{value:.{digits}f}".replace("-", "−") for value in values]


def apart(places: Sequence[float], *, least: float, bottom: float) -> list[float]:
    """Places near the given ones, with room between all of them and none below the bottom.

    >>> apart([12.0, 10.0, 50.0], least=10.0, bottom=45.0)
    [20.0, 10.0, 45.0]
    """
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = list(places)
    for above, at in pairwise(order):
        moved[at] = max(moved[at], moved[above] + least)
    for at in reversed(order):
        moved[at] = min(moved[at], bottom)
        bottom = moved[at] - least
    return moved
