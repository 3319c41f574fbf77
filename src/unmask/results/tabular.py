"""What an evaluation and a report have in common: tables of themselves. Thin calls; the writers are in render/."""

from typing import Any


class Tabular:
    """Results that write themselves as tables.

    Layouts are `full`, `long` and those of studies: `paper` and `steps`. The default is `full` for an evaluation and
    `paper` for a report.
    """

    __slots__ = ()

    def to_markdown(self, layout: str | None = None) -> str:
        """The tables in Markdown."""
        return self._render("markdown", layout)

    def to_latex(self, layout: str | None = None) -> str:
        """The tables in LaTeX."""
        return self._render("latex", layout)

    def to_html(self, layout: str | None = None) -> str:
        """One HTML document that loads nothing from the network; that of a report has all pictures."""
        return self._render("html", layout)

    def to_csv(self, layout: str | None = None) -> str:
        """Plain numbers: one line per figure, or per row of a table in the layouts of studies."""
        return self._render("csv", layout)

    def show(self, layout: str | None = None) -> None:
        """Show the tables: as HTML in a notebook, else in the terminal."""
        _reports().show(self, layout)

    def _repr_html_(self) -> str:
        return str(_reports().fragment(self))

    def _render(self, form: str, layout: str | None = None) -> str:
        return str(_reports().render(self, form, layout))


def _reports() -> Any:
    from ..render import reports

    return reports
