"""`unmask paths`: the nearest words along the paths from the baseline to a text."""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ..errors import ArgumentError
from ..render.escape import one_line
from . import options as shared
from .exit_codes import Exit
from .options import ASKED, argument, command, option
from .printing import as_json
from .writers import check_destination, show, write_document

if TYPE_CHECKING:
    from ..studies.sig2023.paths import EmbeddingPath, PathComparison

MOVES = {"ig": "all words move together", "dig": "all words move together, via other words", "sig": "only {!r} moves"}


@dataclass(frozen=True, kw_only=True)
class PathsOptions(shared.ModelOptions):
    """Options of `unmask paths`."""

    text: str = argument("Text to trace.")
    word: int = option(ASKED, "The only word that moves along the path of sig, from 1.", min=1, default=MISSING)
    points: int = option(ASKED, "Points to show on each path.", min=2, max=1000, default=5)
    method: str = option(ASKED, "dig with its settings, such as dig:rule=corrected.", default="dig")
    unit: str | None = shared.UNIT()
    baseline: str | None = shared.BASELINE()


@command
def paths(options: PathsOptions) -> Exit:
    """Show the nearest words and the prediction at points along the paths of ig, dig and sig."""
    from ..methods import DIG, resolve_method

    form = options.form("explanation", "collection")
    if form.name not in ("terminal", "json"):
        raise ArgumentError(f"unmask paths supports --format terminal or json, not {form.name}")
    check_destination(options.output, form, source=None)
    dig = resolve_method(options.method)
    if not isinstance(dig, DIG):
        raise ArgumentError(f"--method takes settings of dig, such as dig:rule=corrected, not {options.method!r}")
    settings = options.settings("points", "unit", "baseline")
    comparison = options.explainer().paths(options.text, word=options.word - 1, dig=dig, **settings)
    if form.name == "json":
        write_document(as_json(comparison.to_dict(), indent=2), options.output)
    else:
        show(_drawing(comparison), options.output)
    return Exit.DONE


def _drawing(comparison: "PathComparison") -> RenderableType:
    moved, parts = one_line(comparison.units[comparison.moved]), list[RenderableType]()
    for path in comparison.paths:
        parts += [*_path_lines(path, moved), ""]
    return Group(*parts, Text("‹ › marks a nearest word that differs from the original.", style="dim"))


def _path_lines(path: "EmbeddingPath", moved: str) -> Iterator[RenderableType]:
    figures = f"  {MOVES[path.method].format(moved)} · word approximation error {path.error:.3g}"
    yield Text.assemble((path.method, "bold"), (figures, "dim"))
    for point in path.points:
        label, value = point.label, point.probabilities
        prediction = f"value {value[0]:.4g}" if label is None else one_line(f"{label} {max(value):.1%}")
        yield Text.assemble(f"  {point.share:4.0%}  ", (prediction, "dim"), f" {point.unchanged:5.0%} unchanged")
        words = [
            (f"‹{one_line(word)}› ", "bold") if is_changed else f"{one_line(word)} "
            for word, is_changed in zip(point.words, point.is_changed, strict=True)
        ]
        yield Padding(Text.assemble(*words), (0, 0, 0, 8))
