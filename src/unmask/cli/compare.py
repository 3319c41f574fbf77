"""`unmask compare`: one text explained in several ways, below each other."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import ArgumentError
from ..methods import method_named
from ..render import forms
from ..render.forms import Look
from . import exits, options
from .exits import Exit
from .loading import loaded
from .options import ASKED, OUTPUT, option
from .output import Format, OurConsole, as_json, check_destination, form_named, printed, write_document


def compare(
    text: Annotated[str, typer.Argument(help="The text to explain.", show_default=False)],
    pair: options.Pair = None,
    method: Annotated[
        list[str] | None, option(ASKED, help="Methods, with commas between them: sig,random.", show_default="sig")
    ] = None,
    target: Annotated[
        list[str] | None,
        option(ASKED, help="A label, an index, predicted or max; once for each row.", show_default="predicted"),
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
            help="terminal, json, html, svg, png, markdown or latex.",
            show_default="by the suffix of -o, else terminal",
        ),
    ] = None,
    output: Annotated[Path | None, option(OUTPUT, "-o", "--output", metavar="PATH", help="Write to a file.")] = None,
    palette: options.PaletteName = "default",
    style: options.Style = "shades",
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Show one text explained by several methods, for several targets or in several units."""

    def work() -> Exit:
        form, look = form_named(format, output), Look(palette, style)
        if form is Format.JSONL:
            raise ArgumentError("a comparison is one document; use --format json")
        methods, units, targets = _listed(method, "sig"), _listed(unit, "word"), target or ["predicted"]
        over = _over(methods, targets, units)
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
        from ..explainer import Settings
        from ..request import Request

        named = [method_named(name, seed=seed) for name in methods]
        settings = Settings(method=named[0], target=targets[0], unit=units[0], scale=scale, baseline=baseline)
        found = explainer.compare(
            Request(text, text_pair=pair),
            methods=named if over == "method" else (),
            targets=targets if over == "target" else (),
            units=units if over == "unit" else (),
            **settings,
        )
        for warning in dict.fromkeys(note for one in found.explanations for note in one.warnings):
            if not quiet:
                exits.say(f"note: {warning}")
        if form is Format.TERMINAL:
            drawing = forms.printable(found, look)
            OurConsole(highlight=False).print(drawing) if output is None else write_document(printed(drawing), output)
        elif form is Format.JSON:
            write_document(as_json(found.to_dict(), indent=2), output)
        else:
            write_document(forms.drawn_rows(found, form.value, look), output)
        return Exit.DONE

    raise typer.Exit(exits.ended(work, debug=debug))


def _listed(given: list[str] | None, default: str) -> list[str]:
    return [name.strip() for part in given or [default] for name in part.split(",") if name.strip()]


def _over(methods: list[str], targets: list[str], units: list[str]) -> str:
    """What differs between the rows; methods, where each has one value only."""
    several = [
        name for name, values in {"method": methods, "target": targets, "unit": units}.items() if len(values) > 1
    ]
    if len(several) > 1:
        raise ArgumentError(f"compare over one thing, not over {' and '.join(several)}")
    if not several:
        raise ArgumentError(
            "there is nothing to compare: give several methods, targets or units",
            hint='for example: unmask compare "A gripping film." --method sig,random',
        )
    return several[0]
