"""Evaluations in every form: thin doors to their tables."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from ..results.evaluation import Evaluation
from . import formats, tables
from .evaluation_tables import document
from .tables.csv import safe

if TYPE_CHECKING:
    from rich.console import RenderableType


def drawn(evaluation: Evaluation, form: str) -> str:
    """The tables in that form: html, latex or markdown; as csv, one line per figure."""
    return _lines(evaluation) if form == "csv" else tables.drawn(document(evaluation), form)


def printable(evaluation: Evaluation) -> "RenderableType":
    """The tables as something that rich can print."""
    return tables.printable(document(evaluation))


def fragment(evaluation: Evaluation) -> str:
    """A piece of HTML for a notebook."""
    from .tables.html import fragment

    return fragment(document(evaluation))


def show(evaluation: Evaluation) -> None:
    """Draw it where it is asked for: in a notebook as it shows itself, else in the terminal."""
    formats.show(lambda: fragment(evaluation), lambda: printable(evaluation))


def _lines(evaluation: Evaluation) -> str:
    """Every figure in a line of its own, for a spreadsheet or a script."""
    figures, text = list(evaluation.figures()), io.StringIO()
    writer = csv.DictWriter(text, list(figures[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(
        {name: safe(value) if isinstance(value, str) else value for name, value in one.items()} for one in figures
    )
    return text.getvalue()


def form_of(path: Path) -> str:
    """The form that a file's name asks for."""
    return formats.format_of(path, "table", "report").name
