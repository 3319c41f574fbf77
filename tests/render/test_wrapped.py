"""Texts in the lines of a terminal."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console
from support.explanations import explanation

from unmask.render.colored_spans import ColoredSpan
from unmask.render.palettes import palette
from unmask.render.styles import Style
from unmask.render.view import picture
from unmask.render.wrapped import Look, Wrapped, texts

CHINESE = "这部电影非常精彩，演员的表演令人难忘。"


def lines(shades: tuple[ColoredSpan, ...], *, width: int, style: Style = "shades", even: bool = False) -> list[str]:
    file = io.StringIO()
    look = Look(palette=palette("default"), style=style, room="even" if even else "needed")
    Console(file=file, width=width, color_system=None, highlight=False).print(Wrapped(shades, look))
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
    strong, faint = (lines(units(CHINESE, strength), width=width, even=True) for strength in (-1.0, 0.0))
    assert [line.replace("▼", " ").rstrip() for line in strong] == [line.rstrip() for line in faint]


def test_bold_is_as_wide_as_plain() -> None:
    marked = tuple(ColoredSpan("film ", 1.0, 1.0, mark="most") for _ in range(4))
    assert lines(marked, width=23, style="paper") == ["  film film film film"]


def test_a_narrow_terminal_still_shows_the_text() -> None:
    assert "".join(line.strip() for line in lines((ColoredSpan("beautifully"),), width=6)) == "beautifully"


def test_what_was_not_read_is_shortened() -> None:
    found = explanation("gripping film " + "and more of the same " * 60, max_length=3)
    look = Look(palette=palette("default"), style="shades")
    (text,) = texts(picture(found), look)
    assert isinstance(text, Wrapped)
    assert "".join(shade.text for shade in text.shades).endswith("… 857 more characters ")
