"""`unmask evaluate`: how faithful methods are to a model, on a file of texts or on those in the package."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import ArgumentError
from . import exit_codes, options
from .destinations import check_writable
from .examples import examples
from .exit_codes import Exit, say
from .loading import is_watched, loaded
from .options import ASKED, MODEL, OUTPUT, RUN, TEXTS, listed, option
from .report import form_of
from .run import left_out, plan_asked, run_plan, write_plan_estimate
from .writers import OurConsole, as_json, printed, write_document

if TYPE_CHECKING:
    from ..results.evaluation import Evaluation


def evaluate(
    file: options.File = None,
    column: options.Columns = None,
    quoting: options.Quoting = None,
    read_as: options.ReadAs = None,
    label: Annotated[
        str | None, option(TEXTS, metavar="COLUMN", help="The gold labels: for robustness and plausibility.")
    ] = None,
    rationale: Annotated[
        str | None,
        option(TEXTS, metavar="COLUMN", help="People's marks: lists of 0 and 1 over the words between white space."),
    ] = None,
    scores: Annotated[
        str | None,
        option(
            TEXTS,
            metavar="FILE",
            help="Judge scores from elsewhere: a .jsonl of text, spans and scores, or what explain writes.",
        ),
    ] = None,
    given: Annotated[
        str | None, option(TEXTS, metavar="NAME", help="The row of these scores.", show_default="the file's name")
    ] = None,
    limit: Annotated[int | None, option(TEXTS, min=1, help="The first so many texts.")] = None,
    labels: Annotated[
        str | None,
        option(
            MODEL, metavar="NAMES", help="Names for the model's outputs: negative,positive.", show_default="its own"
        ),
    ] = None,
    model: options.Model = None,
    revision: options.Revision = None,
    device: options.Device = None,
    dtype: options.Dtype = None,
    max_length: options.MaxLength = None,
    batch_tokens: options.BatchTokens = None,
    method: Annotated[
        list[str] | None,
        option(
            ASKED,
            help="Methods, with commas between them: sig,ig:steps=250.",
            show_default="sig, ig, grad_x_input, leave_one_in and shapley; of the protocol paper, its six",
        ),
    ] = None,
    operator: Annotated[
        list[str] | None,
        option(
            ASKED,
            help="By what the metrics take words away: remove, mask, pad or unk, with commas between them.",
            show_default="remove,mask",
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        option(ASKED, help="corrected, or paper: as the published figures were made.", show_default="corrected"),
    ] = None,
    top: Annotated[
        float | None, option(ASKED, help="The share of a text's units that is taken or left.", show_default="0.2")
    ] = None,
    unit: Annotated[
        str | None, option(ASKED, help="What moves as a whole: word, token or sentence.", show_default="word")
    ] = None,
    target: Annotated[
        str | None, option(ASKED, help="predicted, a label, an index, or max.", show_default="predicted")
    ] = None,
    scale: Annotated[
        str | None,
        option(ASKED, help="Of the attributions: auto, log_odds, log_probability, ...", show_default="auto"),
    ] = None,
    baseline: Annotated[
        list[str] | None,
        option(
            ASKED,
            help="Of the attributions: mask, pad, ...; several, with commas, show the grid with the operators.",
            show_default="auto",
        ),
    ] = None,
    reference: Annotated[
        str | None, option(ASKED, metavar="METHOD", help="Show every method's paired differences from this one.")
    ] = None,
    rationale_length: Annotated[
        int | None,
        option(ASKED, min=1, help="Units that a method may choose against people's marks.", show_default="as people"),
    ] = None,
    seed: options.Seed = None,
    run: Annotated[
        Path | None,
        option(RUN, metavar="FOLDER", help="Keep every result as it comes; the same command goes on where it stopped."),
    ] = None,
    plan: Annotated[
        str | None, option(RUN, metavar="PLAN", help="A grid of models and datasets: a .toml, paper or paper-steps.")
    ] = None,
    map: Annotated[
        list[str] | None, option(RUN, "--map", metavar="NAME=PATH", help="A folder or file for a name in the plan.")
    ] = None,
    only: Annotated[
        list[str] | None, option(RUN, "--only", metavar="PAIR", help="Of the plan: sst2/bert, sst2 or */bert.")
    ] = None,
    estimate: Annotated[bool, option(RUN, "--estimate", help="Say what the plan would take here, and stop.")] = False,
    retry_failed: Annotated[bool, option(RUN, "--retry-failed", help="Try texts again that failed before.")] = False,
    format: Annotated[
        str | None,
        option(
            OUTPUT,
            help="terminal, markdown, csv, json, html or latex.",
            show_default="by the suffix of -o, else terminal",
        ),
    ] = None,
    output: Annotated[Path | None, option(OUTPUT, "-o", "--output", metavar="PATH", help="Write to a file.")] = None,
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Judge how faithful methods are: log-odds, comprehensiveness, sufficiency, between random and greedy choices.

    With no file: 480 sentences in the package, in which people marked the words that matter.
    """

    def planned() -> Exit:
        asked = {
            "-f": file,
            "--column": column,
            "--quoting": quoting,
            "--read-as": read_as,
            "--label": label,
            "--rationale": rationale,
            "--rationale-length": rationale_length,
            "--method": method,
            "--operator": operator,
            "--top": top,
            "--unit": unit,
            "--target": target,
            "--scale": scale,
            "--baseline": baseline,
            "--model": model,
            "--seed": seed,
            "--dtype": dtype,
            "--max-length": max_length,
        }
        refused = {
            "--scores": scores,
            "--given": given,
            "--labels": labels,
            "--revision": revision,
        }
        chosen = plan_asked(plan, asked, refused, maps=map or [], only=only or [], limit=limit, protocol=protocol)
        if run is None and not estimate:
            what = "a plan's results are kept" if plan is not None else "--retry-failed goes on with what is kept"
            raise ArgumentError(f"{what} in a folder: give --run FOLDER")
        from ..experiments.scheduler import Run

        kept = Run(run or Path(), chosen, device=device, batch_tokens=batch_tokens)
        if estimate:
            return write_plan_estimate(kept, form=form_of(format, output), reference=reference)
        if not quiet and (note := left_out(kept)) is not None:
            say(f"note: {note}")
        return run_plan(
            kept,
            retry_failed=retry_failed,
            watched=is_watched(quiet=quiet),
            form=form_of(format, output),
            output=output,
            reference=reference,
        )

    def work() -> Exit:
        from ..experiments.examples import Example

        form = form_of(format, output)
        if output is not None:
            check_writable(output, source=file or scores)
        if plan is not None or run is not None or map or only or estimate or retry_failed:
            return planned()
        if scores is not None and unit is not None:
            raise ArgumentError("--scores has units of its own, its spans: leave --unit away")
        texts = examples(
            file, columns=tuple(column or ()), quoting=quoting, form=read_as, label=label, rationale=rationale,
            scores=scores, limit=limit,
        )  # fmt: skip
        if target is not None and any(isinstance(one, Example) and one.request.target is not None for one in texts):
            raise ArgumentError("--target beside --scores: its lines say what their scores explain; leave it away")
        explainer = loaded(
            model,
            quiet=quiet,
            device=device,
            dtype=dtype,
            revision=revision,
            max_length=max_length,
            batch_tokens=batch_tokens,
            labels=None if labels is None else [name.strip() for name in labels.split(",")],
        )
        asked: dict[str, Any] = {
            "protocol": protocol,
            "top": top,
            "unit": unit,
            "target": target,
            "scale": scale,
            "baseline": listed(baseline),
            "operators": listed(operator),
            "reference": reference,
            "seed": seed,
            "given": _given(given, scores),
            "rationale_length": rationale_length,
        }
        found = explainer.evaluate(
            texts,
            methods=method or (),
            progress="bar" if is_watched(quiet=quiet) else None,
            **{name: value for name, value in asked.items() if value is not None},
        )
        _write(found, form, output)
        return _ended(found, quiet=quiet)

    raise typer.Exit(exit_codes.ended(work, debug=debug))


def _given(name: str | None, scores: str | None) -> str | None:
    """What the row of scores from elsewhere is called."""
    if scores is None and name is not None:
        raise ArgumentError("--given names the scores of --scores FILE; give that")
    if scores is None or name is not None:
        return name
    return "given" if scores == "-" else f"{Path(scores).name.split('.')[0]} (file)"


def _write(found: "Evaluation", form: str, output: Path | None) -> None:
    from ..render import reports

    if form == "json":
        write_document(as_json(found.to_dict()), output)
    elif form != "terminal":
        write_document(reports.render(found, form), output)
    elif output is not None:
        write_document(printed(reports.printable(found)), output)
    else:
        OurConsole(highlight=False).print(reports.printable(found))


def _ended(found: "Evaluation", *, quiet: bool) -> Exit:
    for failure in found.failures:
        row = f" under {failure.row}" if failure.row else ""
        say(f"error: {failure.name}{row}: {failure.reason}")
    if not quiet:
        for warning in found.warnings:
            say(f"note: {warning}")
    return Exit.SOME_FAILED if found.failures else Exit.DONE
