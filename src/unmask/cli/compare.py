"""`unmask compare`: one text explained in several ways, below each other."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import ArgumentError
from ..methods.registry import resolve_methods
from ..render import formats
from ..render.formats import OutputFormat
from ..render.theme import Theme
from ..results.comparison import Comparison, check_several
from ..text.request import Request
from . import exit_codes, options
from .destinations import check_destination, form_named
from .exit_codes import Exit
from .loading import loaded
from .options import ASKED, OUTPUT, option
from .writers import OurConsole, as_json, noting, printed, write_document

EXAMPLE = 'for example: unmask compare "A gripping film." --method sig,random'


def compare(
    text: Annotated[str, typer.Argument(help="The text to explain.", show_default=False)],
    pair: options.Pair = None,
    method: Annotated[
        list[str] | None,
        option(ASKED, help="Methods, with commas between them: sig,ig:steps=250.", show_default="sig"),
    ] = None,
    target: Annotated[
        list[str] | None,
        option(ASKED, help="A label, an index, predicted or max; repeat it for each row.", show_default="predicted"),
    ] = None,
    unit: Annotated[
        list[str] | None,
        option(ASKED, help="Units, with commas between them: word,token,sentence.", show_default="word"),
    ] = None,
    scale: options.Scale = "auto",
    baseline: options.Baseline = "auto",
    seed: options.Seed = None,
    model: options.Model = None,
    revision: options.Revision = None,
    device: options.Device = None,
    dtype: options.Dtype = None,
    max_length: options.MaxLength = None,
    batch_tokens: options.BatchTokens = None,
    format: Annotated[
        str | None,
        option(
            OUTPUT,
            help="terminal, json, html, svg, png, pdf, markdown or latex.",
            show_default="by the suffix of -o, else terminal",
        ),
    ] = None,
    output: options.Output = None,
    palette: options.PaletteName = None,
    style: options.Style = None,
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Show one text explained by several methods, for several targets or in several units."""

    def work() -> Exit:
        form = form_named(format, output)
        look = form.theme(palette=palette, style=style)
        if not form.draws("comparison"):
            raise ArgumentError("a comparison is one document; use --format json")
        targets = target or ["predicted"]
        values: dict[str, list[Any]] = {
            "method": resolve_methods(method or ["sig"], seed=seed),
            "target": targets,
            "unit": options.listed(unit) or ["word"],
        }
        over = _over(values)
        check_destination(output, form, source=None)
        explainer = loaded(
            model,
            quiet=quiet,
            device=device,
            dtype=dtype,
            revision=revision,
            max_length=max_length,
            batch_tokens=batch_tokens,
        )
        settings: dict[str, Any] = {name: several[0] for name, several in values.items() if name != over}
        settings |= {f"{over}s": values[over], "scale": scale, "baseline": baseline}
        with _hinting(targets):
            comparison = explainer.compare(Request(text, text_pair=pair), **settings)
        for warning in dict.fromkeys(note for row in comparison.explanations for note in row.warnings):
            if not quiet:
                exit_codes.say(f"note: {warning}")
        with noting(quiet=quiet):
            _write(comparison, form, output, look)
        return Exit.DONE

    raise typer.Exit(exit_codes.ended(work, debug=debug))


def _write(comparison: Comparison, form: OutputFormat, output: Path | None, look: Theme) -> None:
    if form.name == "json":
        write_document(as_json(comparison.to_dict(), indent=2), output)
    elif form.name != "terminal":
        write_document(form.write("comparison", comparison, look), output)
    elif output is None:
        OurConsole(highlight=False).print(formats.printable(comparison, look))
    else:
        write_document(printed(formats.printable(comparison, look)), output)


@contextmanager
def _hinting(targets: list[str]) -> Iterator[None]:
    """Say how several targets are given; they are not parted at commas, which a label may hold."""
    try:
        yield
    except ArgumentError as error:
        if str(error).startswith("unknown target"):
            error.hint = _repeated(targets)
        raise


def _repeated(targets: list[str]) -> str | None:
    """What to write instead, where a target has a comma."""
    names = [name.strip() for target in targets for name in target.split(",")]
    options = " ".join(f"--target {name}" for name in names)
    return None if names == targets else f"for several targets, repeat the option: {options}"


def _over(values: Mapping[str, list[Any]]) -> str:
    """What differs between the rows; refused where that is nothing, or several things."""
    several = [name for name, listed in values.items() if len(listed) > 1]
    if len(several) > 1:
        raise ArgumentError(f"compare over one thing, not over {' and '.join(several)}")
    if not several:
        check_several(several, hint=_repeated(values["target"]) or EXAMPLE)
    return several[0]
