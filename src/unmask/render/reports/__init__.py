"""Reports over many evaluations in every form: tables, and in HTML or in files of their own pictures."""

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ...errors import ArgumentError, unknown
from ...results.report import Report
from .. import tables
from .document import LAYOUTS, document
from .pictures import KINDS, SUFFIXES, on_a_sheet
from .record import as_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

__all__ = ["FORMS", "LAYOUTS", "PICTURES", "as_json", "drawn", "fragment", "plotted", "printable", "saved", "show"]

FORMS = (*tables.FORMS, "json")
PICTURES = tuple(KINDS)
FILES = {".md": "markdown", ".tex": "latex", ".html": "html", ".csv": "csv", ".json": "json"}


def drawn(report: Report, form: str, layout: str = "paper") -> str:
    """The report in that form, which is one of `FORMS`; JSON has all figures, whatever the layout."""
    if form not in FORMS:
        raise unknown("form", form, FORMS)
    if form == "json":
        return as_json(report)
    return tables.drawn(document(report, layout, form=form), form)


def printable(report: Report, layout: str = "paper") -> "RenderableType":
    """The report as something that rich can print, at whatever width."""
    return tables.printable(document(report, layout))


def fragment(report: Report, layout: str = "paper") -> str:
    """A piece of HTML for a notebook, with the pictures."""
    from ..tables.html import fragment

    return fragment(document(report, layout, form="html"))


def show(report: Report, layout: str = "paper") -> None:
    """Draw it where it is asked for: in a notebook as it shows itself, else in the terminal."""
    notebook: Any = sys.modules.get("IPython")
    if notebook is not None and getattr(notebook.get_ipython(), "kernel", None) is not None:
        notebook.display.display(notebook.display.HTML(fragment(report, layout)))
        return
    from rich.console import Console

    Console(highlight=False).print(printable(report, layout))


def plotted(report: Report, picture: str) -> "Figure":
    """All pictures of that kind as one figure of matplotlib."""
    found: Figure = _matplotlib().figure(on_a_sheet(report, picture))
    return found


def saved(report: Report, path: Path, *, layout: str | None, picture: str | None) -> str | bytes:
    """What a file of that name holds."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        if picture is None:
            raise ArgumentError(f"a {suffix} file holds one kind of picture: say which of {', '.join(PICTURES)}")
        if layout is not None:
            raise ArgumentError(f"layout={layout!r} beside a picture: layouts are of tables; leave it away")
        svg = on_a_sheet(report, picture)
        return f"{svg}\n" if suffix == ".svg" else bytes(_matplotlib().written(svg, suffix[1:]))
    if picture is not None:
        raise ArgumentError(f"a picture goes into a file that ends in {', '.join(SUFFIXES)}, not in {suffix!r}")
    if suffix not in FILES:
        known = ", ".join([*FILES, *SUFFIXES])
        raise ArgumentError(f"no form is known for a file that ends in {suffix!r}; use {known}")
    return drawn(report, FILES[suffix], layout or "paper")


def _matplotlib() -> ModuleType:
    try:
        from ..charts import plotted
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise ArgumentError(
            "PNG and PDF are drawn by matplotlib, which is not installed; SVG is not",
            hint="pip install 'unmask[plot]'",
        ) from error
    return plotted
