"""`unmask run`: a resumable evaluation of a grid of models and datasets."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ArgumentError, SchemaError
from ..render.escape import one_line
from . import options as shared
from .engine_options import EngineOptions
from .estimate import check_printed, duration
from .exit_codes import Exit, say
from .options import ASKED, RUN, TEXTS, argument, command, option
from .printing import as_json, print_line
from .writers import check_writable, write_document, write_tables

if TYPE_CHECKING:
    from ..experiments.plan import Plan
    from ..experiments.scheduler import PairEstimate, ReportProgress, Run, RunProgress
    from ..results.report import Report


@dataclass(frozen=True, kw_only=True)
class RunOptions(shared.TableOptions, shared.DeviceOptions, EngineOptions):
    """Options of every run, from a plan or from `unmask evaluate`."""

    limit: int | None = option(TEXTS, "Use only the first N texts of a dataset.", min=1, metavar="N")
    protocol: str | None = option(
        ASKED, "Protocol: corrected, or paper (as in the published code, bugs included).", show_default="corrected"
    )
    reference: str | None = shared.REFERENCE()
    map: list[str] | None = option(RUN, "Local folder or file to use for a name in the plan.", metavar="NAME=PATH")
    only: list[str] | None = option(RUN, "Run only a part of the plan: sst2/bert, sst2 or */bert.", metavar="PAIR")
    estimate: bool = shared.ESTIMATE()
    retry_failed: bool = option(RUN, "Retry texts that failed before.", "--retry-failed", default=False)

    def named_plan(self, name: str) -> "Plan":
        """Load a plan and apply --protocol, --map, --only and --limit."""
        from ..experiments.plan import Plan

        plan = Plan.load(name)
        plan = plan if self.protocol is None else plan.under(self.protocol)
        plan = plan.mapped(dict(map(_mapping, self.map))) if self.map else plan
        plan = plan.only(self.only) if self.only else plan
        return plan if self.limit is None else plan.limited(self.limit)


@dataclass(frozen=True, kw_only=True)
class PlanOptions(RunOptions):
    """Options of `unmask run`."""

    plan: str = argument("A .toml file, or a built-in plan: paper or paper-steps.", metavar="PLAN")
    folder: Path | None = argument(
        "Folder for the results; not needed with --estimate.", metavar="FOLDER", default=None
    )


@command
def run(options: PlanOptions) -> Exit:
    """Evaluate methods on a grid of models and datasets; rerun the same command to resume."""
    options.form("table", "report")
    check_writable(options.output, source=None)
    return execute(options.named_plan(options.plan), options.folder, options)


def execute(plan: "Plan", folder: Path | None, options: RunOptions, *, layout: str | None = None) -> Exit:
    """Compute the missing results of a folder and print the report, or estimate the cost."""
    from ..experiments.reporting import reference_of
    from ..experiments.scheduler import Run

    if folder is None and not options.estimate:
        raise ArgumentError("a run needs a folder: unmask run PLAN FOLDER, or unmask evaluate --run FOLDER")
    options.check_engine(is_kept=not options.estimate, needs="a folder, and does not apply to --estimate")
    engine = options.execution_engine()
    run = Run(folder or Path(), plan, engine=engine, **options.settings("device"), **options.budget)
    form = options.form("table", "report").name
    reference = reference_of(plan, options.reference)  # a wrong name must fail before the work, not after it
    if options.estimate:
        check_printed(form, options.output)
        return _write_estimate(run, form=form)
    if not options.quiet and (note := _other_results(run)) is not None:
        say(f"note: {note}")
    with _progress_line(shown=options.is_watched) as progress:
        try:
            run.go(retry_failed=options.retry_failed, progress=progress)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(_saved(run)) from None
    report = run.report(reference=reference)
    write_tables(
        _one_evaluation(report) if form == "terminal" and layout else report, form, options.output, layout=layout
    )
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


def _one_evaluation(report: "Report") -> "Report":
    """Word a report on one model and one dataset like an in-memory evaluation; return other reports unchanged."""
    found = report.evaluations
    if len(found) != 1 or len(report.cells) != 1:
        return report
    return replace(report.of(found[0]), reference=report.reference, times=False)


def _saved(run: "Run") -> int:
    """The number of the plan's results in the folder."""
    from ..experiments import reporting
    from ..experiments.store import Store, is_made

    if not is_made(run.folder):
        return 0
    with closing(Store(run.folder, reading=True)) as store:
        return sum(one.planned - one.missing for one in reporting.status(store, run.plan))


def _other_results(run: "Run") -> str | None:
    """A note about datasets or models in the folder that are not in the plan; None if there are none."""
    from ..experiments import reporting
    from ..experiments.store import Store, is_made

    if not is_made(run.folder):
        return None
    try:
        with closing(Store(run.folder, reading=True)) as store:
            before = reporting.plan_of(store).pairs() if reporting.has_begun(store) else ()
    except SchemaError:
        return None  # the run itself raises this error, or recomputes the results with --retry-failed
    now = {(pair.name, pair.dataset.source) for pair in run.plan.pairs()}
    others = {pair.name: pair.dataset.source for pair in before if (pair.name, pair.dataset.source) not in now}
    if not others:
        return None
    named = ", ".join(f"{name} ({source})" for name, source in others.items())
    return f"{str(run.folder)!r} also has results for {named}; they are kept, and shown when you evaluate them again"


def _write_estimate(run: "Run", *, form: str) -> Exit:
    """Print the cost of a plan, as text or JSON; writes no file."""
    estimates = run.estimate()
    if form == "json":
        write_document(as_json([asdict(one) for one in estimates]), None)
        return Exit.DONE
    pairs = []
    for one in estimates:
        pairs.append(one)
        sentence = f"{one.texts:,} texts, {_taken([one])}" if one.texts else "no text can be read"
        print_line(f"{one.name} ({one.baseline}): {sentence}")
    print_line(f"all: {_taken(pairs)} on this machine")
    return Exit.DONE


def _taken(found: "Sequence[PairEstimate]") -> str:
    """Format the work items, passes, operations and time.

    >>> from unmask.experiments.scheduler import PairEstimate
    >>> one = PairEstimate("sst2/bert", "mask", 2, 100, 2100, 3.2e12, 90.0, is_least=False)
    >>> _taken([one, one])
    '4 items, 4,200 passes, 6.4 TFLOP, 3 min 0 s'
    """
    least = "at least " if any(one.is_least for one in found) else ""
    items, passes = sum(one.items for one in found), sum(one.passes for one in found)
    operations, seconds = sum(one.operations for one in found), sum(one.seconds for one in found)
    return f"{items} items, {least}{passes:,} passes, {operations / 1e12:,.1f} TFLOP, {least}{duration(seconds)}"


def _mapping(given: str) -> tuple[str, str]:
    name, equals, path = given.partition("=")
    if not (name and equals and path):
        raise ArgumentError(f"--map {given!r}: expected NAME=PATH")
    return name, path


@contextmanager
def _progress_line(*, shown: bool) -> "Iterator[ReportProgress | None]":
    """A progress bar with the time left."""
    if not shown:
        yield None
        return
    from tqdm.auto import tqdm

    with tqdm(total=100, bar_format="{percentage:3.0f}%|{bar}| {desc}", dynamic_ncols=True) as bar:

        def tell(doing: "RunProgress") -> None:
            bar.n = 100 * doing.share
            bar.set_description_str(f"{duration(doing.left)} left, {one_line(doing.what)}", refresh=True)

        yield tell
