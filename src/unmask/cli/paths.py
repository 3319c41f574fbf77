"""`unmask paths`: what a text looks like on its path from the baseline."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ..errors import ArgumentError
from ..render.escape import shown
from . import exit_codes, options
from .destinations import check_destination, form_named
from .exit_codes import Exit
from .loading import loaded
from .options import ASKED, OUTPUT, option
from .writers import OurConsole, as_json, printed, write_document

if TYPE_CHECKING:
    from ..studies.sig2023.paths import EmbeddingPath, PathComparison, PathPoint

WAYS = {"ig": "all words move together", "dig": "all words move together, over other words", "sig": "only {!r} moves"}


def paths(
    text: Annotated[str, typer.Argument(help="The text to look at.", show_default=False)],
    word: Annotated[int, option(ASKED, help="The word that moves alone under sig, counted from 1.", min=1)],
    points: Annotated[int, option(ASKED, help="How many points of each path are shown.", min=2)] = 5,
    method: Annotated[str, option(ASKED, help="How dig looks for words: dig:rule=corrected.")] = "dig",
    unit: Annotated[str, option(ASKED, help="word, token or sentence.")] = "word",
    baseline: options.Baseline = "auto",
    model: options.Model = None,
    revision: options.Revision = None,
    device: options.Device = None,
    dtype: options.Dtype = None,
    max_length: options.MaxLength = None,
    batch_tokens: options.BatchTokens = None,
    format: Annotated[
        str | None, option(OUTPUT, help="terminal or json.", show_default="by the suffix of -o, else terminal")
    ] = None,
    output: options.Output = None,
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Show the nearest words and the prediction on the path from the baseline, under ig, dig and sig."""

    def work() -> Exit:
        from ..methods import DIG, resolve_method

        form = form_named(format, output)
        if form.name not in ("terminal", "json"):
            raise ArgumentError(f"paths are written as terminal or json, not as {form.name}")
        check_destination(output, form, source=None)
        dig = resolve_method(method)
        if not isinstance(dig, DIG):
            raise ArgumentError(f"--method says how dig looks for words, such as dig:rule=corrected, not {method!r}")
        explainer = loaded(
            model,
            quiet=quiet,
            device=device,
            dtype=dtype,
            revision=revision,
            max_length=max_length,
            batch_tokens=batch_tokens,
        )
        found = explainer.paths(text, word=word - 1, points=points, dig=dig, unit=unit, baseline=baseline)
        if form.name == "json":
            write_document(as_json(found.to_dict(), indent=2), output)
        elif output is None:
            OurConsole(highlight=False).print(_drawn(found))
        else:
            write_document(printed(_drawn(found)), output)
        return Exit.DONE

    raise typer.Exit(exit_codes.ended(work, debug=debug))


def _drawn(found: "PathComparison") -> RenderableType:
    parts: list[RenderableType] = []
    for path in found.paths:
        parts += [*_path(path, shown(found.units[found.moved])), ""]
    return Group(*parts, Text("‹ › marks a word whose nearest one is not the word that is written.", style="dim"))


def _path(path: "EmbeddingPath", moved: str) -> Iterator[RenderableType]:
    what = WAYS[path.method].format(moved)
    figures = f"  {what} · word approximation error {path.error:.3g}"
    yield Text.assemble((path.method, "bold"), (figures, "dim"))
    for point in path.points:
        yield Text.assemble(f"  {point.share:4.0%}  ", (_said(point), "dim"), f" {point.unchanged:5.0%} unchanged")
        yield Padding(_sentence(point), (0, 0, 0, 8))


def _said(point: "PathPoint") -> str:
    if point.label is None:
        return f"value {point.probabilities[0]:.4g}"
    return shown(f"{point.label} {max(point.probabilities):.1%}")


def _sentence(point: "PathPoint") -> Text:
    text = Text()
    for word, is_changed in zip(point.words, point.is_changed, strict=True):
        text.append(f"‹{shown(word)}› " if is_changed else f"{shown(word)} ", style="bold" if is_changed else "")
    return text
