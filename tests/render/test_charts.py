"""Charts: nothing is told by color alone, no text becomes markup, and everything stands inside."""

from collections.abc import Callable
from itertools import pairwise
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_hex

from unmask.render.charts import (
    Chart,
    DotChart,
    Group,
    LineChart,
    Point,
    Row,
    Series,
    pdf,
    png,
    series_style,
    sheet,
    svg,
)
from unmask.render.plot import apart, ticks

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>x</script>&\x00\"'$x^2$" + "w" * 200


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.7, -0.2), (0.0, 0.0), (1e-4, 2e-4), (0.0, 12345.0)])
def test_ticks_are_round_and_hold_all_numbers(low: float, high: float) -> None:
    found = ticks(low, high)
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= 8
    assert found == sorted(set(found))


def test_names_keep_apart_and_above_the_bottom() -> None:
    found = sorted(apart([50.0] * 5 + [10.0], least=13.0, bottom=90.0))
    assert min(later - one for one, later in pairwise(found)) >= 13
    assert max(found) <= 90


def lines(name: str, count: int = 1) -> LineChart:
    points = (Point(0, 0.5, f"{name} at 0"), Point(1, 0.25, f"{name} at 1"))
    series = tuple(Series(f"{name}{at}", points, series_style(at)) for at in range(count))
    across = ((0, name, name), (1, "b", ""))
    return LineChart(title=name, description=name, bottom=name, across=across, up=(0.0, 1.0), series=series)


def dots(name: str) -> DotChart:
    row = Row(name, {name: 0.5}, frozenset({name}))
    return DotChart(title=name, description=name, across=(0.0, 1.0), rows=(row,), styles={name: series_style(0)})


@pytest.mark.parametrize("draw", [lines, dots])
def test_no_text_becomes_markup(draw: Callable[[str], Chart]) -> None:
    made, plain = (ElementTree.fromstring(draw(text).svg()) for text in (HOSTILE, "x"))
    assert [one.tag for one in made.iter()] == [one.tag for one in plain.iter()]
    assert not any(name in one.attrib for one in made.iter() for name in ("style", "class", "onload"))
    assert "\x00" not in draw(HOSTILE).svg()


@pytest.mark.parametrize("draw", [lines, dots])
def test_long_names_are_cut_and_whole_on_hover(draw: Callable[[str], Chart]) -> None:
    made = ElementTree.fromstring(draw("w" * 70).svg())
    texts = [one.text or "" for one in made.iter(f"{SVG}text")]
    assert any(text.endswith("w…") for text in texts)
    assert any("w" * 70 in (one.text or "") for one in made.iter(f"{SVG}title"))


def test_every_series_has_its_line_its_points_and_its_name() -> None:
    figure = sheet([Group("title", (lines("a", 3),))])
    drawn = figure.axes[0].get_lines()
    for at in range(3):
        style = series_style(at)
        assert [line.get_marker() for line in drawn].count(style.marker) == 3  # two points, and one beside its name
        assert style.color in [to_hex(line.get_color()) for line in drawn if np.size(line.get_xdata()) == 2]
    assert {"a0", "a1", "a2"} <= {text.get_text() for text in figure.axes[0].texts}


def test_equal_points_of_a_row_do_not_hide_each_other() -> None:
    styles = dict.fromkeys(("remove", "mask", "pad", "unk"), series_style(0))
    rows = tuple(Row(name, dict.fromkeys(styles, 0.5)) for name in ("sig", "ig"))
    figure = sheet([Group("", (DotChart(title="", description="", across=(0.0, 1.0), rows=rows, styles=styles),))])
    heights = sorted(
        float(np.ravel(line.get_ydata())[0])
        for line in figure.axes[0].get_lines()
        if np.array_equal(line.get_xdata(), [0.5])
    )
    assert len(heights) == 8
    steps = [later - one for one, later in pairwise(heights)]
    assert min(steps) > 0.1
    assert steps[3] > 0.4  # rows keep apart


def test_hollow_points_are_not_filled() -> None:
    figure = sheet([Group("", (dots("a"),))])
    fills = {to_hex(line.get_markerfacecolor()) for line in figure.axes[0].get_lines() if line.get_marker() == "o"}
    assert "#ffffff" in fills
    assert "own operator" in {text.get_text() for text in figure.axes[0].texts}


def test_charts_stand_in_rows_below_their_title() -> None:
    figure = sheet([Group("title", (lines("a"),) * 5, "a note " * 60), Group("other", (dots("b"),))])
    boxes = [axes.get_position() for axes in figure.axes]
    assert len({round(box.y1, 6) for box in boxes[:3]}) == 1
    assert boxes[3].y1 < boxes[0].y0
    assert boxes[5].y1 < boxes[3].y0
    assert all(0 <= box.x0 < box.x1 <= 1 and 0 <= box.y0 < box.y1 <= 1 for box in boxes)
    for text in figure.texts:
        assert all(0 <= place <= 1 for place in text.get_position())


def test_the_same_charts_give_the_same_bytes_and_settings_stay() -> None:
    before = dict(matplotlib.rcParams)
    for write in (svg, png, pdf):
        assert write(sheet([Group("a", (lines("a"),))])) == write(sheet([Group("a", (lines("a"),))]))
    assert dict(matplotlib.rcParams) == before
