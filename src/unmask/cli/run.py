"""`unmask run`: a grid of models and datasets, whose results are kept as they come."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import typer

from ..errors import ArgumentError
from . import exit_codes, options
from .destinations import check_writable
from .estimate import duration
from .exit_codes import Exit, is_watched, say
from .report import form_of, write_report
from .writers import OurConsole, as_json, write_document

if TYPE_CHECKING:
    from ..experiments.plan import Plan
    from ..experiments.scheduler import PairEstimate, ReportProgress, Run, RunProgress


def run(
    plan: options.PlanName,
    folder: options.PlanFolder = None,
    map: options.Map = None,
    only: options.Only = None,
    limit: options.Limit = None,
    protocol: options.ProtocolName = None,
    reference: options.Reference = None,
    estimate: options.Estimated = False,
    retry_failed: options.RetryFailed = False,
    device: options.Device = None,
    batch_tokens: options.BatchTokens = None,
    format: options.TableFormat = None,
    output: options.Output = None,
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Evaluate methods on a grid of models and datasets; the same command goes on where it stopped."""
    given = SimpleNamespace(**locals())

    def work() -> Exit:
        form_of(format, output)
        if output is not None:
            check_writable(output, source=None)
        return execute(named_plan(given), folder, given)

    raise typer.Exit(exit_codes.ended(work, debug=debug))


def named_plan(given: SimpleNamespace) -> "Plan":
    """The plan of that name, with local names, cut down to what is asked for."""
    from ..experiments.plan import Plan

    plan = Plan.load(given.plan)
    plan = plan if given.protocol is None else plan.under(given.protocol)
    plan = plan.mapped(dict(_mapping(text) for text in given.map)) if given.map else plan
    plan = plan.only(given.only) if given.only else plan
    return plan if given.limit is None else plan.limited(given.limit)


def execute(plan: "Plan", folder: Path | None, given: SimpleNamespace) -> Exit:
    """Do what is missing in a folder and show what is there, or estimate what it takes."""
    from ..experiments.reporting import reference_of
    from ..experiments.scheduler import Run

    if folder is None and not given.estimate:
        raise ArgumentError("results are kept in a folder: give --run FOLDER, or unmask run PLAN FOLDER")
    run = Run(folder or Path(), plan, device=given.device, batch_tokens=given.batch_tokens)
    form = form_of(given.format, given.output)
    reference = reference_of(plan, given.reference)  # now, and not when all is done
    if given.estimate:
        return _write_estimate(run, form=form)
    if not given.quiet and (note := _other_results(run)) is not None:
        say(f"note: {note}")
    with _progress_line(shown=is_watched(quiet=given.quiet)) as progress:
        run.go(retry_failed=given.retry_failed, progress=progress)
    report = run.report(reference=reference)
    write_report(report, form=form, layout="paper", output=given.output)
    evaluations = [(cell.dataset, cell.evaluation) for cell in report.cells if cell.evaluation]
    failures = [(dataset, one) for dataset, evaluation in evaluations for one in evaluation.failures]
    for reason in dict.fromkeys(one.reason for _, one in failures):
        texts = {(dataset, one.example): one.name for dataset, one in failures if one.reason == reason}
        (dataset, _), name = min(texts.items())
        more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
        say(f"error: {name} of {dataset}{more}: {reason}")
    if failures and not any(row.values for _, evaluation in evaluations for row in evaluation.rows):
        return Exit.NOTHING_DONE
    return Exit.SOME_FAILED if failures else Exit.DONE


def _other_results(run: "Run") -> str | None:
    """What the folder holds beside the plan, where that is whole datasets or models; None where it is nothing."""
    from ..experiments import reporting
    from ..experiments.store import is_made

    if not is_made(run.folder):
        return None
    with reporting.reading(run.folder) as store:
        before = reporting.plan_of(store).pairs() if reporting.has_begun(store) else ()
    now = {(pair.name, pair.dataset.source) for pair in run.plan.pairs()}
    others = {pair.name: pair.dataset.source for pair in before if (pair.name, pair.dataset.source) not in now}
    if not others:
        return None
    named = ", ".join(f"{name} ({source})" for name, source in others.items())
    return f"{str(run.folder)!r} has results of {named} too: they are kept, and shown when you evaluate them again"


def _write_estimate(run: "Run", *, form: str) -> Exit:
    """What a plan would take here, in words or as JSON; no file is written, whatever a run would write."""
    estimates = run.estimate()
    if form == "json":
        write_document(as_json([asdict(one) for one in estimates]), None)
        return Exit.DONE
    console, pairs = OurConsole(highlight=False), []
    for one in estimates:
        pairs.append(one)
        sentence = f"{one.texts:,} texts, {_taken([one])}" if one.texts else "none of its texts can be read"
        console.print(f"{one.name} ({one.baseline}): {sentence}", soft_wrap=True)
    console.print(f"all: {_taken(pairs)} on this machine", soft_wrap=True)
    return Exit.DONE


def _taken(found: "Sequence[PairEstimate]") -> str:
    """Cells, passes, operations and time.

    >>> from unmask.experiments.scheduler import PairEstimate
    >>> one = PairEstimate("sst2/bert", "mask", 2, 100, 2100, 3.2e12, 90.0, is_least=False)
    >>> _taken([one, one])
    '4 cells, 4,200 passes, 6.4 TFLOP, 3 min 0 s'
    """
    least = "at least " if any(one.is_least for one in found) else ""
    cells, passes = sum(one.cells for one in found), sum(one.passes for one in found)
    operations, seconds = sum(one.operations for one in found), sum(one.seconds for one in found)
    return f"{cells} cells, {least}{passes:,} passes, {operations / 1e12:,.1f} TFLOP, {least}{duration(seconds)}"


def _mapping(given: str) -> tuple[str, str]:
    name, equals, path = given.partition("=")
    if not (name and equals and path):
        raise ArgumentError(f"--map {given!r}: write NAME=PATH")
    return name, path


@contextmanager
def _progress_line(*, shown: bool) -> "Iterator[ReportProgress | None]":
    """What is done now and the time left, in one line."""
    if not shown:
        yield None
        return
    from tqdm.auto import tqdm

    with tqdm(total=100, bar_format="{l_bar}{bar}| {desc}", dynamic_ncols=True) as bar:

        def tell(doing: "RunProgress") -> None:
            bar.n = 100 * doing.share
            bar.set_description_str(f"{duration(doing.left)} left, {doing.what}", refresh=True)

        yield tell
