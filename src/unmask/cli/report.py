"""`unmask report` and `unmask status`: results and progress of a run; loads no model."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..bulk.folder import ResultFolder
from ..errors import ArgumentError, check_known
from . import options as shared
from .estimate import duration
from .exit_codes import Exit
from .folder_status import show_folder
from .options import OUTPUT, argument, command, option
from .printing import print_line
from .writers import check_writable, write_tables

if TYPE_CHECKING:
    from ..experiments.reporting import PairStatus


@dataclass(frozen=True, kw_only=True)
class StatusOptions(shared.CommandOptions):
    """Options of `unmask status`."""

    folder: Path = argument("Folder of a run, or a folder of results written by unmask explain.")


@dataclass(frozen=True, kw_only=True)
class ReportOptions(shared.TableOptions, StatusOptions):
    """Options of `unmask report`."""

    folder: Path = argument("Folder of a run.")
    layout: str | None = option(
        OUTPUT,
        "Tables to show: paper (the paper's tables), steps (the paper's table of metrics by number of steps), summary "
        "(a verdict and one table per model), full (every table) or long (every number, as in JSON).",
        show_default="paper",
    )
    reference: str | None = shared.REFERENCE()
    times: bool = option(OUTPUT, "Include passes and seconds, which vary between runs.", "--times", default=False)
    picture: str | None = option(
        OUTPUT,
        "Draw a plot instead of tables: curves, operators or agreement. Needs -o PATH ending in .svg, .png or .pdf.",
    )


@command
def report(options: ReportOptions) -> Exit:
    """Show a run's results: the paper's tables, other tables, or a plot."""
    from ..experiments import reporting
    from ..experiments.store import Store
    from ..render.reports import layouts

    picture, layout = _picture(options), options.layout
    form = None if picture else options.form("table", "report").name
    check_writable(options.output, source=None)
    check_known("layout", [] if layout is None else [layout], layouts())
    if form == "json" and layout is not None:
        raise ArgumentError("--layout does not apply to json, which always has every number; remove it")
    if picture and (layout is not None or options.times):
        raise ArgumentError(f"{'--times' if layout is None else '--layout'} does not apply to --picture")
    if options.reference is not None and picture not in (None, "agreement"):
        raise ArgumentError(f"--reference does not apply to --picture {picture}; it applies to tables and agreement")
    with closing(Store(options.folder, reading=True)) as store:
        plan = reporting.plan_of(store)
        found = reporting.report(store, plan, reference=options.reference, times=options.times)
    if form is not None:
        write_tables(found, form, options.output, layout=layout)
    elif options.output is not None:
        found.save(options.output, picture=picture)
    return Exit.DONE


@command
def status(options: StatusOptions) -> Exit:
    """Show the progress, failures and time left of a run or of a folder of results."""
    from ..experiments import reporting
    from ..experiments import store as stores

    folder = options.folder
    if (results := ResultFolder(folder)).is_begun or results.holder is not None:
        return show_folder(results)
    holder = stores.holder(folder)
    about_to_begin = f"{holder} is starting: loading models and texts"
    if holder is not None and not stores.is_made(folder):
        print_line(about_to_begin)
        return Exit.DONE
    with closing(stores.Store(folder, reading=True)) as store:
        if holder is not None and not reporting.has_begun(store):
            print_line(about_to_begin)
            return Exit.DONE
        found = []
        for one in reporting.status(store, reporting.plan_of(store)):
            found.append(one)
            for line in (_said(one), *(f"  failed: {failure}" for failure in one.failures)):
                print_line(line)
        print_line(_left(found, reporting.left(store)))
    if holder is not None:
        print_line(f"{holder} is running")
    return Exit.DONE


def _picture(options: ReportOptions) -> str | None:
    """The picture to draw, checked against the output file; None for tables."""
    from ..render.reports import PICTURE_SUFFIXES, PICTURES

    picture, output = options.picture, options.output
    is_file = output is not None and output.suffix.lower() in PICTURE_SUFFIXES and options.format is None
    if picture is None and is_file:
        raise ArgumentError(f"a picture file needs --picture {shared.alternatives(PICTURES)}")
    check_known("picture", [] if picture is None else [picture], PICTURES)
    if picture is not None and not is_file:
        raise ArgumentError("--picture needs -o PATH ending in .svg, .png or .pdf, without --format")
    return picture


def _said(one: "PairStatus") -> str:
    if not one.is_begun:
        return f"{one.name} ({one.baseline}): not started"
    done = one.planned - one.missing
    share = 100 * done // max(1, one.planned)  # 100% only if nothing is missing
    return f"{one.name} ({one.baseline}): {done:,} of {one.planned:,} results, {share}%"


def _left(found: "Sequence[PairStatus]", seconds: float | None) -> str:
    """The results left to compute, and the time left if known."""
    missing, waiting = sum(one.missing for one in found), sum(not one.is_begun for one in found)
    parts = [f"{missing:,} {'result' if missing == 1 else 'results'} left"] * bool(missing)
    parts += [f"{waiting} of {len(found)} {'pair' if len(found) == 1 else 'pairs'} not started"] * bool(waiting)
    if not parts:
        failed = any(one.failures for one in found)
        return f"Finished{'; some texts failed. Rerun unmask run with --retry-failed' * failed}."
    time = f"; about {duration(seconds)} left at the speed of the last run" if seconds else ""
    return f"{', '.join(parts)}; rerun the command to resume{time}"
