"""`unmask evaluate` with a plan, or in a folder: what is kept as it goes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError
from .duration import duration
from .examples import FOR_A_FILE
from .exit_codes import Exit, say
from .options import listed
from .report import write_report

if TYPE_CHECKING:
    from ..experiments.estimate import PairEstimate
    from ..experiments.plan import Plan
    from ..experiments.scheduler import ReportProgress, Run, RunProgress

OPTIONS = {"operators": "--operator"}  # where an option is not called as its setting
NAME = "texts"  # of a dataset that came from the command line


def plan_asked(
    name: str | None,
    given: Mapping[str, Any],
    refused: Mapping[str, Any],
    *,
    maps: Sequence[str],
    only: Sequence[str],
    limit: int | None,
    protocol: str | None,
) -> "Plan":
    """The plan of that name, cut down and put in its place; else what the other options ask."""
    for option, value in refused.items():
        if value is not None:
            raise ArgumentError(f"{option} has no place in a run or a plan: leave it away")
    if name is None:
        if maps or only:
            raise ArgumentError("--map and --only are for a plan: give --plan PLAN")
        return _of_options(given, limit=limit, protocol=protocol or "corrected")
    for option, value in given.items():
        if value is not None:
            raise ArgumentError(
                f"{option} beside --plan: the plan says it", hint="copy the plan to a file and change it"
            )
    from ..experiments.plan import Plan

    plan = Plan.load(name)
    plan = plan if protocol is None else plan.under(protocol)
    plan = plan.mapped(dict(_place(one) for one in maps)) if maps else plan
    plan = plan.only(only) if only else plan
    return plan if limit is None else plan.limited(limit)


def _of_options(given: Mapping[str, Any], *, limit: int | None, protocol: str) -> "Plan":
    """One dataset and one model."""
    from ..experiments.config import METHODS
    from ..experiments.examples import embedded_file
    from ..experiments.plan import DatasetPlan, ModelPlan, Plan
    from ..experiments.plan_checks import OWN
    from ..methods.spec import parse_specs
    from ..results.rows import CONTROLS

    file, label, rationale = (given[option] for option in ("-f", "--label", "--rationale"))
    if file == "-":
        raise ArgumentError("a run reads its texts again when it goes on: give -f FILE, or --plan PLAN")
    if file is None:
        if any(given[option] for option in ("--column", "--quoting", "--read-as", "--label", "--rationale")):
            raise ArgumentError(FOR_A_FILE)
        file, label, rationale = embedded_file(), "label", "annotations"
    for setting in OWN["corrected"] if protocol == "paper" else ():
        if given[OPTIONS.get(setting, f"--{setting}")] is not None:
            raise ArgumentError(
                f"{OPTIONS.get(setting, f'--{setting}')} beside --protocol paper: that protocol says it itself",
                hint="leave it away",
            )
    name = re.sub(r"[/*=]", "-", Path(file).name.split(".")[0]) or NAME
    dataset = DatasetPlan(
        name=name,
        source=str(Path(file).resolve()),
        column=tuple(given["--column"] or ()),
        label=label,
        rationale=rationale,
        limit=limit,
        form=given["--read-as"],
        quoting=given["--quoting"],
    )
    dataset.check()
    methods = [str(one) for text in given["--method"] or () for one in parse_specs(text)]
    settings = {
        "baselines": tuple(listed(given["--baseline"]) or ()) or None,
        "operators": tuple(listed(given["--operator"]) or ()) or None,
        **{key: given[f"--{key}"] for key in ("top", "unit", "target", "scale", "seed", "dtype")},
        **{key: given[f"--{key.replace('_', '-')}"] for key in ("max_length", "rationale_length")},
    }
    return Plan(
        name=name,
        methods={protocol: tuple(methods) or METHODS[protocol]},
        datasets=(dataset,),
        models=(
            ModelPlan(name="model" if name != "model" else "the model", sources={name: _source(given["--model"])}),
        ),
        protocol=protocol,
        controls=CONTROLS,
        **{key: value for key, value in settings.items() if value is not None},
    )


def _source(model: str | None) -> str:
    """A folder from anywhere, else a hub's name; without any, the model in the package."""
    if model is None:
        from ..models.huggingface.loading import embedded_model

        return str(embedded_model())
    return str(Path(model).resolve()) if Path(model).is_dir() else model


