"""Small charts as SVG, written directly: attributes only, a paper of their own, nothing told by color alone."""

from .dots import DotChart, Row
from .lines import LineChart, Point, Series
from .looks import Look, look, quiet

__all__ = ["DotChart", "LineChart", "Look", "Point", "Row", "Series", "look", "quiet"]
