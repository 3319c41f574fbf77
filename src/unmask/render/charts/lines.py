"""A line chart: one line for each series, its name at its right end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..typeset import DIM, GREY, INK, RULE
from .axes import Scale, apart, labels
from .elements import SMALL, Attribute, element, fitted, line, number, picture, tip, width_of, words
from .looks import Look

WIDTH, HEIGHT = 360.0, 262.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 108.0, 32.0, 38.0  # beside the plot
NAME = 13.0  # from name to name
BEHIND = 21.0  # from the plot to a name; its point stands between


@dataclass(frozen=True, slots=True)
class Point:
    """A number and what is said where it is pointed at."""

    x: float
    y: float
    said: str


@dataclass(frozen=True, slots=True)
class Series:
    """One line."""

    name: str
    points: tuple[Point, ...]
    look: Look


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

    def svg(self) -> str:
        """The chart as SVG."""
        below = BOTTOM + (SMALL + 2 if any(more for *_, more in self.across) else 0)
        height = max(HEIGHT, TOP + below + NAME * len(self.series))
        ends = [place for place, *_ in self.across]
        x = Scale(min(ends), max(ends), LEFT + 6, WIDTH - RIGHT - 6)
        y = Scale(self.up[0], self.up[-1], height - below, TOP)
        content = [*_rules(self.up, y), *self._bottom(x, height - below), *self._lines(x, y), *self._names(x, y)]
        return picture(WIDTH, height, title=self.title, description=self.description, content=content)

    def _bottom(self, x: Scale, bottom: float) -> Iterator[str]:
        for place, said, more in self.across:
            yield line(x(place), bottom, x(place), bottom + 4, GREY)
            yield words(said, x(place), bottom + 11, size=SMALL, fill=DIM, text_anchor="middle")
            if more:
                yield words(more, x(place), bottom + 22, size=SMALL - 1, fill=DIM, text_anchor="middle")
        deepest = 33 if any(more for *_, more in self.across) else 24
        middle = (LEFT + WIDTH - RIGHT) / 2
        yield words(self.bottom, middle, bottom + deepest, size=SMALL, fill=DIM, text_anchor="middle")

    def _lines(self, x: Scale, y: Scale) -> Iterator[str]:
        downwards = sorted(self.series, key=lambda one: len(one.points) > 1)  # single points on top, then the first
        for one in downwards[::-1]:
            drawn, places = one.look, [(x(point.x), y(point.y)) for point in one.points]
            path = " ".join(f"{number(right)},{number(down)}" for right, down in places)
            inks: dict[str, Attribute] = {"stroke_width": drawn.width, "stroke_dasharray": drawn.dash}
            yield element("polyline", points=path, fill="none", stroke=drawn.color, **inks) if len(places) > 1 else ""
            for (right, down), point in zip(places, one.points, strict=True):
                yield element("g", tip(f"{one.name}: {point.said}"), drawn.point(right, down, size=2.6))

    def _names(self, x: Scale, y: Scale) -> Iterator[str]:
        """Each series by its name, beside where it ends as far as the others let it; a single point beside itself."""
        for one in self.series:
            if len(one.points) == 1:
                place, has_room = x(one.points[0].x), x(one.points[0].x) - 6 - LEFT >= width_of(one.name, size=SMALL)
                beside, anchor = (place - 6, "end") if has_room else (place + 6, "start")
                yield words(one.name, beside, y(one.points[0].y), size=SMALL, text_anchor=anchor)
        known = [one for one in self.series if len(one.points) > 1]
        wanted = [y(one.points[-1].y) for one in known]
        edge = WIDTH - RIGHT
        for one, end, middle in zip(known, wanted, apart(wanted, least=NAME, bottom=y.start - 4), strict=True):
            last = x(one.points[-1].x)
            if last >= x.end - 1:  # a line that ends elsewhere is known by its points
                yield line(last + 4, end, edge + BEHIND - 12, middle, GREY, stroke_width=0.5)
            yield one.look.point(edge + BEHIND - 7, middle, size=2.6)
            name = words(fitted(one.name, RIGHT - BEHIND - 4), edge + BEHIND, middle, fill=INK)
            yield element("g", tip(one.name), name)


def _rules(up: Sequence[float], y: Scale) -> Iterator[str]:
    """Faint lines at round numbers; the one at 0 is not as faint."""
    for value, said in zip(up, labels(up), strict=True):
        yield line(LEFT, y(value), WIDTH - RIGHT, y(value), RULE if value else GREY, stroke_width=0.8)
        yield words(said, LEFT - 6, y(value), size=SMALL, fill=DIM, text_anchor="end")
