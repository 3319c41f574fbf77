"""Draws the README's picture with unmask itself: .venv/bin/python scripts/picture.py"""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from unmask import Explainer
from unmask.render.terminal import render
from unmask.render.theme import Theme

TEXT = "Not without charm, but too long, and never as funny as its gripping, beautifully shot beginning."
PLACE = Path(__file__).resolve().parents[1] / "docs" / "terminal.svg"


def picture(text: str) -> str:
    """The command and its output, as an SVG that loads nothing from the network."""
    console = Console(record=True, width=92, file=io.StringIO(), color_system="truecolor", force_terminal=True)
    console.print(f'$ unmask explain "{text}"\n', style="bold", highlight=False)
    console.print(render(Explainer.default(device="cpu").explain(text), Theme()))
    svg = console.export_svg(title="unmask", theme=MONOKAI, unique_id="unmask")
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code, monospace", "monospace")


PLACE.write_text(picture(TEXT), encoding="utf-8")
