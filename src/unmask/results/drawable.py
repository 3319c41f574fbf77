"""What an explanation and a comparison have in common: they draw themselves. Thin calls; the writers are in render/."""

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Literal

from .atomic_io import write_whole


class Drawable(ABC):
    """Something that can be drawn in several formats.

    Palettes are `default`, for all common kinds of color vision, and `red-green`; styles are `shades` and `paper`;
    modes of a picture are `light` and `dark`.
    """

    __slots__ = ()
    kind: ClassVar[Literal["explanation", "comparison"]]

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """All of it as plain JSON values."""

    def to_html(self, *, palette: str = "default", style: str = "shades") -> str:
        """One HTML document that asks nothing of the network."""
        return str(self._render("html", palette=palette, style=style))

    def to_svg(self, *, palette: str = "default", style: str = "shades", mode: str = "light") -> str:
        """The drawing as SVG."""
        return str(self._render("svg", palette=palette, style=style, mode=mode))

    def to_png(self, *, palette: str = "default", style: str = "shades", mode: str = "light") -> bytes:
        """The drawing as PNG."""
        return bytes(self._render("png", palette=palette, style=style, mode=mode))

    def to_pdf(self, *, palette: str = "default", style: str = "shades", mode: str = "light") -> bytes:
        """The drawing as PDF."""
        return bytes(self._render("pdf", palette=palette, style=style, mode=mode))

    def to_markdown(self) -> str:
        """As the paper prints its examples, in Markdown: the top fifth bold, the most important unit underlined."""
        return str(self._render("markdown"))

    def to_latex(self) -> str:
        """The same in LaTeX."""
        return str(self._render("latex"))

    def show(self, *, palette: str = "default", style: str = "shades") -> None:
        """Draw it: in a notebook as HTML, else in the terminal."""
        from ..render import formats, html

        theme = formats.FORMATS["terminal"].theme(palette=palette, style=style)
        formats.show(lambda: html.fragment(self, theme), lambda: formats.printable(self, theme))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        palette: str | None = None,
        style: str | None = None,
        mode: str | None = None,
    ) -> None:
        """Write a .json, .html, .svg, .png, .pdf, .md or .tex file, whole or not at all."""
        from ..render.formats import format_of

        form = format_of(Path(path), self.kind).name
        write_whole(Path(path), self._render(form, palette=palette, style=style, mode=mode))

    def _repr_html_(self) -> str:
        from ..render import html

        return html.fragment(self)

    def _render(self, form: str, **theme: str | None) -> Any:
        from ..render.formats import FORMATS, render

        return render(self, form, FORMATS[form].theme(**theme))
