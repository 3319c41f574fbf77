"""How series are told apart: by the shape of their points and the dashes of their lines, and by color too."""

import math
from dataclasses import dataclass

from ..palettes import SERIES
from ..typeset import GREY, PAPER
from .elements import Attribute, element

# As many as have no divisor in common with shapes or colors, so that it takes long until two looks are alike.
DASHES = (None, "6 3", "2 2", "8 3 2 3", "10 4")
CORNERS = {  # around the middle, of a point of size 1
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "up": ((0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    "diamond": ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    "down": ((0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)),
    "bar": ((-0.45, -1.2), (0.45, -1.2), (0.45, 1.2), (-0.45, 1.2)),
    "star": tuple(
        (r * math.sin(turn), -r * math.cos(turn))
        for turn, r in ((at * math.pi / 5, 1.5 if at % 2 == 0 else 0.65) for at in range(10))
    ),
}
SHAPES = ("circle", *CORNERS)


@dataclass(frozen=True, slots=True)
class Look:
    """How one series is drawn."""

    color: str
    shape: str
    dash: str | None = None
    width: float = 1.6

    def point(self, x: float, y: float, *, size: float = 3.2, is_hollow: bool = False) -> str:
        """A point of the series; a hollow one is not to be compared with the others."""
        fill, stroke = (PAPER, self.color) if is_hollow else (self.color, PAPER)
        inks: dict[str, Attribute] = {"fill": fill, "stroke": stroke, "stroke_width": 1.3 if is_hollow else 0.8}
        if self.shape == "circle":
            return element("circle", cx=x, cy=y, r=size, **inks)
        corners = " ".join(f"{x + size * right:.2f},{y + size * down:.2f}" for right, down in CORNERS[self.shape])
        return element("polygon", points=corners, **inks)


def look(at: int) -> Look:
    """The look of the series at a place; where colors come again, shapes and dashes are others."""
    return Look(SERIES[at % len(SERIES)], SHAPES[at % len(SHAPES)], DASHES[at % len(DASHES)])


def quiet(at: int) -> Look:
    """The look of a series that only shows where the others stand."""
    return Look(GREY, SHAPES[at % len(SHAPES)], "1 3", width=1.1)
