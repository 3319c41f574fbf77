"""`unmask evaluate`: how faithful methods are to a model, on a file of texts or on those in the package."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import ArgumentError, unknown
from . import exits, options
from .examples import examples
from .exits import Exit, say
from .loading import is_watched, loaded
from .options import ASKED, MODEL, OUTPUT, TEXTS, option
from .output import check_writable
from .writing import OurConsole, as_json, printed, write_document

if TYPE_CHECKING:
    from ..evaluation import Evaluation

FORMS = ("terminal", "markdown", "csv", "json", "html", "latex")
SUFFIXES = {"": "terminal", ".txt": "terminal"}


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
    protocol: Annotated[str, option(ASKED, help="corrected, or paper: as the published figures were made.")] = (
        "corrected"
    ),
    top: Annotated[float, option(ASKED, help="The share of a text's units that is taken or left.")] = 0.2,
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

    def work() -> Exit:
        form = _form(format, output)
        if output is not None:
            check_writable(output, source=file or scores)
        texts = examples(
            file, columns=tuple(column or ()), quoting=quoting, form=read_as, label=label, rationale=rationale,
            scores=scores, limit=limit,
        )  # fmt: skip
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
            "unit": unit,
            "target": target,
            "scale": scale,
            "baseline": _listed(baseline),
            "operators": _listed(operator),
            "reference": reference,
            "seed": seed,
            "given": _given(given, scores),
            "rationale_length": rationale_length,
        }
        found = explainer.evaluate(
            texts,
            methods=method or (),
            progress="bar" if is_watched(quiet=quiet) else None,
            protocol=protocol,
            top=top,
            **{name: value for name, value in asked.items() if value is not None},
        )
        _write(found, form, output)
        return _ended(found, quiet=quiet)

    raise typer.Exit(exits.ended(work, debug=debug))


def _given(name: str | None, scores: str | None) -> str | None:
    """What the row of scores from elsewhere is called."""
    if scores is None and name is not None:
        raise ArgumentError("--given names the scores of --scores FILE; give that")
    if scores is None or name is not None:
        return name
    return "given" if scores == "-" else f"{Path(scores).name.split('.')[0]} (file)"


def _form(name: str | None, output: Path | None) -> str:
    from ..render import evaluations

    known = SUFFIXES | evaluations.FORMS
    if name is not None:
        if name not in FORMS:
            raise unknown("format", name, FORMS)
        return name
    suffix = "" if output is None else output.suffix.lower()
    if suffix not in known:
        raise ArgumentError(f"no format is known for a file that ends in {suffix!r}; give --format")
    return known[suffix]


def _write(found: "Evaluation", form: str, output: Path | None) -> None:
    from ..render import evaluations

    if form == "json":
        write_document(as_json(found.to_dict()), output)
    elif form != "terminal":
        write_document(evaluations.drawn(found, form), output)
    elif output is not None:
        write_document(printed(evaluations.printable(found)), output)
    else:
        OurConsole(highlight=False).print(evaluations.printable(found))


def _ended(found: "Evaluation", *, quiet: bool) -> Exit:
    for failure in found.failures:
        row = f" under {failure.row}" if failure.row else ""
        say(f"error: text {failure.example + 1}{row}: {failure.reason}")
    if not quiet:
        for warning in found.warnings:
            say(f"note: {warning}")
    return Exit.SOME_FAILED if found.failures else Exit.DONE


def _listed(values: list[str] | None) -> list[str] | None:
    """Values that were given several times or with commas."""
    found = [part.strip() for value in values or () for part in value.split(",") if part.strip()]
    return found or None
