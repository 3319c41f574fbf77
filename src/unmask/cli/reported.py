"""`unmask report` and `unmask status`: a folder of results, without any model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ArgumentError, unknown
from . import exits, options
from .exits import Exit
from .options import ASKED, OUTPUT, option
from .output import check_writable
from .writing import OurConsole, printed, write_document

if TYPE_CHECKING:
    from ..report import Report

FORMS = ("terminal", "markdown", "latex", "csv", "json", "html")
SUFFIXES = {
    "": "terminal",
    ".txt": "terminal",
    ".md": "markdown",
    ".tex": "latex",
    **{f".{form}": form for form in ("csv", "json", "html")},
}
Folder = Annotated[Path, typer.Argument(help="The folder of a run.", show_default=False)]


def report(
    folder: Folder,
    layout: Annotated[str, option(ASKED, help="paper: the paper's tables; long: every figure; steps.")] = "paper",
    reference: Annotated[
        str | None, option(ASKED, metavar="METHOD", help="Show every method's paired differences from this one.")
    ] = None,
    times: Annotated[
        bool, option(ASKED, "--times", help="Passes and seconds too, which differ from run to run.")
    ] = False,
    format: Annotated[
        str | None,
        option(
            OUTPUT,
            help="terminal, markdown, latex, csv, json or html.",
            show_default="by the suffix of -o, else terminal",
        ),
    ] = None,
    output: Annotated[Path | None, option(OUTPUT, "-o", "--output", metavar="PATH", help="Write to a file.")] = None,
    debug: options.Debug = False,
) -> None:
    """Show what a run has found: the paper's tables, or every figure."""

    def work() -> Exit:
        from ..runs import reporting

        form = form_of(format, output)
        if output is not None:
            check_writable(output, source=None)
        found = reporting.report(folder, reporting.plan_of(folder), reference=reference, times=times)
        if reference is not None and reference not in found.kinds:
            raise unknown("reference", reference, found.kinds)
        write_report(found, form=form, layout=layout, output=output)
        return Exit.DONE

    raise typer.Exit(exits.ended(work, debug=debug))


def status(folder: Folder, debug: options.Debug = False) -> None:
    """Say what of a run is done, and what failed and why."""

    def work() -> Exit:
        from ..runs import reporting

        console, left = OurConsole(highlight=False), 0
        for one in reporting.status(folder, reporting.plan_of(folder)):
            done = one.planned - one.missing
            left += one.missing
            share = f"{done / one.planned:.0%}" if one.planned else "not begun"
            console.print(f"{one.name} ({one.baseline}): {done:,} of {one.planned:,} results, {share}")
            for reason in one.failures:
                console.print(f"  failed: {reason}", markup=False)
        console.print("all is there" if not left else f"{left:,} results are left: the same command goes on")
        return Exit.DONE

    raise typer.Exit(exits.ended(work, debug=debug))


def form_of(name: str | None, output: Path | None) -> str:
    """The form of that name, else the one that a file's name asks for."""
    if name is not None:
        if name not in FORMS:
            raise unknown("format", name, FORMS)
        return name
    suffix = "" if output is None else output.suffix.lower()
    if suffix not in SUFFIXES:
        raise ArgumentError(f"no format is known for a file that ends in {suffix!r}; give --format")
    return SUFFIXES[suffix]


def write_report(found: "Report", *, form: str, layout: str, output: Path | None) -> None:
    """A report to a file or to standard output."""
    from ..render.reports import LAYOUTS, drawn, printable

    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    if form != "terminal":
        write_document(drawn(found, form, layout), output)
    elif output is not None:
        write_document(printed(printable(found, layout)), output)
    else:
        OurConsole(highlight=False).print(printable(found, layout))
