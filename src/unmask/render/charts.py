"""Small charts by matplotlib: lines and dots, alone as SVG for a page or many on one sheet.

Places are pixels at 100 dpi. Text stays text in SVG: it can be selected, and no box has to fit it.
"""

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from .canvas import DPI, write_bytes, write_svg
from .escape import shown
from .fonts import Fonts
from .plot import LABEL, LETTER, LIGHT, SMALL, TITLE, WIDTH, Place, apart, cut, tick_labels, ticks
from .theme import SeriesStyle, quiet_style, series_style

__all__ = ["Chart", "DotChart", "Group", "LineChart", "Point", "Row", "Series", "SeriesStyle", "pdf", "png"]
__all__ += ["quiet_style", "series_style", "sheet", "svg", "ticks"]

COLUMNS, MARGIN, GAP, LINE = 3, 16.0, 12.0, 15.0  # of a sheet
NAME = 13.0  # from name to name of lines
STEP = 18.0  # from row to row of dots
LEGEND = 20.0  # from the legend of dots to the plot
APART = 0.5  # of a step, between the first and the last kind of a row: equal points must not hide each other
HOLLOW = "own operator"
svg = partial(write_svg, text_as="none")
png = partial(write_bytes, form="png")
pdf = partial(write_bytes, form="pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart(ABC):
    """What can stand on a sheet."""

    title: str
    description: str

    @property
    @abstractmethod
    def height(self) -> float:
        """In pixels."""

    @abstractmethod
    def draw(self, place: Place) -> None:
        """Draw it into its place."""

    def svg(self) -> str:
        """The chart alone."""
        figure, tips = _figure(WIDTH, self.height), dict[str, str]()
        _draw(figure, self, 0.0, 0.0, tips)
        return svg(_finish(figure), self.title, description=self.description, tips=tips)


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
class LineChart(Chart):
    """One line for each series, its name at its right end.

    Args:
        across: Places of the ticks, what is written at each, and in a second line below it.
        up: Places of the ticks, which the plot ends with.
    """

    bottom: str  # what stands below the axis
    across: tuple[tuple[float, str, str], ...]
    up: tuple[float, ...]
    series: tuple[Series, ...]

    @property
    def _margins(self) -> dict[str, float]:
        return {
            "left": 44.0,
            "right": 108.0,
            "top": 36.0,
            "bottom": 51.0 if any(row[2] for row in self.across) else 40.0,
        }

    @property
    def height(self) -> float:
        """More where there are many names."""
        return max(262.0, self._margins["top"] + self._margins["bottom"] + NAME * len(self.series))

    def draw(self, place: Place) -> None:
        """Draw it into its place."""
        axes = place.plot(**self._margins)
        xs = [x for x, *_ in self.across]
        margin = (max(xs) - min(xs)) * 0.03 or 0.5
        axes.set(xlim=(min(xs) - margin, max(xs) + margin), ylim=(self.up[0], self.up[-1]))
        axes.set_xticks(xs, [shown("\n".join(filter(None, labels))) for _, *labels in self.across])
        axes.set_yticks(self.up, tick_labels(self.up))
        axes.set_xlabel(shown(self.bottom), fontsize=SMALL, color=LIGHT.quiet, labelpad=2)
        for value in self.up:
            axes.axhline(value, lw=0.6, color=LIGHT.line if value else LIGHT.bar, zorder=0)
        for order, series in enumerate(reversed(self.series)):  # the first on top, single points above all lines
            zorder, style = 2 + order + 100 * (len(series.points) == 1), series.style
            if len(series.points) > 1:
                dashes: Any = (0, style.dash) if style.dash else "solid"
                line = [point.x for point in series.points], [point.y for point in series.points]
                axes.plot(*line, color=style.color, lw=style.width, linestyle=dashes, zorder=zorder, clip_on=False)
            for point in series.points:
                place.point(axes, point.x, point.y, style, f"{series.name}: {point.said}", zorder=zorder)
        self._write_names(axes, place)

    def _write_names(self, axes: Axes, place: Place) -> None:
        """Each series by its name, as near to its end as the others let it; a single point beside itself."""
        margins, right, (low, high) = self._margins, max(x for x, *_ in self.across), (self.up[0], self.up[-1])
        height = self.height - margins["top"] - margins["bottom"]
        lines = [series for series in self.series if len(series.points) > 1]
        shares = [(series.points[-1].y - low) / (high - low) if high > low else 0.5 for series in lines]
        ends = [height * (1 - share) for share in shares]
        inside: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False}
        for series, end, middle in zip(lines, ends, apart(ends, least=NAME, bottom=height - 4), strict=True):
            if series.points[-1].x == right:  # a line that ends elsewhere is known by its points
                axes.plot([0.99, 1.05], [1 - end / height, 1 - middle / height], lw=0.4, color=LIGHT.bar, **inside)
            place.point(axes, 1.08, 1 - middle / height, series.style, series.name, transform=axes.transAxes)
            name = cut(series.name, margins["right"] - 26)
            axes.text(1.115, 1 - middle / height, name, va="center", size=LABEL, color=LIGHT.ink, **inside)
        left_end, right_end = axes.get_xlim()
        width = WIDTH - margins["left"] - margins["right"]
        for series in self.series:
            if len(series.points) == 1:
                (point,) = series.points
                has_room = (point.x - left_end) / (right_end - left_end) * width > len(series.name) * SMALL
                offset, side = (-5, "right") if has_room else (5, "left")
                look: dict[str, Any] = {"va": "center", "ha": side, "size": SMALL, "color": LIGHT.ink}
                axes.annotate(shown(series.name), (point.x, point.y), (offset, 0), textcoords="offset points", **look)


