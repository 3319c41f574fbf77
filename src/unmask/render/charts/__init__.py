"""Small charts by matplotlib: lines and dots, alone as SVG for a page or many on one sheet."""

from ..theme import SeriesStyle, quiet_style, series_style
from .axes import ticks
from .dots import DotChart, Row
from .lines import LineChart, Point, Series
from .sheet import Chart, Group, pdf, png, sheet, svg

__all__ = [
    "Chart",
    "DotChart",
    "Group",
    "LineChart",
    "Point",
    "Row",
    "Series",
    "SeriesStyle",
    "pdf",
    "png",
    "quiet_style",
    "series_style",
    "sheet",
    "svg",
    "ticks",
]
