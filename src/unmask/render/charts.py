"""Small charts drawn by matplotlib: one panel as SVG for a page, or groups of panels on one figure.

Text in SVG remains text, so you can select it.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from .canvas import settings, write_bytes, write_svg
from .escape import shown
from .fonts import Fonts
from .theme import BACKGROUNDS, SeriesStyle

LIGHT = BACKGROUNDS["light"]
WIDTH = 3.6  # width of a panel in inches
LETTERS = {"name": 14, "title": 46, "line": 62}  # how many letters fit in a name, a panel's title, a line of a panel
STYLE = Path(__file__).with_name("charts.mplstyle")
svg = partial(write_svg, text_as="none")
png = partial(write_bytes, form="png")
pdf = partial(write_bytes, form="pdf")


@dataclass(frozen=True, slots=True)
class Series:
    """Points under one name in the legend; `tip` lists them on hover. Do not compare hollow points with others."""

    name: str
    points: Sequence[tuple[float, float]]
    style: SeriesStyle
    tip: str
    is_hollow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One chart: lines over named positions on the x axis, or dots in named rows.

    Args:
        names: Positions and labels on the x axis (lines) or of the rows (dots).
    """

    title: str
    description: str
    kind: Literal["lines", "dots"]
    series: Sequence[Series]
    names: Sequence[tuple[float, str]]
    x_label: str = ""

    @property
    def height(self) -> float:
        """The height in inches, which depends on the number of rows or of names in the legend."""
        return 1.0 + 0.18 * len(self.names) if self.kind == "dots" else max(2.5, 0.6 + 0.16 * len(self.series))

    def draw(self, axes: Axes, limits: tuple[float, float]) -> None:
        """Draw the panel; `limits` are the limits of the value axis."""
        places, labels = [place for place, _ in self.names], [cut(name) for _, name in self.names]
        axes.set_title(cut(self.title, "title"))
        axes.set_xlabel(shown(self.x_label))
        if self.kind == "lines":
            legend: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.03)}
            axes.set_xticks(places, labels)
            axes.set_ylim(limits)
            axes.grid(visible=False, axis="x")
            axes.axhline(0.0, lw=0.6, color=LIGHT.bar, zorder=2)
        else:
            legend = {
                "loc": "upper center",
                "bbox_to_anchor": (0.4, -0.24 / self.height),
                "ncols": 3,
                "handlelength": 1.0,
            }
            axes.set_yticks(places, labels, color=LIGHT.ink)
            axes.set(xlim=limits, ylim=(len(self.names) - 0.4, -0.6))
            axes.axvline(0.0, lw=0.6, color=LIGHT.bar, zorder=2)
        for at, series in enumerate(self.series):
            self._plot(axes, series, gid=f"tip-{at}", zorder=3 + len(self.series) - at)  # draw the first series on top
        axes.legend(axes.lines[1:], [cut(series.name) for series in self.series], **legend)

    def _plot(self, axes: Axes, series: Series, **look: Any) -> None:
        style, is_line = series.style, self.kind == "lines" and len(series.points) > 1
        dashes: Any = (0, style.dash) if style.dash else "solid"
        fill, edge = (LIGHT.paper, style.color) if series.is_hollow else (style.color, LIGHT.paper)
        look |= {"markerfacecolor": fill, "markeredgecolor": edge, "marker": style.marker}
        look |= {"color": style.color, "lw": style.width, "ls": dashes if is_line else "", "clip_on": False}
        axes.plot(*zip(*series.points, strict=True), **look)

    def svg(self, limits: tuple[float, float]) -> str:
        """The panel by itself as SVG."""
        with settings(STYLE):
            figure = Figure(figsize=(WIDTH, self.height), layout="constrained")
            self.draw(figure.subplots(), limits)
        tips = {f"tip-{at}": f"{series.name}: {series.tip}" for at, series in enumerate(self.series)}
        return svg(_with_fonts(figure), self.title, description=self.description, tips=tips)


@dataclass(frozen=True, slots=True)
class PanelGroup:
    """Panels that belong together and share one scale."""

    title: str
    panels: Sequence[Panel]
    note: str = ""

    @property
    def limits(self) -> tuple[float, float]:
        """The limits of the value axis, which includes zero and all values, with a margin."""
        values = [0.0]
        for panel in self.panels:
            values += [x if panel.kind == "dots" else y for series in panel.series for x, y in series.points]
        margin = 0.05 * (max(values) - min(values)) or 0.05
        return min(values) - margin, max(values) + margin


def sheet(groups: Sequence[PanelGroup]) -> Figure:
    """All groups on one figure, one below the other."""
    columns = _columns(max(len(group.panels) for group in groups))
    rows = [-(-len(group.panels) // columns) for group in groups]
    heights = [0.7 + count * group.panels[0].height for count, group in zip(rows, groups, strict=True)]
    with settings(STYLE):
        figure = Figure(figsize=(columns * WIDTH, sum(heights)), layout="constrained")
        parts = figure.subfigures(len(groups), height_ratios=heights, squeeze=False)[:, 0]
        for part, count, group in zip(parts, rows, groups, strict=True):
            part.suptitle(_fill(group.title, columns), x=0.01, ha="left")
            part.supxlabel(_fill(group.note, columns), x=0.01, ha="left", color=LIGHT.quiet)
            for axes, panel in zip_longest(part.subplots(count, columns, squeeze=False).flat, group.panels):
                axes.remove() if panel is None else panel.draw(axes, group.limits)
    return _with_fonts(figure)


def cut(text: str, kind: Literal["name", "title"] = "name") -> str:
    """The text, shortened if there is no room.

    >>> cut("gradient_shap:samples=5")
    'gradient_shap…'
    """
    safe, most = shown(text), LETTERS[kind]
    return safe if len(safe) <= most else f"{safe[: most - 1]}…"


def _with_fonts(figure: Figure) -> Figure:
    """Set fonts that have all characters of the texts, and never read a text as a formula."""
    texts = [artist for artist in figure.findobj(Text) if isinstance(artist, Text)]
    fonts = Fonts("".join(text.get_text() for text in texts))
    fonts.warn()
    for text in texts:
        text.set(fontfamily=fonts.families, parse_math=False, usetex=False)
    return figure


def _columns(panels: int) -> int:
    """The number of columns: two or three, chosen to avoid a half-empty row if possible.

    >>> [_columns(panels) for panels in (1, 2, 3, 4, 5, 6, 8)]
    [1, 2, 3, 2, 3, 3, 2]
    """
    return next((columns for columns in (3, 2) if panels % columns == 0), min(panels, 3))


def _fill(text: str, columns: int) -> str:
    return textwrap.fill(shown(text), columns * LETTERS["line"])
