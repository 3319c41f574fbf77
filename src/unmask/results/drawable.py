"""The drawing methods of all results: thin wrappers around the writers in render/."""

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Literal

from .atomic_io import write_whole


class Drawable(ABC):
    """A result that you can draw, save or show in a notebook.

    Palettes: `default` (distinguishable with all common kinds of color vision) and `red-green`. Styles: `shades` and
    `paper`. Modes, for SVG, PNG and PDF only: `light` and `dark`.
    """

    __slots__ = ()
    kind: ClassVar[Literal["explanation", "comparison", "interactions"]]

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values."""

    def to_html(self, *, palette: str = "default", style: str = "shades") -> str:
        """A self-contained HTML document."""
        return str(self._render("html", palette=palette, style=style))

    def to_svg(self, *, palette: str = "default", style: str = "shades", mode: str = "light") -> str:
        """An SVG image."""
        return str(self._render("svg", palette=palette, style=style, mode=mode))

    def to_png(self, *, palette: str = "default", style: str = "shades", mode: str = "light") -> bytes:
        """A PNG image."""
        return bytes(self._render("png", palette=palette, style=style, mode=mode))

    def to_pdf(self, *, palette: str = "default", style: str = "shades", mode: str = "light") -> bytes:
        """A PDF document."""
        return bytes(self._render("pdf", palette=palette, style=style, mode=mode))

    def to_markdown(self) -> str:
        """Markdown in the paper's style: the top fifth of the units bold, the one with the largest score underlined."""
        return str(self._render("markdown"))

    def to_latex(self) -> str:
        """LaTeX in the paper's style."""
        return str(self._render("latex"))

    def show(self, *, palette: str = "default", style: str = "shades") -> None:
        """Show HTML in a notebook, or print to the terminal elsewhere."""
        from ..render import formats

        theme = formats.FORMATS["terminal"].theme(palette=palette, style=style)
        formats.show(lambda: formats.fragment(self, theme), lambda: formats.printable(self, theme))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        palette: str | None = None,
        style: str | None = None,
        mode: str | None = None,
    ) -> None:
        """Write a .json, .html, .svg, .png, .pdf, .md, .tex, .csv or .parquet file atomically."""
        from ..render.formats import format_of

        form = format_of(Path(path), self.kind).name
        write_whole(Path(path), self._render(form, palette=palette, style=style, mode=mode))

    def _repr_html_(self) -> str:
        from ..render.formats import FORMATS, fragment

        return fragment(self, FORMATS["html"].theme())

    def _render(self, form: str, **theme: str | None) -> Any:
        from ..render.formats import FORMATS, render

        return render(self, form, FORMATS[form].theme(**theme))


class Tabular:
    """Results that can be written as tables.

    The layouts are `summary`, `full`, `long`, and those that studies add: `paper` and `steps`. The default is `full`
    for an evaluation and `paper` for a report.
    """

    __slots__ = ()

    def to_markdown(self, layout: str | None = None) -> str:
        """The tables in Markdown."""
        return self._render("markdown", layout)

    def to_latex(self, layout: str | None = None) -> str:
        """The tables in LaTeX."""
        return self._render("latex", layout)

    def to_html(self, layout: str | None = None) -> str:
        """A self-contained HTML document; that of a report includes all charts."""
        return self._render("html", layout)

    def to_csv(self, layout: str | None = None) -> str:
        """Unrounded numbers as CSV: one line per number, or one line per table row in the layouts of studies."""
        return self._render("csv", layout)

    def show(self, layout: str | None = None) -> None:
        """Show the tables as HTML in a notebook, or print them to the terminal elsewhere."""
        _reports().show(self, layout)

    def _repr_html_(self) -> str:
        return str(_reports().fragment(self))

    def _render(self, form: str, layout: str | None = None) -> str:
        return str(_reports().render(self, form, layout))


def _reports() -> Any:
    from ..render import reports

    return reports
