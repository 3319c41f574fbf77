"""Charts: nothing is told by color alone, no text becomes markup, and everything stands inside."""

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_hex

from unmask.render.charts import Panel, PanelGroup, Series, pdf, png, sheet, svg
from unmask.render.theme import BACKGROUNDS, series_style

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>x</script>&\x00\"'$x^2$" + "w" * 200


def lines(name: str, count: int = 1) -> Panel:
    points = ((0, 0.5), (1, 0.25))
    series = [Series(f"{name}{at}", points, series_style(at), name) for at in range(count)]
    names = ((0, name), (1, "b\nc"))
    return Panel(title=name, description=name, kind="lines", series=series, names=names, x_label=name[:20])


def dots(name: str) -> Panel:
    series = [Series(name, ((0.5, 0.0),), series_style(0), name, is_hollow=True)]
    return Panel(title=name, description=name, kind="dots", series=series, names=((0, name),))


def only(panel: Panel) -> str:
    return panel.svg(PanelGroup("", (panel,)).limits)


@pytest.mark.parametrize("values", [(0.0, 1.0), (-3.7, -0.2), (0.0, 0.0), (1e-4, 2e-4), (0.0, 12345.0)])
@pytest.mark.parametrize("kind", ["lines", "dots"])
def test_the_scale_holds_zero_and_all_values_of_a_group(values: tuple[float, float], kind: Any) -> None:
    points = [((at, value) if kind == "lines" else (value, at)) for at, value in enumerate(values)]
    panels = [
        Panel(
            title="",
            description="",
            kind=kind,
            series=[Series("a", [point], series_style(0), "")],
            names=((0, "a"), (1, "b")),
        )
        for point in points
    ]
    figure = sheet([PanelGroup("", panels)])
    for axes in figure.axes:
        low, high = axes.get_ylim() if kind == "lines" else axes.get_xlim()
        assert low < min(0, *values)
        assert high > max(0, *values)


@pytest.mark.parametrize("draw", [lines, dots])
def test_no_text_becomes_markup(draw: Callable[[str], Panel]) -> None:
    made, plain = (ElementTree.fromstring(only(draw(text))) for text in (HOSTILE, "x"))
    assert [one.tag for one in made.iter()] == [one.tag for one in plain.iter()]
    assert not any(name in one.attrib for one in made.iter() for name in ("style", "class", "onload"))
    assert "\x00" not in only(draw(HOSTILE))


@pytest.mark.parametrize("draw", [lines, dots])
def test_long_names_are_cut_and_whole_on_hover(draw: Callable[[str], Panel]) -> None:
    made = ElementTree.fromstring(only(draw("w" * 70)))
    texts = [one.text or "" for one in made.iter(f"{SVG}text")]
    assert any(text.endswith("w…") for text in texts)
    assert any("w" * 70 in (one.text or "") for one in made.iter(f"{SVG}title"))


def test_every_series_has_its_line_its_points_and_its_name() -> None:
    (axes,) = sheet([PanelGroup("title", (lines("a", 3),))]).axes
    _, *drawn = axes.get_lines()  # without that at zero
    for line, style in zip(drawn, map(series_style, range(3)), strict=True):
        assert (line.get_marker(), to_hex(line.get_color())) == (style.marker, style.color)
        assert np.array_equal(line.get_xydata(), [[0, 0.5], [1, 0.25]])
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["a0", "a1", "a2"]


def test_a_single_point_has_no_line() -> None:
    series = Series("greedy", ((0.5, 0.5),), series_style(1), "")
    panel = Panel(title="", description="", kind="lines", series=[series], names=((0.5, "50"),))
    (axes,) = sheet([PanelGroup("", (panel,))]).axes
    assert axes.get_lines()[1].get_linestyle() == "None"


def test_hollow_points_are_not_filled_nor_is_their_mark_in_the_legend() -> None:
    (axes,) = sheet([PanelGroup("", (dots("a"),))]).axes
    legend = axes.get_legend()
    assert legend is not None
    for mark in (axes.get_lines()[1], *legend.get_lines()):
        assert to_hex(mark.get_markerfacecolor()) == BACKGROUNDS["light"].paper
        assert to_hex(mark.get_markeredgecolor()) == series_style(0).color
    assert [text.get_text() for text in legend.get_texts()] == ["a"]


def test_panels_stand_in_rows_below_their_title_and_inside_the_figure() -> None:
    figure = sheet([PanelGroup("title", (lines("a"),) * 5, "a note " * 60), PanelGroup("other", (dots("b"),))])
    figure.draw_without_rendering()
    boxes = [axes.get_window_extent() for axes in figure.axes]
    assert len({round(box.y1, 3) for box in boxes[:3]}) == 1
    assert boxes[3].y1 < boxes[0].y0
    assert boxes[5].y1 < boxes[3].y0
    width, height = figure.get_size_inches()
    drawn = figure.get_tightbbox()
    assert 0 <= drawn.x0 < drawn.x1 <= width
    assert 0 <= drawn.y0 < drawn.y1 <= height


def test_the_style_has_the_colors_of_the_theme() -> None:
    (axes,) = sheet([PanelGroup("title", (lines("a"),))]).axes
    light = BACKGROUNDS["light"]
    assert to_hex(axes.title.get_color()) == light.ink
    assert to_hex(axes.xaxis.label.get_color()) == light.quiet
    assert to_hex(axes.yaxis.get_gridlines()[0].get_color()) == light.line


def test_the_same_charts_give_the_same_bytes_and_settings_stay() -> None:
    before = dict(matplotlib.rcParams)
    for write in (svg, png, pdf):
        assert write(sheet([PanelGroup("a", (lines("a"),))])) == write(sheet([PanelGroup("a", (lines("a"),))]))
    assert dict(matplotlib.rcParams) == before


def test_the_settings_of_the_caller_change_nothing() -> None:
    plain = only(lines("a"))
    with matplotlib.rc_context({"axes.facecolor": "black", "font.size": 30.0, "savefig.bbox": "tight"}):
        assert only(lines("a")) == plain
