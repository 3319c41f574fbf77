"""A chart of dots: a line for each row, and on it a point for each of a few kinds, which a legend names."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..typeset import DIM, GREY, INK, RULE
from .axes import Scale, labels
from .elements import LABEL, SMALL, element, fitted, line, picture, tip, width_of, words
from .looks import Look

WIDTH = 360.0
LEFT, RIGHT, TOP, BOTTOM = 104.0, 14.0, 54.0, 24.0  # beside the plot
STEP = 18.0  # from row to row
APART = 9.0  # the first kind of a row and the last, up and down: equal points must not hide each other
LEGEND = 34.0  # the middle of its line
MOST = 40.0  # between two names of it
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
    looks: dict[str, Look]

    def svg(self) -> str:
        """The chart as SVG."""
        bottom = TOP + STEP * len(self.rows)
        x = Scale(self.across[0], self.across[-1], LEFT + 6, WIDTH - RIGHT - 6)
        content = [*self._legend(), *_rules(self.across, x, bottom)]
        for at, row in enumerate(self.rows):
            content += _row(row, TOP + STEP * (at + 0.5), x, self.looks)
        return picture(WIDTH, bottom + BOTTOM, title=self.title, description=self.description, content=content)

    def _legend(self) -> Iterator[str]:
        named = {name: (look, False) for name, look in self.looks.items()}
        if any(row.hollow for row in self.rows):
            named[HOLLOW] = (Look(DIM, "circle"), True)
        gap = min(MOST, (WIDTH - 14 - sum(8 + width_of(name) for name in named)) / len(named))
        left = 14.0
        for name, (look, is_hollow) in named.items():
            yield look.point(left, LEGEND, is_hollow=is_hollow)
            yield words(name, left + 8, LEGEND, fill=DIM)
            left += 8 + width_of(name) + gap


def _row(row: Row, middle: float, x: Scale, looks: dict[str, Look]) -> Iterator[str]:
    name = words(
        fitted(row.name, LEFT - 14), LEFT - 6, middle, size=LABEL, fill=DIM if row.is_faint else INK, text_anchor="end"
    )
    yield element("g", tip(row.name), name)
    yield line(LEFT, middle, WIDTH - RIGHT, middle, RULE, stroke_width=0.8)
    places = {kind: middle + APART * ((at + 0.5) / len(looks) - 0.5) for at, kind in enumerate(looks)}
    for kind, value in reversed(row.points.items()):  # the first on top
        point = looks[kind].point(x(value), places[kind], size=3.6, is_hollow=kind in row.hollow)
        yield element("g", tip(f"{row.name}, {kind}: {value:.3f}"), point)


def _rules(across: tuple[float, ...], x: Scale, bottom: float) -> Iterator[str]:
    for value, said in zip(across, labels(across), strict=True):
        yield line(x(value), TOP, x(value), bottom, RULE if value else GREY, stroke_width=0.8)
        yield words(said, x(value), bottom + 10, size=SMALL, fill=DIM, text_anchor="middle")
