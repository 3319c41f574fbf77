"""`unmask explain`: texts from the command line or a file, explained."""

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

import typer

from ..errors import ArgumentError
from ..inputs import Source
from ..methods import resolve_method
from ..progress import bar
from ..tasks.targets import Contrast
from ..text.request import Request
from . import exit_codes, options
from .destinations import check_destination, form_named
from .estimate import write_estimate
from .exit_codes import Exit, is_watched
from .loading import loaded
from .options import ASKED, OUTPUT, TEXTS, option
from .result_stream import Results
from .writers import noting, write


def explain(
    text: options.Text = None,
    pair: options.Pair = None,
    file: options.File = None,
    column: options.Columns = None,
    keep: Annotated[bool, option(TEXTS, "--keep", help="Carry the other columns through to json and jsonl.")] = False,
    quoting: options.Quoting = None,
    read_as: options.ReadAs = None,
    model: options.Model = None,
    revision: options.Revision = None,
    device: options.Device = None,
    dtype: options.Dtype = None,
    max_length: options.MaxLength = None,
    batch_tokens: options.BatchTokens = None,
    method: Annotated[
        str, option(ASKED, help="With settings if need be: ig:steps=250,rule=trapezoid. See: unmask methods.")
    ] = "sig",
    unit: Annotated[str, option(ASKED, help="What moves as a whole: word, token or sentence.")] = "word",
    target: Annotated[
        str, option(ASKED, help="What is explained: predicted, a label, an index, or max (whatever is largest).")
    ] = "predicted",
    against: Annotated[
        str | None, option(ASKED, help="With --target A: explain A rather than this label.", show_default=False)
    ] = None,
    scale: options.Scale = "auto",
    baseline: options.Baseline = "auto",
    seed: options.Seed = None,
    estimate: Annotated[
        bool, option(OUTPUT, "--estimate", help="Say what it would take here, from a few timed batches, and stop.")
    ] = False,
    format: Annotated[
        str | None, options.format_option("terminal, json, jsonl, html, svg, png, pdf, markdown or latex")
    ] = None,
    output: Annotated[
        Path | None, options.output_option("Write to a file; {line} in its name makes one of each text.")
    ] = None,
    palette: options.PaletteName = None,
    style: options.Style = None,
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Show which words of a text speak for what the model says, and which against it."""
    given = SimpleNamespace(**locals())

    def work() -> Exit:
        form = form_named(format, output)
        look = form.theme(palette=palette, style=style)
        _check_source(text, pair, file, has_file_options=bool(column or keep or quoting or read_as))
        columns = tuple(column or ())
        source = None if file is None else Source(file, form=read_as, columns=columns, keep=keep, quoting=quoting)
        if source is not None:
            source.check()
        single = Request(text or "", text_pair=pair, line=1 if form.name == "jsonl" else None)
        if keep and form.name not in ("json", "jsonl"):
            raise ArgumentError("--keep carries columns through to json and jsonl; give --format or -o x.jsonl")
        if against is not None and target == "predicted":
            raise ArgumentError("--against needs a --target: the label that is explained rather than the other")
        goal = target if against is None else Contrast(target, against)
        if not estimate:
            check_destination(output, form, source=file)
        explainer = loaded(given)
        from ..explainer import Settings

        settings = Settings(
            method=resolve_method(method, seed=seed), unit=unit, target=goal, scale=scale, baseline=baseline
        )
        requests = iter([single]) if source is None else source.records()
        if estimate:
            expected = explainer.estimate(requests, **settings)
            write_estimate(expected, form="terminal" if format is None else form.name, unit=unit)
            return Exit.DONE if expected.failed < expected.texts else Exit.NOTHING_DONE
        results = Results(keep=keep, quiet=quiet, common=explainer.warnings(**settings))
        texts = results.texts(requests)
        progress = nullcontext() if source is None or not is_watched(quiet=quiet) else bar(source.count())
        with noting(quiet=quiet), progress as report:
            write(results.of(explainer.attempts(texts, progress=report, **settings)), form, output, look)
        return results.exit

    raise typer.Exit(exit_codes.ended(work, debug=debug))


def _check_source(text: str | None, pair: str | None, file: str | None, *, has_file_options: bool) -> None:
    """Refuse what does not say, or says twice, where the texts are."""
    if (text is None) == (file is None):
        raise ArgumentError("give either a text or -f FILE", hint='for example: unmask explain "A gripping film."')
    if file is None and has_file_options:
        raise ArgumentError("--column, --keep, --quoting and --read-as are for a file; give -f FILE")
    if file is not None and pair is not None:
        raise ArgumentError("--pair goes with a text; in a file, two columns make pairs: --column A --column B")
