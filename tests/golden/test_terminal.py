"""The terminal drawing, exactly, at fixed widths. Renew with: scripts/test tests/golden --renew."""

import io
from pathlib import Path
from typing import Literal

import pytest
from rich.console import Console, RenderableType
from support.deciding import DECIDED
from support.explanations import cases, rows
from support.written_answers import answers

from unmask.render.terminal import render, render_view
from unmask.render.theme import Theme

HERE = Path(__file__).parent


def drawings() -> dict[str, RenderableType]:
    """Every case, and the other styles, palettes and comparisons."""
    return {
        **{name: render(found, Theme()) for name, found in cases().items()},
        **{name: render(found, Theme()) for name, found in answers().items()},
        "decided": render(DECIDED, Theme()),
        "paper": render(cases()["short"], Theme(style="paper")),
        "red-green": render(cases()["short"], Theme("red-green")),
        "comparison": render_view(rows(), Theme()),
        "comparison-paper": render_view(rows(), Theme(style="paper")),
    }


def drawn(found: RenderableType, *, width: int, color: bool) -> str:
    text = io.StringIO()
    system: Literal["truecolor"] | None = "truecolor" if color else None
    console = Console(
        file=text, width=width, color_system=system, force_terminal=color, highlight=False, legacy_windows=False
    )
    console.print(found)
    return text.getvalue()


# Every drawing once in color at 100 columns, which holds its text too; where lines wrap otherwise, once plain at 60.
NARROW = (
    "long",
    "pair-cut",
    "several-labels",
    "hostile",
    "unread",
    "warned",
    "redundant",
    "sentences",
    "comparison",
    "decided",
    "answer",
    "answer-documents",
    "answer-detail",
)
GOLDEN = [*((name, "100-color") for name in drawings()), *((name, "60") for name in NARROW)]


@pytest.mark.parametrize(("name", "form"), GOLDEN)
def test_drawings(name: str, form: str, request: pytest.FixtureRequest) -> None:
    width, _, color = form.partition("-")
    found = drawn(drawings()[name], width=int(width), color=bool(color))
    path = HERE / "terminal" / f"{name}-{form}.txt"
    if request.config.getoption("--renew"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="")
    assert found == path.read_text(encoding="utf-8")
    plain = drawn(drawings()[name], width=int(width), color=False)
    assert max(map(len, plain.splitlines())) <= int(width)
    assert "\x1b" not in plain
