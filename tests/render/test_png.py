"""The PNG by its size and a few pixels, and what its fonts lack."""

import io
import sys
import warnings
from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from numpy.typing import NDArray
from support.explanations import cases, explanation, rows
from support.shared import json_lines, needs_shared

from unmask import Explanation
from unmask.errors import ArgumentError, UnmaskWarning
from unmask.render import png, svg
from unmask.render.palettes import palette
from unmask.results.metadata import SegmentInfo, Unit

PRIVATE = "\ue123"


def pixels(content: bytes) -> NDArray[np.uint8]:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def has_color(found: NDArray[np.uint8], color: str) -> bool:
    wanted = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
    return bool((found == wanted).all(axis=-1).any())


def told(text: str) -> Explanation:
    return replace(explanation("gripping"), segments=(SegmentInfo(text),), units=(Unit(text, 0, len(text)),))


@pytest.mark.parametrize("name", ["short", "pair", "all-zero", "hostile", "unread", "value"])
def test_a_picture(name: str) -> None:
    content = png.drawing(cases()[name], width=500, scale=1)
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    found = pixels(content)
    assert found.shape[1] == 500
    assert found[0, 0].tolist() == found[-1, -1].tolist() == [255, 255, 255]
    assert found.min() < 64


@pytest.mark.parametrize("colors", ["default", "red-green"])
def test_the_strongest_colors_are_there(colors: str) -> None:
    found = pixels(png.drawing(cases()["short"], colors=colors))
    assert found.shape[1] == 1520
    assert has_color(found, palette(colors).color(4).paper)
    assert has_color(found, palette(colors).color(-3).paper)
    assert not has_color(
        pixels(png.drawing(cases()["short"], colors=colors, style="paper")), palette(colors).color(4).paper
    )


def test_a_comparison() -> None:
    assert pixels(png.comparison(rows(), width=600, scale=1)).shape[1] == 600


def test_what_no_font_has_is_named() -> None:
    assert png.missing(f"a film{PRIVATE} \u200d\n") == (PRIVATE,)
    assert png.missing("a film, naïve и שלום") == ()
    plain = pixels(png.drawing(told("a"), scale=1))
    with pytest.warns(UnmaskWarning, match=r"^no font of this computer has U\+E123: the picture shows boxes$"):
        noted = pixels(png.drawing(told(f"a{PRIVATE}"), scale=1))
    assert noted.shape[0] > plain.shape[0]


def test_many_that_no_font_has_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "missing", lambda _: tuple("中文字很好看的人吗🎬"))
    with pytest.warns(UnmaskWarning, match=r"has U\+4E2D 中, U\+6587 文, .* U\+4EBA 人, and 2 more: the picture"):
        png.comparison(rows(), width=600, scale=1)


def test_the_note_in_the_picture_needs_no_glyphs() -> None:
    assert png._with_name("中") == "U+4E2D (cjk unified ideograph)"
    assert png._with_name("🎬") == "U+1F3AC (clapper board)"
    assert png._with_name(PRIVATE) == "U+E123"


@needs_shared
def test_tricky_texts_are_drawn_without_warnings() -> None:
    text = "\n".join(row["text"] for row in json_lines("unicode/tricky_unicode.jsonl.gz"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnmaskWarning)  # of what the fonts here lack
        assert png.drawing(told(text), scale=1)


def test_matplotlib_is_left_as_found() -> None:
    before = dict(matplotlib.rcParams)
    assert png.drawing(cases()["one-word"]) == png.drawing(cases()["one-word"])
    assert dict(matplotlib.rcParams) == before


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "unmask.render.plot", raising=False)
    monkeypatch.delattr("unmask.render.plot", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ArgumentError, match="matplotlib, which is not installed") as caught:
        png.drawing(cases()["short"])
    assert caught.value.hint == "pip install 'unmask[plot]'"
    assert svg.drawing(cases()["short"])


def test_a_scale_of_nothing_is_refused() -> None:
    with pytest.raises(ArgumentError, match="scale 0 is not between"):
        png.drawing(cases()["short"], scale=0)
