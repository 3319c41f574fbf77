"""The forms in which explanations and comparisons can be drawn, by their names and by files' suffixes."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, unknown
from . import palettes
from .styles import checked
from .view import rows

if TYPE_CHECKING:
    from ..results.comparison import Comparison
    from ..results.drawable import Drawable
    from ..results.explanation import Explanation
    from .many import Item

FORMS = ("html", "svg", "png", "markdown", "latex")
MARKED = ("markdown", "latex")  # bold and underlined, without colors
NUMBERS = ("json", "jsonl")  # no drawing at all
SUFFIXES = {".html": "html", ".htm": "html", ".svg": "svg", ".png": "png", ".md": "markdown", ".tex": "latex"}


@dataclass(frozen=True, slots=True)
class Theme:
    """How a drawing looks: its palette, and its style (colored by strength, or marked as in the paper)."""

    palette: str = "default"
    style: str = "shades"

    def __post_init__(self) -> None:
        palettes.palette(self.palette)
        checked(self.style)

    @property
    def options(self) -> dict[str, Any]:
        """What the writers take."""
        return {"colors": self.palette, "style": self.style}


def look_of(form: str, *, palette: str | None, style: str | None) -> Theme:
    """The look that was asked for, None where nothing was; what does not apply to the form is refused."""
    look = Theme(palette or "default", style or ("paper" if form in MARKED else "shades"))
    if form in NUMBERS and (palette or style):
        raise ArgumentError(f"{form} holds numbers and no drawing: neither a palette nor a style applies to it")
    if form in MARKED and palette:
        raise ArgumentError(f"{form} marks a text without colors: no palette applies to it")
    if form in MARKED and look.style != "paper":
        raise ArgumentError(f"{form} marks a text as the paper does: the style {style!r} does not apply to it")
    return look


def drawn(explanation: "Explanation", form: str, look: Theme) -> str | bytes:
    """An explanation in that form: a document, or a picture's bytes."""
    from . import html, paper, png, svg

    return _chosen(
        form,
        html=lambda: html.page(explanation, **look.options),
        svg=lambda: svg.drawing(explanation, **look.options),
        png=lambda: png.drawing(explanation, **look.options),
        markdown=lambda: paper.markdown(explanation),
        latex=lambda: paper.latex(explanation),
    )


def drawn_texts(items: "Sequence[Item]", form: str, look: Theme) -> str:
    """Several texts in one document of that form, which is HTML, Markdown or LaTeX."""
    from . import html, paper

    found = _chosen(
        form,
        html=lambda: html.collection(items, **look.options),
        markdown=lambda: paper.markdown_texts(items),
        latex=lambda: paper.latex_texts(items),
    )
    return str(found)


def drawn_rows(comparison: "Comparison", form: str, look: Theme) -> str | bytes:
    """A comparison in that form."""
    from . import html, paper, png, svg

    found = rows(comparison)
    return _chosen(
        form,
        html=lambda: html.comparison(comparison, **look.options),
        svg=lambda: svg.comparison(found, **look.options),
        png=lambda: png.comparison(found, **look.options),
        markdown=lambda: paper.markdown_rows(found),
        latex=lambda: paper.latex_rows(found),
    )


def fragment(what: "Drawable", look: Theme) -> str:
    """A piece of HTML for a notebook."""
    from ..results.comparison import Comparison
    from ..results.explanation import Explanation
    from . import html
    from .html.comparison import fragment as fragment_of_rows

    if isinstance(what, Comparison):
        return fragment_of_rows(what, **look.options)
    assert isinstance(what, Explanation)
    return html.fragment(what, **look.options)


def form_of(path: Path) -> str:
    """The form that a file's name asks for; `json` is one of them."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        return "json"
    if suffix not in SUFFIXES:
        raise ArgumentError(
            f"no form is known for a file that ends in {suffix!r}; use .json, {', '.join(sorted(SUFFIXES))}"
        )
    return SUFFIXES[suffix]


def show(what: "Drawable", look: Theme) -> None:
    """Draw it where it is asked for: in a notebook as it shows itself, else in the terminal."""
    notebook: Any = sys.modules.get("IPython")
    if notebook is not None and getattr(notebook.get_ipython(), "kernel", None) is not None:
        notebook.display.display(notebook.display.HTML(fragment(what, look)))
        return
    from rich.console import Console

    Console(highlight=False).print(printable(what, look))


def printable(what: "Drawable", look: Theme) -> Any:
    """The drawing as something that rich can print."""
    from ..results.comparison import Comparison
    from ..results.explanation import Explanation
    from . import terminal

    if isinstance(what, Comparison):
        return terminal.comparison(rows(what), **look.options)
    assert isinstance(what, Explanation)
    return terminal.drawing(what, **look.options)


def _chosen(form: str, **writers: Callable[[], str | bytes]) -> str | bytes:
    if form not in writers:
        raise unknown("form", form, writers)
    return writers[form]()
