"""`unmask paths`: what a text looks like on its path from the baseline."""

from collections.abc import Iterator
from types import SimpleNamespace
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
from .options import ASKED, option
from .writers import as_json, show, write_document

if TYPE_CHECKING:
    from ..studies.sig2023.paths import EmbeddingPath, PathComparison

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
    format: Annotated[str | None, options.format_option("terminal or json")] = None,
    output: options.Output = None,
    debug: options.Debug = False,
    quiet: options.Quiet = False,
) -> None:
    """Show the nearest words and the prediction on the path from the baseline, under ig, dig and sig."""
    given = SimpleNamespace(**locals())

    def work() -> Exit:
        from ..methods import DIG, resolve_method

        form = form_named(format, output)
        if form.name not in ("terminal", "json"):
            raise ArgumentError(f"paths are written as terminal or json, not as {form.name}")
        check_destination(output, form, source=None)
        dig = resolve_method(method)
        if not isinstance(dig, DIG):
            raise ArgumentError(f"--method says how dig looks for words, such as dig:rule=corrected, not {method!r}")
        explainer = loaded(given)
        comparison = explainer.paths(text, word=word - 1, points=points, dig=dig, unit=unit, baseline=baseline)
        if form.name == "json":
            write_document(as_json(comparison.to_dict(), indent=2), output)
        else:
            show(_drawing(comparison), output)
        return Exit.DONE

    raise typer.Exit(exit_codes.ended(work, debug=debug))


def _drawing(comparison: "PathComparison") -> RenderableType:
    moved, parts = shown(comparison.units[comparison.moved]), list[RenderableType]()
    for path in comparison.paths:
        parts += [*_path_lines(path, moved), ""]
    return Group(*parts, Text("‹ › marks a word whose nearest one is not the word that is written.", style="dim"))


def _path_lines(path: "EmbeddingPath", moved: str) -> Iterator[RenderableType]:
    figures = f"  {WAYS[path.method].format(moved)} · word approximation error {path.error:.3g}"
    yield Text.assemble((path.method, "bold"), (figures, "dim"))
    for point in path.points:
        label, value = point.label, point.probabilities
        prediction = f"value {value[0]:.4g}" if label is None else shown(f"{label} {max(value):.1%}")
        yield Text.assemble(f"  {point.share:4.0%}  ", (prediction, "dim"), f" {point.unchanged:5.0%} unchanged")
        words = [
            (f"‹{shown(word)}› ", "bold") if is_changed else f"{shown(word)} "
            for word, is_changed in zip(point.words, point.is_changed, strict=True)
        ]
        yield Padding(Text.assemble(*words), (0, 0, 0, 8))
