"""`unmask explain`: texts from the command line or a file, explained."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ..errors import ArgumentError
from ..inputs import Line, check_readable, lines
from ..methods import method_named
from ..targets import Contrast, TargetName
from . import exits
from .exits import Exit
from .output import Format, check_writable, write
from .results import Results


def explain(
    text: Annotated[str | None, typer.Argument(help="The text to explain.", show_default=False)] = None,
    file: Annotated[
        str | None, typer.Option("-f", "--file", metavar="FILE", help="One text a line; - is standard input.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="A model's folder or hub name; the model in the package if none is given.")
    ] = None,
    method: Annotated[str, typer.Option(help="See: unmask methods.")] = "sig",
    unit: Annotated[str, typer.Option(help="What moves as a whole: word or token.")] = "word",
    target: Annotated[
        str, typer.Option(help="What is explained: predicted, a label, an index, or max (whatever is largest).")
    ] = "predicted",
    against: Annotated[
        str | None, typer.Option(help="With --target A: explain A rather than this label.", show_default=False)
    ] = None,
    scale: Annotated[str, typer.Option(help="auto, log_odds, log_probability, probability, logit or value.")] = "auto",
    baseline: Annotated[
        str, typer.Option(help="What a unit is replaced by: auto, mask, pad, unk, eos, zero or token:WORD.")
    ] = "auto",
    device: Annotated[str | None, typer.Option(help="cuda, mps or cpu; the best there is if none is given.")] = None,
    dtype: Annotated[str | None, typer.Option(help="float32 unless told: float64, bfloat16, float16, auto.")] = None,
    revision: Annotated[str | None, typer.Option(help="A hub model's branch, tag or commit.")] = None,
    seed: Annotated[int | None, typer.Option(help="For methods that draw at random.")] = None,
    max_length: Annotated[int | None, typer.Option(min=1, help="Read at most this many tokens of a text.")] = None,
    batch_tokens: Annotated[int | None, typer.Option(min=1, help="The token budget of a batch.")] = None,
    format: Annotated[
        Format | None, typer.Option(help="terminal, unless -o ends in .json or .jsonl.", show_default=False)
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="PATH", help="Write to a file.")] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No notes on standard error, only errors.")] = False,
) -> None:
    """Show which words of a text speak for what the model says, and which against it."""

    def work() -> Exit:
        source, goal, form = _source(text, file), _target(target, against), format or _form(output)
        if output is not None:
            check_writable(output, source=file)
        from ..explainer import Explainer  # slow: it brings torch
        from ..models.loading import embedded

        explainer = Explainer.from_pretrained(
            model or embedded(),
            device=device,
            dtype=dtype,
            revision=revision,
            max_length=max_length,
            batch_tokens=batch_tokens,
        )
        results = Results(numbered=file is not None or form is Format.JSONL, quiet=quiet)
        attempts = explainer.attempts(
            results.texts(source),
            method=method_named(method, seed=seed),
            unit=unit,
            target=goal,
            scale=scale,
            baseline=baseline,
        )
        write(results.of(attempts), form, output)
        return results.exit

    raise typer.Exit(exits.ended(work, debug=debug))


def _source(text: str | None, file: str | None) -> Iterable[Line]:
    if (text is None) == (file is None):
        raise ArgumentError("give either a text or -f FILE", hint='for example: unmask explain "A gripping film."')
    if text is not None or file is None:
        return [Line(1, text or "")]
    check_readable(file)
    return lines(file)


def _target(target: str, against: str | None) -> TargetName:
    if against is None:
        return target
    if target == "predicted":
        raise ArgumentError("--against needs a --target: the label that is explained rather than the other")
    return Contrast(target, against)


FORMS = {"": Format.TERMINAL, ".txt": Format.TERMINAL, ".json": Format.JSON, ".jsonl": Format.JSONL}


def _form(output: Path | None) -> Format:
    """The form that a file's name asks for."""
    suffix = "" if output is None else output.suffix
    if suffix in FORMS:
        return FORMS[suffix]
    raise ArgumentError(f"no format is known for a file that ends in {suffix!r}; give --format")
