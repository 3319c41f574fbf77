"""A chart of dots: a line for each row, and on it a point for each of a few kinds, which a legend names."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..theme import SeriesStyle
from .axes import tick_labels
from .sheet import LABEL, LIGHT, WIDTH, Place, alone, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEFT, RIGHT, TOP, BOTTOM = 104.0, 14.0, 58.0, 24.0  # beside the plot
LEGEND = 20.0  # from the legend to the plot
STEP = 18.0  # from row to row
APART = 0.5  # of a step, between the first and the last kind of a row: equal points must not hide each other
HOLLOW = "own operator"


@dataclass(frozen=True, slots=True)
class Row:
    """A name, and a number for each kind that it has one of; the hollow ones are not to be compared."""

    name: str
    points: dict[str, float]
    hollow: frozenset[str] = frozenset()
    is_faint: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DotChart:
    """What a chart of dots shows; `across` are the places of the ticks, which the plot ends with."""

    title: str
    description: str
    across: tuple[float, ...]
    rows: tuple[Row, ...]
    styles: dict[str, SeriesStyle]  # by kind

    @property
    def height(self) -> float:
        """By the number of rows."""
        return TOP + BOTTOM + STEP * len(self.rows)

    def svg(self) -> str:
        """The chart alone."""
        return alone(self, self.description)

    def draw(self, place: Place) -> None:
        """Draw it into its place."""
        axes = place.plot(left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM)
        margin = (self.across[-1] - self.across[0]) * 0.03
        axes.set(xlim=(self.across[0] - margin, self.across[-1] + margin), ylim=(len(self.rows) - 0.5, -0.5))
        axes.set_xticks(self.across, tick_labels(self.across))
        axes.set_yticks(range(len(self.rows)), [cut(row.name, LEFT - 14) for row in self.rows])
        for value in self.across:
            axes.axvline(value, lw=0.6, color=LIGHT.line if value else LIGHT.bar, zorder=0)
        for at, (row, label) in enumerate(zip(self.rows, axes.get_yticklabels(), strict=True)):
            label.set(color=LIGHT.quiet if row.is_faint else LIGHT.ink, size=LABEL)
            axes.axhline(at, lw=0.6, color=LIGHT.line, zorder=0)
            self._points(axes, place, row, at)
        self._legend(axes, place)

    def _points(self, axes: "Axes", place: Place, row: Row, at: int) -> None:
        kinds = list(self.styles)
        for kind, value in reversed(row.points.items()):  # the first on top
            y = at + APART * ((kinds.index(kind) + 0.5) / len(kinds) - 0.5)
            tip = f"{row.name}, {kind}: {value:.3f}"
            place.point(axes, value, y, self.styles[kind], tip, is_hollow=kind in row.hollow)

    def _legend(self, axes: "Axes", place: Place) -> None:
        named = {kind: (style, False) for kind, style in self.styles.items()}
        if any(row.hollow for row in self.rows):
            named[HOLLOW] = (SeriesStyle(LIGHT.quiet, "o"), True)
        room, width = (WIDTH - 2 * RIGHT) / len(named), WIDTH - LEFT - RIGHT
        for at, (name, (style, is_hollow)) in enumerate(named.items()):
            x, y = (RIGHT + at * min(room, 90.0) - LEFT) / width, 1 + LEGEND / (STEP * len(self.rows))
            place.point(axes, x, y, style, name, is_hollow=is_hollow, transform=axes.transAxes)
            text = cut(name, min(room, 90.0) - 10)
            axes.text(x + 7 / width, y, text, transform=axes.transAxes, va="center", size=LABEL, color=LIGHT.quiet)
