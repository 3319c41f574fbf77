"""Charts beside and below each other on one sheet, each group below its title, as one SVG."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from ..svg import FONTS, text
from ..typeset import DIM, PAPER
from .elements import SMALL, TITLE, element, number, words

COLUMNS = 3
MARGIN, GAP = 16.0, 12.0
LINE = 15.0  # from line to line
LETTER = 0.6  # of the size: how wide one is, on average and at most
SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True, slots=True)
class Group:
    """Charts that belong together, each an SVG of ours."""

    title: str
    charts: tuple[str, ...]
    note: str | None = None


def sheet(groups: Sequence[Group], *, title: str) -> str:
    """All groups below each other."""
    columns = _columns(max(len(group.charts) for group in groups))
    width = MARGIN * 2 - GAP + columns * (max(_size(chart)[0] for group in groups for chart in group.charts) + GAP)
    content, top = [], MARGIN
    for group in groups:
        drawn, top = _group(group, top, columns=columns, width=width)
        content += drawn
    return element(
        "svg",
        element("title", text(title)),
        element("rect", width=width, height=top, fill=PAPER),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        width=width,
        height=top,
        viewBox=f"0 0 {number(width)} {number(top)}",
        font_family=FONTS,
    )


def _group(group: Group, top: float, *, columns: int, width: float) -> tuple[list[str], float]:
    """A group below what is there already, and where it ends."""
    content = []
    for line in _lines(group.title, width, TITLE):
        content.append(words(line, MARGIN, top + LINE / 2, size=TITLE, font_weight="600"))
        top += LINE
    top += GAP
    for start in range(0, len(group.charts), columns):
        row, left = group.charts[start : start + columns], MARGIN
        for chart in row:
            content.append(element("g", chart, transform=f"translate({number(left)},{number(top)})"))
            left += _size(chart)[0] + GAP
        top += max(_size(chart)[1] for chart in row) + GAP
    for line in _lines(group.note or "", width, SMALL):
        content.append(words(line, MARGIN, top, size=SMALL, fill=DIM))
        top += LINE
    return content, top + GAP


def _columns(charts: int) -> int:
    """So many that no row is left half empty, where that can be.

    >>> [_columns(charts) for charts in (1, 2, 3, 4, 5, 6, 8)]
    [1, 2, 3, 2, 3, 3, 2]
    """
    even = [columns for columns in range(2, COLUMNS + 1) if charts % columns == 0]
    return max(even, default=min(COLUMNS, charts))


def _lines(said: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(said, int((width - 2 * MARGIN) / (LETTER * size)))


def _size(chart: str) -> tuple[float, float]:
    found = SIZE.match(chart)
    assert found is not None  # every chart of ours begins so
    return float(found[1]), float(found[2])
