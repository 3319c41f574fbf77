"""`unmask evaluate`: how faithful methods are to one model, on a file of texts or on those in the package."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import typer

from ..errors import ArgumentError
from . import exit_codes, options
from .destinations import check_writable
from .exit_codes import Exit, is_watched, say
from .loading import loaded
from .options import listed
from .report import form_of
from .run import execute, named_plan
from .writers import as_json, show, write_document

if TYPE_CHECKING:
    from ..experiments.plan import Plan
    from ..results.evaluation import Evaluation

BESIDE_PLAN = {  # what `unmask run` takes too
    *("plan", "map", "only", "run", "limit", "protocol", "reference", "estimate", "retry_failed"),
    *("device", "batch_tokens", "format", "output", "debug", "quiet"),
}
OF_A_FILE = ("column", "quoting", "read_as", "label", "rationale")


def evaluate(
    file: options.File = None,
    column: options.Columns = None,
    quoting: options.Quoting = None,
    read_as: options.ReadAs = None,
    label: options.Label = None,
    rationale: options.Rationale = None,
    scores: options.Scores = None,
    given: options.Given = None,
    limit: options.Limit = None,
    labels: options.Labels = None,
    model: options.Model = None,
    revision: options.Revision = None,
    device: options.Device = None,
    dtype: options.Dtype = None,
    max_length: options.MaxLength = None,
    batch_tokens: options.BatchTokens = None,
    method: options.Methods = None,
    operator: options.Operators = None,
    protocol: options.ProtocolName = None,
    top: options.Top = None,
    unit: options.EvaluatedUnit = None,
    target: options.EvaluatedTarget = None,
    scale: options.EvaluatedScale = None,
    baseline: options.Baselines = None,
    reference: options.Reference = None,
    rationale_length: options.RationaleLength = None,
    seed: options.Seed = None,
    run: options.RunFolder = None,
    estimate: options.Estimated = False,
    retry_failed: options.RetryFailed = False,
    plan: options.HiddenPlan = None,
    map: options.HiddenMap = None,
    only: options.HiddenOnly = None,
    format: options.TableFormat = None,
    output: options.Output = None,
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Evaluate how faithful methods are: log-odds, comprehensiveness, sufficiency, between random and greedy choices.

    With no file: 480 sentences in the package, in which people marked the words that matter.
    """
    given_options = SimpleNamespace(**locals())
    raise typer.Exit(exit_codes.ended(lambda: _evaluate(given_options), debug=debug))


def _evaluate(given: SimpleNamespace) -> Exit:
    form = form_of(given.format, given.output)
    if given.output is not None:
        check_writable(given.output, source=given.file or given.scores)
    if given.plan is not None or given.map or given.only:
        return _forward(given)
    plan = plan_of_options(given)
    if given.run is not None or given.estimate or given.retry_failed:
        if given.file == "-" or given.scores == "-":
            raise ArgumentError("a run reads its texts again when it goes on: give -f FILE, or --plan PLAN")
        return execute(plan, given.run, given)
    evaluation = _evaluation(plan, given)
    _write(evaluation, form, given.output)
    for failure in evaluation.failures:
        row = f" under {failure.row}" if failure.row else ""
        say(f"error: {failure.name}{row}: {failure.reason}")
    for warning in () if given.quiet else evaluation.warnings:
        say(f"note: {warning}")
    return Exit.SOME_FAILED if evaluation.failures else Exit.DONE


def _forward(given: SimpleNamespace) -> Exit:
    """What `unmask run` does now."""
    if given.plan is None:
        raise ArgumentError("--map and --only are for a plan: unmask run PLAN FOLDER")
    for name, value in vars(given).items():
        if name not in BESIDE_PLAN and value is not None:
            raise ArgumentError(
                f"{_option(name)} beside --plan: the plan says it", hint="copy the plan to a file and change it"
            )
    if not given.quiet:
        say("note: `unmask evaluate --plan PLAN --run FOLDER` is now `unmask run PLAN FOLDER`")
    return execute(named_plan(given), given.run, given)


