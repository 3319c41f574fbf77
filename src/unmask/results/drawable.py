"""What an explanation and a comparison have in common: they draw themselves. Thin calls; the writers are in render/."""

import json
import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from .atomic_io import write_whole


class Drawable(ABC):
    """Something that can be drawn in several forms.

    Palettes are `default`, for all common kinds of color vision, and `red-green`; styles are `shades` and `paper`.
    """

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """All of it as plain JSON values."""

    @abstractmethod
    def _drawn(self, form: str, palette: str, style: str) -> str | bytes:
        """The drawing in that form."""

    def to_html(self, *, palette: str = "default", style: str = "shades") -> str:
        """One HTML document that asks nothing of the network."""
        return str(self._drawn("html", palette, style))

    def to_svg(self, *, palette: str = "default", style: str = "shades") -> str:
        """The drawing as SVG."""
        return str(self._drawn("svg", palette, style))

    def to_png(self, *, palette: str = "default", style: str = "shades") -> bytes:
        """The drawing as PNG; needs the extra `plot`."""
        found = self._drawn("png", palette, style)
        return found if isinstance(found, bytes) else found.encode()

    def to_markdown(self) -> str:
        """As the paper prints its examples, in Markdown: the top fifth bold, the most important unit underlined."""
        return str(self._drawn("markdown", "default", "paper"))

    def to_latex(self) -> str:
        """The same in LaTeX."""
        return str(self._drawn("latex", "default", "paper"))

    def show(self, *, palette: str = "default", style: str = "shades") -> None:
        """Draw it: in a notebook as it shows itself there, else in the terminal."""
        from ..render import formats

        formats.show(self, formats.Theme(palette, style))

    def save(self, path: str | os.PathLike[str], *, palette: str | None = None, style: str | None = None) -> None:
        """Write a .json, .html, .svg, .png, .md or .tex file, whole or not at all."""
        from ..render import formats

        form = formats.form_of(Path(path))
        look = formats.look_of(form, palette=palette, style=style)
        write_whole(Path(path), self._json() if form == "json" else self._drawn(form, look.palette, look.style))

    def _repr_html_(self) -> str:
        from ..render import formats

        return formats.fragment(self, formats.Theme())

    def _json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
