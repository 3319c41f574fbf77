"""A line chart: one line for each series, its name at its right end."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..escape import shown
from ..theme import SeriesStyle
from .axes import apart, tick_labels
from .sheet import LABEL, LIGHT, SMALL, WIDTH, Place, alone, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 262.0
LEFT, RIGHT, TOP = 44.0, 108.0, 36.0  # beside the plot
BOTTOM, MORE = 40.0, 11.0  # below it, and for a second line of ticks
NAME = 13.0  # from name to name


@dataclass(frozen=True, slots=True)
class Point:
    """A number and what is said of it on hover."""

    x: float
    y: float
    said: str


@dataclass(frozen=True, slots=True)
class Series:
    """One line."""

    name: str
    points: tuple[Point, ...]
    style: SeriesStyle


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """What a line chart shows.

    Args:
        across: Places of the ticks, what is written at each, and in a second line below it.
        up: Places of the ticks, which the plot ends with.
    """

    title: str
    description: str
    bottom: str  # what stands below the axis
    across: tuple[tuple[float, str, str], ...]
    up: tuple[float, ...]
    series: tuple[Series, ...]

    @property
    def height(self) -> float:
        """More where there are many names."""
        return max(HEIGHT, TOP + self._below + NAME * len(self.series))

    def svg(self) -> str:
        """The chart alone."""
        return alone(self, self.description)

    def draw(self, place: Place) -> None:
        """Draw it into its place."""
        axes = place.plot(left=LEFT, right=RIGHT, top=TOP, bottom=self._below)
        xs = [x for x, *_ in self.across]
        margin = (max(xs) - min(xs)) * 0.03 or 0.5
        axes.set(xlim=(min(xs) - margin, max(xs) + margin), ylim=(self.up[0], self.up[-1]))
        axes.set_xticks(xs, [shown("\n".join(filter(None, labels))) for _, *labels in self.across])
        axes.set_yticks(self.up, tick_labels(self.up))
        axes.set_xlabel(shown(self.bottom), fontsize=SMALL, color=LIGHT.quiet, labelpad=2)
        for value in self.up:
            axes.axhline(value, lw=0.6, color=LIGHT.line if value else LIGHT.bar, zorder=0)
        for order, series in enumerate(reversed(self.series)):  # the first on top, single points above all lines
            _draw_series(axes, place, series, zorder=2 + order + 100 * (len(series.points) == 1))
        self._names(axes, place)

    @property
    def _below(self) -> float:
        return BOTTOM + MORE * any(more for *_, more in self.across)

    def _names(self, axes: "Axes", place: Place) -> None:
        """Each series by its name, as near to its end as the others let it; a single point beside itself."""
        height, right = self.height - TOP - self._below, max(x for x, *_ in self.across)
        lines = [series for series in self.series if len(series.points) > 1]
        ends = [height * (1 - self._share_up(series.points[-1].y)) for series in lines]
        inside: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False}
        for series, end, middle in zip(lines, ends, apart(ends, least=NAME, bottom=height - 4), strict=True):
            if series.points[-1].x == right:  # a line that ends elsewhere is known by its points
                axes.plot([0.99, 1.05], [1 - end / height, 1 - middle / height], lw=0.4, color=LIGHT.bar, **inside)
            place.point(axes, 1.08, 1 - middle / height, series.style, series.name, transform=axes.transAxes)
            name = cut(series.name, RIGHT - 26)
            axes.text(1.115, 1 - middle / height, name, va="center", size=LABEL, color=LIGHT.ink, **inside)
        for series in self.series:
            if len(series.points) == 1:
                self._name_beside(axes, series)

    def _name_beside(self, axes: "Axes", series: Series) -> None:
        point, (low, high) = series.points[0], axes.get_xlim()
        has_room = (point.x - low) / (high - low) * (WIDTH - LEFT - RIGHT) > len(series.name) * SMALL
        offset, side = (-5, "right") if has_room else (5, "left")
        look: dict[str, Any] = {"va": "center", "ha": side, "size": SMALL, "color": LIGHT.ink}
        axes.annotate(shown(series.name), (point.x, point.y), (offset, 0), textcoords="offset points", **look)

    def _share_up(self, value: float) -> float:
        low, high = self.up[0], self.up[-1]
        return (value - low) / (high - low) if high > low else 0.5


def _draw_series(axes: "Axes", place: Place, series: Series, *, zorder: float) -> None:
    style = series.style
    if len(series.points) > 1:
        xs, ys = [point.x for point in series.points], [point.y for point in series.points]
        dashes: Any = (0, style.dash) if style.dash else "solid"
        axes.plot(xs, ys, color=style.color, lw=style.width, linestyle=dashes, zorder=zorder, clip_on=False)
    for point in series.points:
        place.point(axes, point.x, point.y, style, f"{series.name}: {point.said}", zorder=zorder)