@dataclass(frozen=True, slots=True)
class Row:
    """A name, and a number for each kind that it has one of; the hollow ones are not to be compared."""

    name: str
    points: dict[str, float]
    hollow: frozenset[str] = frozenset()
    is_faint: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DotChart(Chart):
    """A line for each row, and on it a point for each of a few kinds, which a legend names.

    `across` are the places of the ticks, which the plot ends with.
    """

    across: tuple[float, ...]
    rows: tuple[Row, ...]
    styles: dict[str, SeriesStyle]  # by kind

    @property
    def height(self) -> float:
        """By the number of rows."""
        return 82.0 + STEP * len(self.rows)

    def draw(self, place: Place) -> None:
        """Draw it into its place."""
        left, right = 104.0, 14.0
        axes = place.plot(left=left, right=right, top=58.0, bottom=24.0)
        margin = (self.across[-1] - self.across[0]) * 0.03
        axes.set(xlim=(self.across[0] - margin, self.across[-1] + margin), ylim=(len(self.rows) - 0.5, -0.5))
        axes.set_xticks(self.across, tick_labels(self.across))
        axes.set_yticks(range(len(self.rows)), [cut(row.name, left - 14) for row in self.rows])
        for value in self.across:
            axes.axvline(value, lw=0.6, color=LIGHT.line if value else LIGHT.bar, zorder=0)
        kinds = list(self.styles)
        for at, (row, label) in enumerate(zip(self.rows, axes.get_yticklabels(), strict=True)):
            label.set(color=LIGHT.quiet if row.is_faint else LIGHT.ink, size=LABEL)
            axes.axhline(at, lw=0.6, color=LIGHT.line, zorder=0)
            for kind, value in reversed(row.points.items()):  # the first on top
                y = at + APART * ((kinds.index(kind) + 0.5) / len(kinds) - 0.5)
                tip = f"{row.name}, {kind}: {value:.3f}"
                place.point(axes, value, y, self.styles[kind], tip, is_hollow=kind in row.hollow)
        named = [(kind, style, False) for kind, style in self.styles.items()]
        if any(row.hollow for row in self.rows):
            named.append((HOLLOW, SeriesStyle(LIGHT.quiet, "o"), True))
        room, width = min((WIDTH - 2 * right) / len(named), 90.0), WIDTH - left - right
        inside: dict[str, Any] = {"transform": axes.transAxes}
        for at, (name, style, is_hollow) in enumerate(named):
            x, y = (right + at * room - left) / width, 1 + LEGEND / (STEP * len(self.rows))
            place.point(axes, x, y, style, name, is_hollow=is_hollow, **inside)
            axes.text(x + 7 / width, y, cut(name, room - 10), va="center", size=LABEL, color=LIGHT.quiet, **inside)


@dataclass(frozen=True, slots=True)
class Group:
    """Charts that belong together."""

    title: str
    charts: tuple[Chart, ...]
    note: str | None = None


def sheet(groups: Sequence[Group]) -> Figure:
    """All groups below each other on one figure, each below its title."""
    columns = _columns(max(len(group.charts) for group in groups))
    width = MARGIN * 2 - GAP + columns * (WIDTH + GAP)
    rows = [[group.charts[at : at + columns] for at in range(0, len(group.charts), columns)] for group in groups]
    texts = [(_wrap(group.title, width, TITLE), _wrap(group.note or "", width, SMALL)) for group in groups]
    charts = sum(max(chart.height for chart in row) + GAP for in_group in rows for row in in_group)
    lines = sum(LINE * len(title + note) + 2 * GAP for title, note in texts)
    figure, tips, top = _figure(width, MARGIN + charts + lines), dict[str, str](), MARGIN
    for in_group, (title, note) in zip(rows, texts, strict=True):
        top = _write(figure, title, top, size=TITLE, weight="bold") + GAP
        for row in in_group:
            for at, chart in enumerate(row):
                _draw(figure, chart, MARGIN + at * (WIDTH + GAP), top, tips)
            top += max(chart.height for chart in row) + GAP
        top = _write(figure, note, top, size=SMALL, color=LIGHT.quiet) + GAP
    return _finish(figure)


def _figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor=LIGHT.paper)


def _draw(figure: Figure, chart: Chart, left: float, top: float, tips: dict[str, str]) -> None:
    _write(figure, [cut(chart.title, WIDTH - 20, size=TITLE)], top + 8, left=left + 10, size=TITLE, weight="bold")
    chart.draw(Place(figure, left, top, chart.height, tips))


def _write(figure: Figure, lines: Sequence[str], top: float, *, left: float = MARGIN, **look: Any) -> float:
    """Lines of text, each around its middle; returns where they end."""
    width, height = figure.get_size_inches() * DPI
    for at, line in enumerate(lines):
        y = 1 - (top + (at + 0.5) * LINE) / height
        figure.text(left / width, y, line, verticalalignment="center", **{"color": LIGHT.ink} | look)
    return top + LINE * len(lines)


def _finish(figure: Figure) -> Figure:
    """Give all texts fonts that have their characters; none of them is a formula."""
    texts = [artist for artist in figure.findobj(Text) if isinstance(artist, Text)]
    fonts = Fonts("".join(text.get_text() for text in texts))
    fonts.warn()
    for text in texts:
        text.set(fontfamily=fonts.families, parse_math=False, usetex=False)
    return figure


def _columns(charts: int) -> int:
    """So many that no row is left half empty, where that can be.

    >>> [_columns(charts) for charts in (1, 2, 3, 4, 5, 6, 8)]
    [1, 2, 3, 2, 3, 3, 2]
    """
    even = [columns for columns in range(2, COLUMNS + 1) if charts % columns == 0]
    return max(even, default=min(COLUMNS, charts))


def _wrap(text: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(shown(text), int((width - 2 * MARGIN) / (LETTER * size)))
