"""`unmask report` and `unmask status`: a folder of results, without any model."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ArgumentError, unknown
from ..render.formats import format_named, suffixes
from . import exit_codes, options
from .destinations import check_writable
from .estimate import duration
from .exit_codes import Exit
from .options import ASKED, option
from .writers import OurConsole, show, write_document

if TYPE_CHECKING:
    from ..experiments.reporting import PairStatus
    from ..experiments.store import Store
    from ..results.report import Report


def report(
    folder: options.Folder,
    layout: Annotated[
        str | None,
        option(
            ASKED,
            help="paper: the paper's tables; full: every table; long: every figure, as JSON always has it; steps.",
            show_default="paper",
        ),
    ] = None,
    reference: options.Reference = None,
    times: Annotated[
        bool, option(ASKED, "--times", help="Passes and seconds too, which differ from run to run.")
    ] = False,
    picture: Annotated[
        str | None, option(ASKED, help="curves, operators or agreement, for -o PATH that ends in .svg, .png or .pdf.")
    ] = None,
    format: options.TableFormat = None,
    output: options.Output = None,
    debug: options.Debug = False,
) -> None:
    """Show what a run has found: the paper's tables, or every figure."""

    def work() -> Exit:
        from ..experiments import reporting
        from ..render.reports import LAYOUTS

        form = None if is_picture(picture, format, output) else form_of(format, output)
        if output is not None:
            check_writable(output, source=None)
        if layout is not None and layout not in LAYOUTS:
            raise unknown("layout", layout, LAYOUTS)
        if form is None and (layout is not None or times):
            raise ArgumentError(f"{'--times' if layout is None else '--layout'} beside --picture: it is for tables")
        if reference is not None and picture not in (None, "agreement"):
            raise ArgumentError(f"--reference beside --picture {picture}: it is for tables, and for agreement")
        with reporting.reading(folder) as store:
            found = reporting.report(store, reporting.plan_of(store), reference=reference, times=times)
        if form is not None:
            write_report(found, form=form, layout=layout or "paper", output=output)
        elif output is not None:
            found.save(output, picture=picture)
        return Exit.DONE

    raise typer.Exit(exit_codes.ended(work, debug=debug))


def status(folder: options.Folder, debug: options.Debug = False) -> None:
    """Say what of a run is done, what failed and why, and the time left."""

    def work() -> Exit:
        from ..experiments import reporting
        from ..experiments import store as stores

        console, holder = OurConsole(highlight=False, soft_wrap=True), stores.holder(folder)
        if holder is not None and not stores.is_made(folder):
            _say_about_to_begin(console, holder)
            return Exit.DONE
        with reporting.reading(folder) as store:
            if holder is not None and not reporting.has_begun(store):
                _say_about_to_begin(console, holder)
            else:
                _say_status(console, store, holder)
        return Exit.DONE

    raise typer.Exit(exit_codes.ended(work, debug=debug))


def _say_about_to_begin(console: OurConsole, holder: str) -> None:
    console.print(f"{holder} is about to begin: it opens models and reads texts", markup=False)


def _say_status(console: OurConsole, store: "Store", holder: str | None) -> None:
    from ..experiments import reporting

    found = []
    for one in reporting.status(store, reporting.plan_of(store)):
        found.append(one)
        console.print(_said(one), markup=False)
        for failing in one.failures:
            console.print(f"  failed: {failing}", markup=False)
    console.print(_left(found, reporting.left(store)), markup=False)
    if holder is not None:
        console.print(f"{holder} is at work on it", markup=False)


def is_picture(picture: str | None, form: str | None, output: Path | None) -> bool:
    """Whether a picture is asked for; refused where there is no file that can hold it, or no picture for the file."""
    from ..render.reports import PICTURE_SUFFIXES, PICTURES

    is_file = output is not None and output.suffix.lower() in PICTURE_SUFFIXES and form is None
    if picture is None:
        if is_file:
            raise ArgumentError(f"a picture of what? give --picture {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")
        return False
    if picture not in PICTURES:
        raise unknown("picture", picture, PICTURES)
    if not is_file:
        raise ArgumentError("--picture goes into a file: give -o PATH that ends in .svg, .png or .pdf, and no --format")
    return True


def _said(one: "PairStatus") -> str:
    if not one.is_begun:
        return f"{one.name} ({one.baseline}): not started"
    done = one.planned - one.missing
    share = 100 * done // max(1, one.planned)  # 100% only where all is there
    return f"{one.name} ({one.baseline}): {done:,} of {one.planned:,} results, {share}%"


def _left(found: "Sequence[PairStatus]", seconds: float | None) -> str:
    """What is left to do, and how long it takes where that is known."""
    missing, waiting = sum(one.missing for one in found), sum(not one.is_begun for one in found)
    parts = [f"{missing:,} {'result' if missing == 1 else 'results'} left"] * bool(missing)
    parts += [f"{waiting} of {len(found)} {'pair' if len(found) == 1 else 'pairs'} not started"] * bool(waiting)
    if not parts:
        failed = any(one.failures for one in found)
        return f"Finished{'; some texts failed. Rerun with --retry-failed' * failed}."
    time = f"; about {duration(seconds)} left at the pace of the last run" if seconds else ""
    return f"{', '.join(parts)}; rerun the command to resume{time}"


def form_of(name: str | None, output: Path | None) -> str:
    """The form of that name, else the one that a file's name asks for."""
    if name is not None:
        return format_named(name, "table", "report").name
    suffix = "" if output is None else output.suffix.lower()
    known = suffixes("table", "report")
    if suffix not in known:
        raise ArgumentError(f"no format is known for a file that ends in {suffix!r}; give --format")
    return known[suffix]


def write_report(found: "Report", *, form: str, layout: str, output: Path | None) -> None:
    """A report to a file or to standard output."""
    from ..render.reports import LAYOUTS, printable, render

    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    if form != "terminal":
        write_document(render(found, form, layout), output)
    else:
        show(printable(found, layout), output)
