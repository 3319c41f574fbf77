"""`unmask compare`: one text explained in several ways, below each other."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Annotated, Any

import typer

from ..errors import ArgumentError
from ..methods.registry import resolve_methods
from ..render import formats
from ..results.comparison import check_several
from ..text.request import Request
from . import exit_codes, options
from .destinations import check_destination, form_named
from .exit_codes import Exit
from .loading import loaded
from .options import ASKED, option
from .writers import as_json, noting, show, write_document

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
        str | None, options.format_option("terminal, json, html, svg, png, pdf, markdown or latex")
    ] = None,
    output: options.Output = None,
    palette: options.PaletteName = None,
    style: options.Style = None,
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Show one text explained by several methods, for several targets or in several units."""
    given = SimpleNamespace(**locals())

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
        explainer = loaded(given)
        settings: dict[str, Any] = {name: several[0] for name, several in values.items() if name != over}
        settings |= {f"{over}s": values[over], "scale": scale, "baseline": baseline}
        try:
            comparison = explainer.compare(Request(text, text_pair=pair), **settings)
        except ArgumentError as error:
            if str(error).startswith("unknown target"):  # targets are not parted at commas, which a label may hold
                error.hint = _repeated(targets)
            raise
        for warning in dict.fromkeys(note for row in comparison.explanations for note in row.warnings):
            if not quiet:
                exit_codes.say(f"note: {warning}")
        with noting(quiet=quiet):
            if form.name == "terminal":
                show(formats.printable(comparison, look), output)
            else:
                is_json = form.name == "json"
                document = (
                    as_json(comparison.to_dict(), indent=2) if is_json else form.write("comparison", comparison, look)
                )
                write_document(document, output)
        return Exit.DONE

    raise typer.Exit(exit_codes.ended(work, debug=debug))


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
