"""The registry of output formats: a new one is a single entry of `FORMATS`.

Everything that lists formats or file suffixes reads it: `save`, the commands, tables and reports.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..errors import ArgumentError, unknown
from .theme import Theme

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..results.comparison import Comparison
    from ..results.explanation import Explanation

Subject = Literal["explanation", "comparison", "collection", "table", "report", "chart"]
Look = Literal["themed", "marked", "none"]  # any theme; the style `paper` without colors; no drawing
Writer: TypeAlias = Callable[..., Any] | str  # or where it stands, "module:function", imported when first needed


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A text that could not be explained, and why; no text where none could be read."""

    why: str
    text: str = ""


Drawn: TypeAlias = "Explanation | Comparison"
Item: TypeAlias = "tuple[int | None, Explanation | Unexplained]"  # a line of a collection, and its result


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFormat:
    """One output format.

    Args:
        writers: By what they write. Those of explanations, comparisons and collections take it and a theme, those of
            tables and reports take it alone, and those of charts take a figure.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    is_binary: bool = False
    look: Look = "themed"
    writers: Mapping[Subject, Writer] = field(default_factory=dict)

    def draws(self, subject: Subject) -> bool:
        """Whether there is a writer for it."""
        return subject in self.writers

    def write(self, subject: Subject, value: Any, *settings: Any) -> Any:
        """The value in this format: text, or bytes if it is binary."""
        writer = self.writers[subject]
        if isinstance(writer, str):
            module, _, function = writer.partition(":")
            writer = getattr(import_module(module, __package__), function)
        return writer(value, *settings)

    def theme(self, *, palette: str | None = None, style: str | None = None, mode: str | None = None) -> Theme:
        """The theme of these names, None for the default; what does not apply to the format is refused."""
        theme = Theme(palette or "default", style or ("paper" if self.look == "marked" else "shades"), mode or "light")
        if self.look == "none" and (palette or style):
            raise ArgumentError(
                f"{self.name} holds numbers and no drawing: neither a palette nor a style applies to it"
            )
        if self.look == "marked" and palette:
            raise ArgumentError(f"{self.name} marks a text without colors: no palette applies to it")
        if self.look == "marked" and theme.style != "paper":
            raise ArgumentError(f"{self.name} marks a text as the paper does: the style {style!r} does not apply to it")
        if mode and not (self.draws("chart") and self.draws("explanation")):
            raise ArgumentError(f"mode={mode!r} does not apply to {self.name}, but only to {', '.join(names('chart'))}")
        return theme


def _json(subject: Drawn, _theme: Theme) -> str:
    return json.dumps(subject.to_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _json_lines(items: Sequence[Item], _theme: Theme) -> str:
    records = ({"error": item.why} if isinstance(item, Unexplained) else item.to_dict() for _, item in items)
    return "".join(json.dumps(record, allow_nan=False) + "\n" for record in records)


def _drawing(writer: Writer, **others: Writer) -> dict[Any, Writer]:
    """One writer for explanations and comparisons, and those of other subjects."""
    return {"explanation": writer, "comparison": writer, **others}


def _picture(name: str, *, is_binary: bool = True) -> OutputFormat:
    writers = _drawing(f".figure:{name}", chart=f".charts:{name}")
    return OutputFormat(name=name, suffixes=(f".{name}",), is_binary=is_binary, writers=writers)


def _marked(name: str, suffix: str) -> OutputFormat:
    writers = _drawing(f".paper:{name}", collection=f".paper:{name}_collection", table=f".tables.{name}:render")
    return OutputFormat(name=name, suffixes=(suffix,), look="marked", writers=writers)


_TABLE = (
    OutputFormat(
        name="terminal", suffixes=("", ".txt"), writers=_drawing(".terminal:render", table=".tables:printable")
    ),
    OutputFormat(
        name="json", suffixes=(".json",), look="none", writers=_drawing(_json, report=".reports.long:as_json")
    ),
    OutputFormat(name="jsonl", suffixes=(".jsonl", ".ndjson"), look="none", writers={"collection": _json_lines}),
    OutputFormat(
        name="html",
        suffixes=(".html", ".htm"),
        writers=_drawing(".html:page", collection=".html:collection", table=".tables.html:render"),
    ),
    _picture("svg", is_binary=False),
    _picture("png"),
    _picture("pdf"),
    _marked("markdown", ".md"),
    _marked("latex", ".tex"),
    OutputFormat(name="csv", suffixes=(".csv",), look="none", writers={"table": ".tables.csv:render"}),
)
FORMATS: dict[str, OutputFormat] = {output.name: output for output in _TABLE}


def names(*subjects: Subject) -> tuple[str, ...]:
    """The formats that can write one of these."""
    return tuple(name for name, output in FORMATS.items() if any(map(output.draws, subjects)))


def suffixes(*subjects: Subject) -> dict[str, str]:
    """The names of those formats by the suffixes of files; `terminal` has none but `.txt`, and that to be read."""
    return {suffix: name for name in names(*subjects) for suffix in FORMATS[name].suffixes}


def format_named(name: str, *subjects: Subject) -> OutputFormat:
    """The format of that name, if it can write one of these."""
    if name not in names(*subjects):
        raise unknown("format", name, names(*subjects))
    return FORMATS[name]


def format_of(path: Path, *subjects: Subject) -> OutputFormat:
    """The format that a file's name asks for."""
    known = {suffix: name for suffix, name in suffixes(*subjects).items() if name != "terminal"}
    if path.suffix.lower() not in known:
        raise ArgumentError(f"no format is known for a file that ends in {path.suffix!r}; use {', '.join(known)}")
    return FORMATS[known[path.suffix.lower()]]


def render(subject: Drawn, form: str, theme: Theme) -> Any:
    """An explanation or a comparison in that format; for the terminal, something that rich can print."""
    return format_named(form, subject.kind).write(subject.kind, subject, theme)


def printable(subject: Drawn, theme: Theme) -> "RenderableType":
    """The drawing as something that rich can print."""
    return render(subject, "terminal", theme)  # type: ignore[no-any-return]


def show(page: Callable[[], str], drawing: Callable[[], "RenderableType"]) -> None:
    """Show HTML in a notebook, else print in the terminal."""
    notebook: Any = sys.modules.get("IPython")
    if notebook is not None and getattr(notebook.get_ipython(), "kernel", None) is not None:
        notebook.display.display(notebook.display.HTML(page()))
        return
    from rich.console import Console

    Console(highlight=False).print(drawing())
