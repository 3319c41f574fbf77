"""Charts by matplotlib, for files that are no SVG: our own SVG, element by element (the extra `plot`).

So there is one layout, whatever the form. Neither pyplot nor matplotlib's settings are touched. Only what charts are
made of is understood; what is shown where one points (`title`, `desc`) has no place on paper.
"""

import io
import warnings
from collections.abc import Callable, Iterator
from typing import Literal
from xml.etree import ElementTree

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon, Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from ..plot import families

SVG = "{http://www.w3.org/2000/svg}"
DPI = 100.0  # a unit of the SVG is a hundredth of an inch
POINT = 72 / DPI
NARROWER = 0.92  # of the size: the font that comes with matplotlib is wider than those of a screen
SHARP = 200  # dots per inch in a PNG
NAMELESS = {  # nothing of when or by what a file was made, so that the same report gives the same bytes
    "png": {"Software": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
}
ANCHORS: dict[str, Literal["left", "center", "right"]] = {"start": "left", "middle": "center", "end": "right"}


def figure(svg: str) -> Figure:
    """The SVG as a figure."""
    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    found = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    place = Affine2D().scale(1 / width, -1 / height).translate(0.0, 1.0)
    fonts = list(families("".join(root.itertext())))
    for order, (one, x, y) in enumerate(_placed(root, 0.0, 0.0)):
        artist = DRAWN[one.tag](one) if one.tag in DRAWN else _text(one, fonts)
        artist.set_transform(Affine2D().translate(x, y) + place + found.transFigure)
        artist.set_zorder(order)  # as in SVG: what comes later stands above
        found.add_artist(artist)
    return found


def written(svg: str, form: str) -> bytes:
    """The SVG as PNG or PDF."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # a box stands for it
        figure(svg).savefig(file, format=form, dpi=SHARP, metadata=NAMELESS[form])
    return file.getvalue()


def _placed(element: ElementTree.Element, x: float, y: float) -> Iterator[tuple[ElementTree.Element, float, float]]:
    """All that is drawn, with where its group stands."""
    for one in element:
        if one.tag in (f"{SVG}svg", f"{SVG}g"):
            right, down = one.get("transform", "translate(0,0)")[len("translate(") : -1].split(",")
            yield from _placed(one, x + float(right), y + float(down))
        elif one.tag in DRAWN or one.tag == f"{SVG}text":
            yield one, x, y


def _text(one: ElementTree.Element, fonts: list[str]) -> Artist:
    weight = "bold" if one.get("font-weight") else "normal"
    size = float(one.attrib["font-size"]) * POINT * NARROWER
    return Text(
        float(one.attrib["x"]),
        float(one.attrib["y"]),
        one.text or "",
        color=one.get("fill"),
        fontproperties=FontProperties(family=fonts, weight=weight, size=size),
        horizontalalignment=ANCHORS[one.get("text-anchor", "start")],
        verticalalignment="baseline",
        parse_math=False,
        usetex=False,
    )


def _rect(one: ElementTree.Element) -> Artist:
    size = float(one.attrib["width"]), float(one.attrib["height"])
    return Rectangle((0.0, 0.0), *size, facecolor=one.get("fill"), linewidth=0)


def _line(one: ElementTree.Element) -> Artist:
    ends = [[float(one.attrib[f"{axis}{end}"]) for end in (1, 2)] for axis in "xy"]
    return Line2D(*ends, color=one.get("stroke"), linewidth=_width(one))


def _polyline(one: ElementTree.Element) -> Artist:
    dashes = [float(part) for part in one.get("stroke-dasharray", "").split()]
    drawn = Line2D(*zip(*_corners(one), strict=True), color=one.get("stroke"), linewidth=_width(one))
    if dashes:
        drawn.set_linestyle((0.0, [part / float(one.get("stroke-width", 1)) for part in dashes]))
    return drawn


def _polygon(one: ElementTree.Element) -> Artist:
    return Polygon(_corners(one), closed=True, **_inks(one))


def _circle(one: ElementTree.Element) -> Artist:
    return Circle((float(one.attrib["cx"]), float(one.attrib["cy"])), float(one.attrib["r"]), **_inks(one))


def _corners(one: ElementTree.Element) -> list[tuple[float, float]]:
    pairs = (corner.split(",") for corner in one.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


def _inks(one: ElementTree.Element) -> dict[str, str | float]:
    return {"facecolor": one.get("fill", "none"), "edgecolor": one.get("stroke", "none"), "linewidth": _width(one)}


def _width(one: ElementTree.Element) -> float:
    return float(one.get("stroke-width", 1)) * POINT


DRAWN: dict[str, Callable[[ElementTree.Element], Artist]] = {
    f"{SVG}rect": _rect,
    f"{SVG}line": _line,
    f"{SVG}polyline": _polyline,
    f"{SVG}polygon": _polygon,
    f"{SVG}circle": _circle,
}
