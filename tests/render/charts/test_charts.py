"""Charts: nothing is told by color alone, and no text becomes markup."""

from collections.abc import Callable
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from unmask.render.charts import DotChart, LineChart, Point, Row, Series, look, quiet
from unmask.render.charts.axes import apart, ticks

HOSTILE = "</text><script>x</script>&\x00\"'" + "w" * 200


def test_looks_differ_without_their_colors_and_with_them() -> None:
    shown = [look(at) for at in range(20)]
    assert len({(one.shape, one.dash) for one in shown}) == 20
    assert len({(one.color, one.dash) for one in shown}) == 20
    assert quiet(0).width < look(0).width


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


def lines(name: str) -> str:
    series = Series(name, (Point(0, 0.5, name), Point(1, 0.25, name)), look(0))
    return LineChart(
        title=name,
        description=name,
        bottom=name,
        across=((0, name, name), (1, "b", "")),
        up=(0.0, 1.0),
        series=(series,),
    ).svg()


def dots(name: str) -> str:
    row = Row(name, {name: 0.5}, frozenset({name}))
    return DotChart(title=name, description=name, across=(0.0, 1.0), rows=(row,), looks={name: look(0)}).svg()


def test_equal_points_of_a_row_do_not_hide_each_other() -> None:
    circle = look(0)
    looks = dict.fromkeys(("remove", "mask", "pad", "unk"), circle)
    rows = tuple(Row(name, dict.fromkeys(looks, 0.5)) for name in ("sig", "ig"))
    made = DotChart(title="", description="", across=(0.0, 1.0), rows=rows, looks=looks).svg()
    found = list(ElementTree.fromstring(made).iter("{http://www.w3.org/2000/svg}circle"))[len(looks) :]
    heights = sorted(float(one.attrib["cy"]) for one in found)
    assert len(heights) == 8
    assert min(later - one for one, later in pairwise(heights)) > 2
    assert heights[4] - heights[3] > 2 * float(found[0].attrib["r"])  # rows keep apart


@pytest.mark.parametrize("draw", [lines, dots])
def test_no_text_becomes_markup(draw: Callable[[str], str]) -> None:
    made, plain = (ElementTree.fromstring(draw(text)) for text in (HOSTILE, "x"))
    assert [one.tag for one in made.iter()] == [one.tag for one in plain.iter()]
    assert "\x00" not in draw(HOSTILE)


def test_long_names_are_cut_and_whole_where_they_are_pointed_at() -> None:
    made = ElementTree.fromstring(lines("w" * 50))
    svg = "{http://www.w3.org/2000/svg}"
    assert all(len(one.text or "") < 50 for one in made.iter(f"{svg}text") if (one.text or "").endswith("…"))
    assert "w" * 50 in [one.text for one in made.iter(f"{svg}title")]