def plan_of_options(given: SimpleNamespace) -> "Plan":
    """One dataset and one model, as a plan."""
    from ..experiments.plan import ModelPlan, Plan
    from ..methods.spec import parse_specs
    from ..metrics.protocols import resolve_protocol, setting_protocols
    from ..results.rows import CONTROLS

    protocol = resolve_protocol(given.protocol or "corrected")
    names = {"operators": "operator"}  # where an option is not called as its setting
    protocol.check_settings(
        name for name in setting_protocols() if getattr(given, names.get(name, name), None) is not None
    )
    dataset = _dataset(given)
    methods = tuple(str(spec) for text in given.method or () for spec in parse_specs(text)) or protocol.methods
    settings = {
        "baselines": tuple(listed(given.baseline) or ()) or None,
        "operators": tuple(listed(given.operator) or ()) or None,
        **{key: getattr(given, key) for key in ("top", "unit", "target", "scale", "seed", "dtype", "max_length")},
        "rationale_length": given.rationale_length,
    }
    model = ModelPlan(
        name="model" if dataset.name != "model" else "the model",
        sources={dataset.name: _source(given.model)},
        labels=None if given.labels is None else tuple(name.strip() for name in given.labels.split(",")),
        revision=given.revision,
    )
    return Plan(
        name=dataset.name,
        methods={protocol.name: methods},
        datasets=(dataset,),
        models=(model,),
        protocol=protocol.name,
        controls=CONTROLS,
        **{key: value for key, value in settings.items() if value is not None},
    )


def _dataset(given: SimpleNamespace) -> Any:
    from ..experiments.datasets import load_texts
    from ..experiments.examples import Example, embedded_file
    from ..experiments.plan import DatasetPlan

    file, label, rationale = given.scores or given.file, given.label, given.rationale
    if given.scores is not None and given.file is not None:
        raise ArgumentError("--scores has texts of its own: remove -f")
    if given.scores is not None and given.unit is not None:
        raise ArgumentError("--scores has units of its own, its spans: remove --unit")
    if given.scores is None and given.given is not None:
        raise ArgumentError("--given names the scores of --scores FILE; give that")
    if file is None:
        if any(getattr(given, name) for name in OF_A_FILE):
            raise ArgumentError(f"{', '.join(map(_option, OF_A_FILE))} are for a file; give -f FILE")
        file, label, rationale = embedded_file(), "label", "annotations"
    name = re.sub(r"[/*=]", "-", Path(file).name.split(".")[0]).strip("-") or "texts"
    dataset = DatasetPlan(
        name=name,
        source=file if file == "-" else str(Path(file).resolve()),
        column=tuple(given.column or ()),
        label=label,
        rationale=rationale,
        limit=given.limit,
        form=given.read_as,
        quoting=given.quoting,
        given=None if given.scores is None else given.given or ("given" if file == "-" else f"{name} (file)"),
    )
    dataset.check_source()
    if given.target is not None and given.scores is not None:
        texts = load_texts(dataset)
        if any(isinstance(text, Example) and text.request.target is not None for text in texts):
            raise ArgumentError("--target beside --scores: its lines say what their scores explain; remove --target")
    return dataset


def _source(model: str | None) -> str:
    """A folder from anywhere, else a hub name; without any, the model in the package."""
    if model is None:
        from ..models.huggingface.loading import embedded_model

        return str(embedded_model())
    return str(Path(model).resolve()) if Path(model).is_dir() else model


def _evaluation(plan: "Plan", given: SimpleNamespace) -> "Evaluation":
    """The plan in memory."""
    from ..experiments.datasets import load_texts

    (dataset,), (model,) = plan.datasets, plan.models
    texts = load_texts(dataset)
    explainer = loaded(given, labels=model.labels)
    more = {"given": dataset.given, "reference": given.reference, "rationale_length": plan.rationale_length}
    return explainer.evaluate(
        texts,
        methods=plan.methods[plan.protocol],
        baseline=plan.baselines,
        progress="bar" if is_watched(quiet=given.quiet) else None,
        **plan.judging(),
        **{name: value for name, value in more.items() if value is not None},
    )


def _option(name: str) -> str:
    return "-f" if name == "file" else f"--{name.replace('_', '-')}"


def _write(evaluation: "Evaluation", form: str, output: Path | None) -> None:
    from ..render import reports

    if form == "json":
        write_document(as_json(evaluation.to_dict()), output)
    elif form != "terminal":
        write_document(reports.render(evaluation, form), output)
    else:
        show(reports.printable(evaluation), output)