def run_plan(
    run: "Run", *, retry_failed: bool, watched: bool, form: str, output: Path | None, reference: str | None
) -> Exit:
    """Do what is missing, and show what is there."""
    from ..experiments.reporting import reference_of

    reference = reference_of(run.plan, reference)  # now, and not when all is done
    with _line(shown=watched) as progress:
        run.go(retry_failed=retry_failed, progress=progress)
    report = run.report(reference=reference)
    write_report(report, form=form, layout="paper", output=output)
    found = [(cell.dataset, cell.evaluation) for cell in report.cells if cell.evaluation]
    failures = [(dataset, one) for dataset, evaluation in found for one in evaluation.failures]
    for reason in dict.fromkeys(one.reason for _, one in failures):
        texts = {(dataset, one.example): one.name for dataset, one in failures if one.reason == reason}
        (dataset, _), name = min(texts.items())
        more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
        say(f"error: {name} of {dataset}{more}: {reason}")
    if failures and not any(row.values for _, evaluation in found for row in evaluation.rows):
        return Exit.NOTHING_DONE
    return Exit.SOME_FAILED if failures else Exit.DONE


def left_out(run: "Run") -> str | None:
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
    return f"{str(run.folder)!r} has results of {named} too: they are kept, and shown when they are asked for again"


def write_plan_estimate(run: "Run", *, form: str, reference: str | None) -> Exit:
    """What a plan would take here, in words or as JSON; no file is written, whatever a run would write."""
    from ..experiments.estimate import estimate_plan
    from ..experiments.reporting import reference_of
    from .writers import OurConsole, as_json, write_document

    reference_of(run.plan, reference)
    cells = estimate_plan(run)
    if form == "json":
        write_document(as_json([asdict(one) for one in cells]), None)
        return Exit.DONE
    console, found = OurConsole(highlight=False), []
    for one in cells:
        found.append(one)
        said = f"{one.texts:,} texts, {_taken([one])}" if one.texts else "none of its texts can be read"
        console.print(f"{one.name} ({one.baseline}): {said}", soft_wrap=True)
    console.print(f"all: {_taken(found)} on this machine", soft_wrap=True)
    return Exit.DONE


def _taken(found: "Sequence[PairEstimate]") -> str:
    """Cells, passes, operations and time.

    >>> from unmask.experiments.estimate import PairEstimate
    >>> one = PairEstimate("sst2/bert", "mask", 2, 100, 2100, 3.2e12, 90.0, is_least=False)
    >>> _taken([one, one])
    '4 cells, 4,200 passes, 6.4 TFLOP, 3 min 0 s'
    """
    least = "at least " if any(one.is_least for one in found) else ""
    cells, passes = sum(one.cells for one in found), sum(one.passes for one in found)
    operations, seconds = sum(one.operations for one in found), sum(one.seconds for one in found)
    return f"{cells} cells, {least}{passes:,} passes, {operations / 1e12:,.1f} TFLOP, {least}{duration(seconds)}"


def _place(given: str) -> tuple[str, str]:
    name, equals, path = given.partition("=")
    if not (name and equals and path):
        raise ArgumentError(f"--map {given!r}: write NAME=PATH")
    return name, path


@contextmanager
def _line(*, shown: bool) -> "Iterator[ReportProgress | None]":
    """What is done now and the time left, in one line."""
    if not shown:
        yield None
        return
    from tqdm.auto import tqdm

    with tqdm(total=100, bar_format="{l_bar}{bar}| {desc}", dynamic_ncols=True) as drawn:

        def tell(doing: "RunProgress") -> None:
            drawn.n = 100 * doing.share
            drawn.set_description_str(f"{duration(doing.left)} left, {doing.what}", refresh=True)

        yield tell
