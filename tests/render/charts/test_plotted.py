"""Charts on one sheet, and as figures of matplotlib: all that the SVG has is there, in its place."""

from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from matplotlib.text import Text

from unmask.render.charts import LineChart, Point, Series, look
from unmask.render.charts.plotted import DPI, figure, written
from unmask.render.charts.sheet import COLUMNS, GAP, MARGIN, Group, sheet

SVG = "{http://www.w3.org/2000/svg}"


def chart(name: str = "one") -> str:
    series = [Series(f"{name}{at}", (Point(0, 0.5, ""), Point(1, 0.25 * at, "")), look(at)) for at in range(3)]
    return LineChart(
        title=name,
        description="",
        bottom="share",
        across=((0, "0", ""), (1, "1", "")),
        up=(0.0, 1.0),
        series=(*series,),
    ).svg()


def test_charts_stand_in_rows_below_their_title() -> None:
    root = ElementTree.fromstring(sheet([Group("title", (chart(),) * 5, "a note " * 60)], title="all"))
    places = [one.attrib["transform"][10:-1].split(",") for one in root.findall(f"{SVG}g")]
    across, down = ([float(one[at]) for one in places] for at in (0, 1))
    assert across == [MARGIN + at * (360 + GAP) for at in (*range(COLUMNS), 0, 1)]
    assert len(set(down[:3])) == 1
    assert down[3] == down[0] + 262 + GAP
    lowest = max(float(one.attrib["y"]) for one in root.findall(f"{SVG}text"))
    assert down[3] + 262 < lowest < float(root.attrib["height"])


def test_a_figure_has_all_that_the_svg_has() -> None:
    svg = sheet([Group("title", (chart("one"), chart("two")))], title="all")
    root, found = ElementTree.fromstring(svg), figure(svg)
    assert found.get_size_inches() == pytest.approx([float(root.attrib[one]) / DPI for one in ("width", "height")])
    texts = [one for one in found.get_children() if isinstance(one, Text)]
    assert [one.get_text() for one in texts] == [one.text for one in root.iter(f"{SVG}text")]
    lines = [one for one in found.get_children() if isinstance(one, Line2D)]
    assert len(lines) == len(list(root.iter(f"{SVG}line"))) + len(list(root.iter(f"{SVG}polyline")))
    inks = {one.attrib["stroke"] for one in root.iter(f"{SVG}polyline")}
    assert inks <= {to_hex(one.get_color()) for one in lines}


def test_what_is_drawn_stands_where_it_stands_in_the_svg() -> None:
    svg = sheet([Group("title", (chart("one"), chart("two")))], title="all")
    height, found = float(ElementTree.fromstring(svg).attrib["height"]), figure(svg)
    groups = ElementTree.fromstring(svg).findall(f"{SVG}g")
    right, down = map(float, groups[1].attrib["transform"][10:-1].split(","))
    circle = next(groups[1].iter(f"{SVG}circle"))
    expected = right + float(circle.attrib["cx"]), height - down - float(circle.attrib["cy"])
    drawn = [one.get_transform().transform((0.0, 0.0)) for one in found.get_children() if isinstance(one, Circle)]
    assert any(place == pytest.approx(expected, abs=0.01) for place in drawn)


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_the_same_charts_give_the_same_bytes(form: str) -> None:
    svg = sheet([Group("title", (chart(),))], title="all")
    assert written(svg, form) == written(svg, form)
