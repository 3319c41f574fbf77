"""Texts in the lines of a terminal."""

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType
from support.deciding import DECIDED
from support.explanations import cases, explanation, rows

from unmask.render.colored_spans import ColoredSpan
from unmask.render.terminal import ScoreTable, render, render_view
from unmask.render.terminal_parts import ColoredText
from unmask.render.theme import Theme

CHINESE = "这部电影非常精彩，演员的表演令人难忘。"


def lines(spans: tuple[ColoredSpan, ...], *, width: int, style: str = "shades", is_aligned: bool = False) -> list[str]:
    file = io.StringIO()
    console = Console(file=file, width=width, color_system=None, highlight=False)
    console.print(ColoredText(spans, Theme(style=style), is_aligned))
    return file.getvalue().splitlines()


def units(text: str, strength: float) -> tuple[ColoredSpan, ...]:
    return tuple(ColoredSpan(character, strength, strength) for character in text)


@pytest.mark.parametrize("width", range(12, 50))
def test_a_sign_is_never_parted_from_its_unit(width: int) -> None:
    found = lines(units(CHINESE, 1.0), width=width)
    assert "".join(line.strip() for line in found) == "".join(f"{character}▲" for character in CHINESE)
    for line in found:
        assert line.strip()[0] not in "▲，。"
        assert cell_len(line) <= width


@pytest.mark.parametrize("width", [12, 21, 30, 60])
def test_rows_break_at_the_same_places(width: int) -> None:
    strong, faint = (lines(units(CHINESE, strength), width=width, is_aligned=True) for strength in (-1.0, 0.0))
    assert [line.replace("▼", " ").rstrip() for line in strong] == [line.rstrip() for line in faint]


def test_bold_is_as_wide_as_plain() -> None:
    marked = tuple(ColoredSpan("film ", 1.0, 1.0, mark="most") for _ in range(4))
    assert lines(marked, width=23, style="paper") == ["  film film film film"]


def test_a_narrow_terminal_still_shows_the_text() -> None:
    assert "".join(line.strip() for line in lines((ColoredSpan("beautifully"),), width=6)) == "beautifully"


def test_what_was_not_read_is_shortened() -> None:
    file = io.StringIO()
    found = explanation("gripping film " + "and more of the same " * 60, max_length=3)
    Console(file=file, width=500, color_system=None, highlight=False).print(render(found, Theme()))
    assert file.getvalue().splitlines()[0].endswith("… 857 more characters")


@pytest.mark.parametrize("width", [24, 40, 80])
def test_a_comparison_has_numbers_without_color(width: int) -> None:
    file = io.StringIO()
    Console(file=file, width=width, color_system=None, highlight=False).print(ScoreTable(rows(), Theme()))
    found = file.getvalue()
    assert max(map(cell_len, found.splitlines())) <= width
    assert found.count("sig") == 1
    assert all(number in found for number in ("+2.50", "-1.75", "0.00"))
    assert ("gripping       +2.50    -1.75     0.00" in found) == (width >= 40)


def printed(drawing: RenderableType, **settings: Any) -> str:
    file = io.StringIO()
    Console(file=file, width=80, highlight=False, force_terminal=True, **settings).print(drawing)
    return file.getvalue()


def test_color_is_named_only_where_there_is_color() -> None:
    drawing = render(cases()["short"], Theme())
    assert "Strongest color = 2.5." in printed(drawing, color_system="truecolor", no_color=False)
    for found in (printed(drawing, color_system=None), printed(drawing, color_system="truecolor", no_color=True)):
        assert "▲ supports positive, ▼ opposes it." in found
        assert "olor" not in found


def below(drawing: RenderableType, color: Any) -> list[str]:
    return printed(drawing, color_system=color).rstrip().rpartition("\n\n")[2].splitlines()


@pytest.mark.parametrize("color", [None, "truecolor"])
@pytest.mark.parametrize("name", sorted({*cases(), "decided", "unknown"} - {"warned"}))
def test_at_most_four_lines_stand_below_an_explanation(name: str, color: Any) -> None:
    found = {"decided": DECIDED, "unknown": DECIDED}.get(name) or cases()[name]
    if name == "unknown":
        found = replace(found, units=tuple(replace(unit, unknown=True) for unit in found.units))
    found = replace(found, warnings=())  # on the command line, standard error has them
    lines = below(render(found, Theme()), color)
    assert len(lines) <= 4
    assert "Score =" not in "".join(lines)


@pytest.mark.parametrize("color", [None, "truecolor"])
def test_at_most_four_lines_stand_below_a_comparison(color: Any) -> None:
    drawing = render_view(rows(), Theme())
    assert len(below(drawing, color)) <= 4
    assert "Kendall's tau against sig" in below(drawing, color)[-1]


def test_bars_diverge_from_a_middle_line() -> None:
    found = printed(render(cases()["short"], Theme()), color_system=None).splitlines()
    bars = [line for line in found if "│" in line]
    assert len({line.index("│") for line in bars}) == 1
    assert bars[0].split()[1:3] == ["gripping", "│██████████"]
    assert bars[1].split()[1:3] == ["dull", "███████│"]
