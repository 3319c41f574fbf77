"""The heat map of an answer: every cell in its color and its place, large matrices cut and told."""

import re
import warnings
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_hex
from support.written_answers import answers, written

from unmask import Explanation
from unmask.errors import UnmaskWarning
from unmask.render.answer_view import view_answer
from unmask.render.figure import png, svg
from unmask.render.heat_map import BANDS, COLUMNS, ROWS, draw_heat_map
from unmask.render.page import Page
from unmask.render.theme import BACKGROUNDS, PALETTES, Theme

STORY = answers()["answer"]


def meshes(page: Page) -> list[QuadMesh]:
    """The rows of cells, then the color bar."""
    return [one for one in page.axes.collections if isinstance(one, QuadMesh)]


def texts(page: Page) -> list[str]:
    return [one.get_text() for one in page.axes.texts]


def test_cells_are_the_matrix() -> None:
    page = draw_heat_map(view_answer(STORY), Theme())
    *rows, bar = meshes(page)
    found = np.vstack([np.asarray(row.get_array()) for row in rows])
    assert STORY.scores_by_output is not None
    assert found == pytest.approx(STORY.scores_by_output)
    largest = float(np.abs(STORY.scores_by_output).max())
    assert bar.get_array() is not None
    assert {row.norm.vmax for row in rows} == {largest}
    assert [f"{largest:+.2f}", "Lily", "mom", r"\n"] == [
        text for text in (f"{largest:+.2f}", "Lily", "mom", r"\n") if text in texts(page)
    ]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_strongest_cells_have_the_colors_of_the_theme(mode: str) -> None:
    theme = Theme(mode=mode)
    page = draw_heat_map(view_answer(STORY), theme)
    *_, bar = meshes(page)
    palette = PALETTES["default"] if mode == "light" else PALETTES["default"].on_dark
    ends = [to_hex(bar.cmap(end)) for end in (0.0, 1.0)]
    assert ends == [palette.speaks_against[-1].paper, palette.speaks_for[-1].paper]
    background = BACKGROUNDS["dark" if mode == "dark" else "light"]
    assert to_hex(page.figure.get_facecolor()) == background.paper


def test_cells_that_do_not_exist_are_gray_and_told() -> None:
    page = draw_heat_map(view_answer(answers()["answer-all"]), Theme())
    assert any("does not come before the token" in text for text in texts(page))
    lacking = [int(np.ma.getmaskarray(np.ma.asarray(row.get_array())).sum()) for row in meshes(page)[:-1]]
    assert lacking == [0] * 10 + list(range(1, 9))


def test_a_large_matrix_is_cut_to_its_strongest_units() -> None:
    names = tuple(f" word{at}" for at in range(200))
    text = " ".join(["lost", *(f"unit{at}" for at in range(300)), "Lily"])
    page = draw_heat_map(view_answer(written([("prompt", text)], names)), Theme())
    rows = meshes(page)[:-1]
    assert len(rows) == ROWS * BANDS
    assert {np.asarray(row.get_array()).size for row in rows} == {COLUMNS}
    assert {"lost", "Lily"} <= set(texts(page))
    said = " ".join(texts(page))
    assert f"Shown: the {ROWS} strongest units of 302 and the {COLUMNS * BANDS} strongest tokens of 200." in said
    assert page.figure.get_size_inches()[1] < 50


@pytest.mark.parametrize("name", list(answers()))
def test_every_answer_has_a_figure(name: str) -> None:
    drawn = svg(answers()[name], Theme())
    root = ET.fromstring(drawn)
    assert not {str(one.tag).rpartition("}")[2] for one in root.iter()} & {"image", "script", "style"}
    assert "times less likely" in "".join(root.itertext())
    assert png(answers()[name], Theme()).startswith(b"\x89PNG")


def test_labels_stay_inside_the_figure() -> None:
    page = draw_heat_map(view_answer(answers()["answer-documents"]), Theme())
    width, height = (size * page.figure.dpi for size in page.figure.get_size_inches())
    page.figure.canvas.draw()
    for one in page.axes.texts:
        box = one.get_window_extent()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= width
        assert box.y1 <= height


def without_matrix() -> Explanation:
    return replace(STORY, without=None, method=replace(STORY.method, name="ig"))


def test_without_a_matrix_the_prompt_is_colored() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnmaskWarning)
        drawn = svg(without_matrix(), Theme())
    assert re.search(r"<title>word by word: what supports the answer</title>", drawn)
    assert without_matrix().to_html().count("um-state") == 0
