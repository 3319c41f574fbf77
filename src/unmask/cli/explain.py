"""`unmask explain`: texts from the command line or a file, explained."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ..errors import ArgumentError, unknown
from ..inputs import BadRecord, Record, Source
from ..methods import method_named
from ..progress import Report, bar
from ..targets import Contrast, TargetName
from . import exits
from .estimate import write_estimate
from .exits import Exit
from .output import Format, check_writable, write
from .results import Results, text_of

TEXTS, MODEL, ASKED, OUTPUT = "The texts", "The model", "What is asked", "The output"  # the help's parts


def explain(
    text: Annotated[str | None, typer.Argument(help="The text to explain.", show_default=False)] = None,
    pair: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="A second text, for a model that reads pairs.", rich_help_panel=TEXTS),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "-f",
            "--file",
            metavar="FILE",
            help="Texts: one a line, or a .csv, .tsv, .jsonl or .parquet, also with .gz; - is standard input.",
            rich_help_panel=TEXTS,
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="The file's column with the texts; two of them make pairs.",
            show_default="text, else sentence",
            rich_help_panel=TEXTS,
        ),
    ] = None,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Carry the other columns through to json and jsonl.", rich_help_panel=TEXTS),
    ] = False,
    quoting: Annotated[
        str | None,
        typer.Option(
            help="Of a .csv or .tsv: none or rfc4180.",
            show_default="rfc4180 for .csv, none for .tsv",
            rich_help_panel=TEXTS,
        ),
    ] = None,
    read_as: Annotated[
        str | None,
        typer.Option(
            help="The file's form: txt, csv, tsv, jsonl or parquet.",
            show_default="by its name",
            rich_help_panel=TEXTS,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="A model's folder or hub name.", show_default="the model in the package", rich_help_panel=MODEL
        ),
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="A hub model's branch, tag or commit.", rich_help_panel=MODEL)
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="cuda, mps or cpu.", show_default="the best there is", rich_help_panel=MODEL)
    ] = None,
    dtype: Annotated[
        str | None,
        typer.Option(
            help="float32, float64, bfloat16, float16 or auto.", show_default="float32", rich_help_panel=MODEL
        ),
    ] = None,
    max_length: Annotated[
        int | None, typer.Option(min=1, help="Read at most this many tokens of a text.", rich_help_panel=MODEL)
    ] = None,
    batch_tokens: Annotated[
        int | None, typer.Option(min=1, help="The token budget of a batch.", rich_help_panel=MODEL)
    ] = None,
    method: Annotated[str, typer.Option(help="See: unmask methods.", rich_help_panel=ASKED)] = "sig",
    unit: Annotated[
        str, typer.Option(help="What moves as a whole: word, token or sentence.", rich_help_panel=ASKED)
    ] = "word",
    target: Annotated[
        str,
        typer.Option(
            help="What is explained: predicted, a label, an index, or max (whatever is largest).",
            rich_help_panel=ASKED,
        ),
    ] = "predicted",
    against: Annotated[
        str | None,
        typer.Option(
            help="With --target A: explain A rather than this label.", show_default=False, rich_help_panel=ASKED
        ),
    ] = None,
    scale: Annotated[
        str,
        typer.Option(help="auto, log_odds, log_probability, probability, logit or value.", rich_help_panel=ASKED),
    ] = "auto",
    baseline: Annotated[
        str,
        typer.Option(
            help="What a unit is replaced by: auto, mask, pad, unk, eos, zero or token:WORD.", rich_help_panel=ASKED
        ),
    ] = "auto",
    seed: Annotated[int | None, typer.Option(help="For methods that draw at random.", rich_help_panel=ASKED)] = None,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Say what it would take here, from a few timed batches, and stop.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    format: Annotated[
        str | None,
        typer.Option(
            help="terminal, json or jsonl.",
            show_default="by the suffix of -o, else terminal",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="PATH", help="Write to a file.", rich_help_panel=OUTPUT)
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.", rich_help_panel=OUTPUT)] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="No notes and no progress, only errors.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:
    """Show which words of a text speak for what the model says, and which against it."""

    def work() -> Exit:
        form = _form(format, output)
        _check_source(text, pair, file, has_file_options=bool(column or keep or quoting or read_as))
        columns = tuple(column or ())
        source = None if file is None else Source(file, form=read_as, columns=columns, keep=keep, quoting=quoting)
        asked = _asked(text, pair, source)
        if keep and form is Format.TERMINAL:
            raise ArgumentError("--keep carries columns through to json and jsonl; give --format or -o x.jsonl")
        goal = _target(target, against)
        if output is not None:
            check_writable(output, source=file)
        is_watched = not quiet and sys.stderr is not None and sys.stderr.isatty()
        if is_watched and model is not None and not Path(model).exists():
            exits.say(f"note: looking for {model!r} on the hub and in its cache")
        from ..explainer import Explainer, Settings  # slow: it brings torch
        from ..models.loading import embedded

        explainer = Explainer.from_pretrained(
            model or embedded(),
            device=device,
            dtype=dtype,
            revision=revision,
            max_length=max_length,
            batch_tokens=batch_tokens,
        )
        settings = Settings(
            method=method_named(method, seed=seed), unit=unit, target=goal, scale=scale, baseline=baseline
        )
        if estimate:
            found = explainer.estimate(map(text_of, _records(asked)), **settings)
            write_estimate(found, form=Format.TERMINAL if format is None else form, unit=unit)
            return Exit.DONE if found.failed < found.texts else Exit.NOTHING_DONE
        results = Results(numbered=file is not None or form is Format.JSONL, keep=keep, quiet=quiet)
        texts = results.texts(_records(asked))
        with _progress(asked, shown=is_watched) as progress:
            write(results.of(explainer.attempts(texts, progress=progress, **settings)), form, output)
        return results.exit

    raise typer.Exit(exits.ended(work, debug=debug))


def _check_source(text: str | None, pair: str | None, file: str | None, *, has_file_options: bool) -> None:
    """Refuse what does not say, or says twice, where the texts are."""
    if (text is None) == (file is None):
        raise ArgumentError("give either a text or -f FILE", hint='for example: unmask explain "A gripping film."')
    if file is None and has_file_options:
        raise ArgumentError("--column, --keep, --quoting and --read-as are for a file; give -f FILE")
    if file is not None and pair is not None:
        raise ArgumentError("--pair goes with a text; in a file, two columns make pairs: --column A --column B")


def _asked(text: str | None, pair: str | None, source: Source | None) -> Source | Record:
    """The file that is read, or the text from the command line."""
    if source is None:
        return Record(1, text or "", pair)
    source.check()
    return source


def _records(asked: Source | Record) -> Iterator[Record | BadRecord]:
    return asked.records() if isinstance(asked, Source) else iter([asked])


def _progress(asked: Source | Record, *, shown: bool) -> AbstractContextManager[Report | None]:
    """A bar for a file, where somebody watches."""
    return bar(asked.count()) if shown and isinstance(asked, Source) else nullcontext()


def _target(target: str, against: str | None) -> TargetName:
    if against is None:
        return target
    if target == "predicted":
        raise ArgumentError("--against needs a --target: the label that is explained rather than the other")
    return Contrast(target, against)


SUFFIXES = {
    "": Format.TERMINAL,
    ".txt": Format.TERMINAL,
    ".json": Format.JSON,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
}


def _form(name: str | None, output: Path | None) -> Format:
    """The form of that name, else the one that a file's name asks for."""
    if name is not None:
        if name not in list(Format):
            raise unknown("format", name, [form.value for form in Format])
        return Format(name)
    suffix = "" if output is None else output.suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    raise ArgumentError(f"no format is known for a file that ends in {suffix!r}; give --format")
