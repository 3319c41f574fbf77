"""Charts in their places on a figure: one alone, as SVG for a page, or groups of them on one sheet.

Text stays text in SVG: it can be selected, and no box has to fit it.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ..escape import shown
from ..theme import BACKGROUNDS, SeriesStyle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 360.0  # of every chart, in pixels at 100 dpi
COLUMNS, MARGIN, GAP, LINE = 3, 16.0, 12.0, 15.0
SMALL, LABEL, TITLE = 7.2, 7.6, 9.0  # points
LETTER = 0.86  # pixels for each point of size: how wide a letter is, about
LIGHT = BACKGROUNDS["light"]


class Chart(Protocol):
    """What can stand on a sheet."""

    @property
    def title(self) -> str:
        """What stands above it."""

    @property
    def height(self) -> float:
        """In pixels at 100 dpi."""

    def svg(self) -> str:
        """The chart alone."""

    def draw(self, place: "Place") -> None:
        """Draw it into its place."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one chart in a figure; `tips` are shown on hover, by the `gid` of an artist."""

    figure: "Figure"
    left: float
    top: float
    height: float
    tips: dict[str, str]

    def plot(self, *, left: float, right: float, top: float, bottom: float) -> "Axes":
        """Axes with these margins, without a frame."""
        whole_width, whole_height = self.figure.get_size_inches() * 100
        lower = whole_height - self.top - self.height + bottom
        size = (WIDTH - left - right) / whole_width, (self.height - top - bottom) / whole_height
        axes = self.figure.add_axes(((self.left + left) / whole_width, lower / whole_height, *size), facecolor="none")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, colors=LIGHT.quiet, labelsize=SMALL)
        return axes

    def point(
        self, axes: "Axes", x: float, y: float, style: SeriesStyle, tip: str, *, is_hollow: bool = False, **more: Any
    ) -> None:
        """One point of a series; a hollow one is not to be compared with the others."""
        name = f"tip-{len(self.tips)}"
        self.tips[name] = tip
        fill, edge = (LIGHT.paper, style.color) if is_hollow else (style.color, LIGHT.paper)
        look: dict[str, Any] = {
            "markerfacecolor": fill,
            "markeredgecolor": edge,
            "markeredgewidth": 0.9 if is_hollow else 0.5,
        }
        axes.plot([x], [y], marker=style.marker, linestyle="", markersize=4.4, gid=name, clip_on=False, **look, **more)


@dataclass(frozen=True, slots=True)
class Group:
    """Charts that belong together."""

    title: str
    charts: tuple[Chart, ...]
    note: str | None = None


def sheet(groups: Sequence[Group]) -> "Figure":
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


def alone(chart: Chart, description: str) -> str:
    """One chart as SVG."""
    from ..canvas import write_svg

    figure, tips = _figure(WIDTH, chart.height), dict[str, str]()
    _draw(figure, chart, 0.0, 0.0, tips)
    return write_svg(_finish(figure), title=chart.title, description=description, tips=tips, text_as="none")


def svg(figure: "Figure", title: str = "") -> str:
    """A sheet as SVG."""
    from ..canvas import write_svg

    return write_svg(figure, title=title, description="", tips={}, text_as="none")


def png(figure: "Figure", title: str = "") -> bytes:
    """A sheet as PNG."""
    from ..canvas import write_bytes

    return write_bytes(figure, "png", title=title)


def pdf(figure: "Figure", title: str = "") -> bytes:
    """A sheet as PDF."""
    from ..canvas import write_bytes

    return write_bytes(figure, "pdf", title=title)


def cut(text: str, width: float, *, size: float = LABEL) -> str:
    """The text in one line, cut where it is too long for a width in pixels.

    >>> cut("gradient_shap", 40.0)
    'gradi…'
    """
    safe, most = shown(text).replace("\n", " "), max(1, int(width / (LETTER * size)))
    return safe if len(safe) <= most else f"{safe[: most - 1]}…"


def _figure(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(width / 100, height / 100), dpi=100, facecolor=LIGHT.paper)


def _draw(figure: "Figure", chart: Chart, left: float, top: float, tips: dict[str, str]) -> None:
    _write(figure, [cut(chart.title, WIDTH - 20, size=TITLE)], top + 8, left=left + 10, size=TITLE, weight="bold")
    chart.draw(Place(figure, left, top, chart.height, tips))


def _write(figure: "Figure", lines: Sequence[str], top: float, *, left: float = MARGIN, **look: Any) -> float:
    """Lines of text, each around its middle; returns where they end."""
    width, height = figure.get_size_inches() * 100
    for line in lines:
        place = left / width, 1 - (top + LINE / 2) / height
        figure.text(*place, line, verticalalignment="center", **{"color": LIGHT.ink} | look)
        top += LINE
    return top


def _finish(figure: "Figure") -> "Figure":
    """Give all texts fonts that have their characters; none of them is a formula."""
    from matplotlib.text import Text

    from ..fonts import Fonts

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
