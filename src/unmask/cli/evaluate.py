"""`unmask evaluate`: measure how faithful methods are to one model, on a file of texts or the built-in texts."""

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError
from ..inputs import Source
from . import options as shared
from .exit_codes import Exit, say
from .options import ASKED, MODEL, OUTPUT, RUN, TEXTS, command, listed, option
from .printing import as_json
from .prompts import GENERATION, TaskOptions, check_task, configured_task
from .run import RunOptions, execute
from .writers import check_writable, write_document, write_tables

if TYPE_CHECKING:
    from ..experiments.plan import Plan

OF_CLASSIFIERS = ("label", "rationale", "labels", "scores", "rationale_length")
CONTINUATION = "continuation"  # the default column
OF_A_FILE = ("column", "quoting", "read_as", "label", "rationale", "continuation_column")


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(RunOptions, shared.ScaleOptions, TaskOptions, shared.FileOptions):
    """Options of `unmask evaluate`."""

    label: str | None = option(
        TEXTS,
        "Column with gold labels. Also reports the accuracy when words are deleted at random. Required by --rationale.",
        metavar="COLUMN",
    )
    rationale: str | None = option(
        TEXTS, "Column with rationales: lists with a 0 or 1 for each whitespace-separated word.", metavar="COLUMN"
    )
    continuation_column: str | None = option(
        TEXTS,
        "Column with continuations of the prompts, for a language model.",
        metavar="COLUMN",
        show_default="continuation, for causal language models",
    )
    scores: str | None = option(
        TEXTS, "Evaluate scores from a .jsonl file with text, spans and scores, or written by explain.", metavar="FILE"
    )
    given: str | None = option(
        TEXTS, "Row label for the imported scores.", metavar="NAME", show_default="the file's name"
    )
    labels: str | None = option(
        MODEL, "Names for the model's outputs: negative,positive.", metavar="NAMES", show_default="the model's own"
    )
    method: list[str] | None = option(
        ASKED,
        "Methods, comma-separated: sig,ig:steps=250.",
        show_default="sig, ig, grad_x_input, leave_one_in and shapley; with --protocol paper: the paper's six; for "
        "language models: sig, leave_one_in, two_sided and shapley",
    )
    operator: list[str] | None = option(
        ASKED, "How the metrics delete words: remove, mask, pad or unk, comma-separated.", show_default="remove,mask"
    )
    top: float | None = option(ASKED, "Share of a text's units to delete or keep.", show_default="0.2")
    unit: str | None = shared.UNIT()
    target: str | None = shared.TARGET()
    baseline: list[str] | None = option(
        ASKED, "Baselines, comma-separated; several show a grid of baselines and operators.", show_default="auto"
    )
    rationale_length: int | None = option(
        ASKED, "Number of top units compared with the rationale.", min=1, show_default="the mean rationale length"
    )
    full: bool = option(OUTPUT, "Print every table in the terminal, not just the main one.", "--full", default=False)
    run: Path | None = option(RUN, "Save results in a folder; rerun the same command to resume.", metavar="FOLDER")
    plan: str | None = option(RUN, "Deprecated: use unmask run.", hidden=True)
    map: list[str] | None = option(RUN, "Deprecated: use unmask run.", hidden=True)
    only: list[str] | None = option(RUN, "Deprecated: use unmask run.", hidden=True)

    @property
    def layout(self) -> str | None:
        """The layout of the tables: a summary in the terminal, otherwise the default layout of the format."""
        form = self.form("table", "report").name
        if self.full and form in ("json", "csv"):
            raise ArgumentError(f"--full does not apply to {form}, which always has every number; remove it")
        return "full" if self.full else "summary" if form == "terminal" else None


@command
def evaluate(options: EvaluateOptions) -> Exit:
    """Evaluate how faithful methods are, with random and greedy controls.

    Without a file, the 480 built-in sentences with human rationales are used. For a language model, give a file of
    prompts and continuations.
    """
    from ..experiments.datasets import load_texts

    form, layout = options.form("table", "report").name, options.layout
    check_writable(options.output, source=options.file or options.scores)
    if options.plan is not None or options.map or options.only:
        return _forward(options)
    task = configured_task(options)
    check_task(options, task, of_classifiers=OF_CLASSIFIERS)
    plan = plan_of_options(options, task)
    if options.run is not None or options.estimate or options.retry_failed:
        if "-" in (options.file, options.scores):
            raise ArgumentError("a run rereads its texts when it resumes; give -f FILE instead of -")
        return execute(plan, options.run, options, layout=layout)
    options.check_engine(is_kept=False, needs="--run FOLDER")
    more = options.settings("reference", "rationale_length")
    more |= {"given": plan.datasets[0].given} if options.scores else {}
    explainer = options.explainer(labels=plan.models[0].labels)
    check_task(options, explainer.task, of_classifiers=OF_CLASSIFIERS)
    evaluation = explainer.evaluate(
        load_texts(plan.datasets[0]),
        methods=plan.methods[plan.protocol],
        baseline=plan.baselines,
        progress="bar" if options.is_watched else None,
        **plan.evaluation_options(),
        **more,
    )
    if form == "json":
        write_document(as_json(evaluation.to_dict()), options.output)
    else:
        write_tables(evaluation, form, options.output, layout=layout)
    for failure in evaluation.failures:
        row = f" under {failure.row}" if failure.row else ""
        say(f"error: {failure.name}{row}: {failure.reason}")
    for warning in () if options.quiet else evaluation.warnings:
        say(f"note: {warning}")
    return Exit.SOME_FAILED if evaluation.failures else Exit.DONE


