"""The SVG drawing, exactly. Renew with: scripts/test tests/golden --renew."""

from pathlib import Path

import pytest
from support.explanations import cases, rows

from unmask.render import svg

HERE = Path(__file__).parent


def check(name: str, found: str, request: pytest.FixtureRequest) -> None:
    path = HERE / "svg" / f"{name}.svg"
    if request.config.getoption("--renew"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="")
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", cases())
def test_drawings(name: str, request: pytest.FixtureRequest) -> None:
    check(name, svg.drawing(cases()[name]), request)


def test_the_paper_style(request: pytest.FixtureRequest) -> None:
    check("short-paper", svg.drawing(cases()["short"], style="paper"), request)


def test_a_narrow_drawing(request: pytest.FixtureRequest) -> None:
    check("short-400", svg.drawing(cases()["short"], width=400, colors="red-green"), request)


@pytest.mark.parametrize("style", ["shades", "paper"])
def test_a_comparison(style: str, request: pytest.FixtureRequest) -> None:
    check(f"comparison-{style}", svg.comparison(rows(), style=style), request)