def _forward(options: EvaluateOptions) -> Exit:
    """Run a plan, as `unmask evaluate --plan` did in earlier versions. Replaced by `unmask run`."""
    if options.plan is None:
        raise ArgumentError("--map and --only need a plan: unmask run PLAN FOLDER")
    of_a_run = {"plan", "run", "full", *(field.name for field in fields(RunOptions))}
    for name in options.settings(*(field.name for field in fields(options) if field.name not in of_a_run)):
        raise ArgumentError(
            f"{_option(name)} is set by the plan; remove it", hint="to change it, edit a copy of the plan"
        )
    if not options.quiet:
        say("note: `unmask evaluate --plan PLAN --run FOLDER` is now `unmask run PLAN FOLDER`")
    layout = "full" if options.full else None
    return execute(options.named_plan(options.plan), options.run, options, layout=layout)


def plan_of_options(options: EvaluateOptions, task: str | None) -> "Plan":
    """A plan with one dataset and one model; the task is None if it is unknown."""
    from ..experiments.config import default_methods
    from ..experiments.plan import ModelPlan, Plan
    from ..methods.spec import parse_specs
    from ..metrics.protocols import resolve_protocol
    from ..models.huggingface.loading import embedded_model
    from ..results.rows import CONTROLS

    protocol = resolve_protocol(options.protocol or "corrected")
    settings = options.settings("top", "unit", "target", "scale", "seed", "dtype", "max_length", "rationale_length")
    lists = {"baselines": listed(options.baseline), "operators": listed(options.operator)}
    settings |= {name: values for name, values in lists.items() if values}
    protocol.check_settings(settings)
    dataset = _dataset(options, task)
    methods = tuple(str(spec) for text in options.method or () for spec in parse_specs(text))
    methods = methods or default_methods(protocol, task or "")
    source = options.model or embedded_model(options.task or "classification")
    model = ModelPlan(
        name="model" if dataset.name != "model" else "the model",
        sources={dataset.name: str(Path(source).resolve() if Path(source).is_dir() else source)},
        labels=None if options.labels is None else tuple(name.strip() for name in options.labels.split(",")),
        revision=options.revision,
        task=options.task,
    )
    return Plan(
        name=dataset.name,
        methods={protocol.name: methods},
        datasets=(dataset,),
        models=(model,),
        protocol=protocol.name,
        controls=CONTROLS,
        **settings,
    )


def _dataset(options: EvaluateOptions, task: str | None) -> Any:
    from ..experiments.datasets import load_texts
    from ..experiments.examples import Example, embedded_file
    from ..experiments.plan import DatasetPlan

    file, label, rationale = options.scores or options.file, options.label, options.rationale
    if options.scores is not None and options.file is not None:
        raise ArgumentError("the --scores file already contains the texts; remove -f")
    if options.scores is not None and options.unit is not None:
        raise ArgumentError("the spans in the --scores file are the units; remove --unit")
    if options.scores is None and options.given is not None:
        raise ArgumentError("--given needs --scores FILE")
    if file is None and task == GENERATION:
        raise ArgumentError("a language model needs prompts: give -f FILE with the columns prompt and continuation")
    if file is None:
        if options.settings(*OF_A_FILE):
            raise ArgumentError(f"{', '.join(map(_option, OF_A_FILE))} need -f FILE")
        file, label, rationale = embedded_file(), "label", "annotations"
    name = re.sub(r"[/*=]", "-", Path(file).name.split(".")[0]).strip("-") or "texts"
    row = options.given or ("given" if file == "-" else f"{name} (file)")
    dataset = DatasetPlan(
        name=name,
        source=file if file == "-" else str(Path(file).resolve()),
        column=tuple(options.column or ()),
        label=label,
        rationale=rationale,
        limit=options.limit,
        form=options.read_as,
        quoting=options.quoting,
        given=None if options.scores is None else row,
        continuation=_continuation_column(options, file, task),
    )
    dataset.check_source()
    if options.target is not None and options.scores is not None:
        texts = load_texts(dataset)
        if any(isinstance(text, Example) and text.request.target is not None for text in texts):
            raise ArgumentError("the --scores file already has targets; remove --target")
    return dataset


def _continuation_column(options: EvaluateOptions, file: str, task: str | None) -> str | None:
    """The column of continuations; None for a file of prompts only, for which the model generates the continuations."""
    if options.continuation_column is not None or task != GENERATION:
        return options.continuation_column
    return CONTINUATION if Source(file, form=options.read_as).has_columns else None


def _option(name: str) -> str:
    return "-f" if name == "file" else f"--{name.replace('_', '-')}"
