"""The registry of output formats; a new format is one entry in `FORMATS`.

`save`, the commands, tables and reports take their formats and file suffixes from it.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..errors import ArgumentError, check_installed, unknown
from ..text.request import Failure
from .theme import Theme

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..results.drawable import Drawable
    from ..results.explanation import Explanation

Subject = Literal["explanation", "comparison", "interactions", "collection", "table", "report", "chart"]
Look = Literal["themed", "marked", "none"]  # themed: any theme; marked: only style `paper`; none: only data
Writer: TypeAlias = Callable[..., Any] | str  # a function, or "module:function", which is imported on first use


Item: TypeAlias = "tuple[int | None, Explanation | Failure]"  # line number and result


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFormat:
    """One output format.

    Args:
        writers: The writer for each subject. Writers for explanations, comparisons, interactions and collections also
            take a theme. Writers for charts take a figure and a title.
        module: An optional module that writing this format requires.
        keeps_columns: Whether the format can hold the other columns of an input file. If so, writers for collections
            take one mapping per text as a third argument.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    is_binary: bool = False
    look: Look = "themed"
    module: str = ""
    keeps_columns: bool = False
    writers: Mapping[Subject, Writer] = field(default_factory=dict)

    def draws(self, subject: Subject) -> bool:
        """Whether the format can write this subject."""
        return subject in self.writers

    def check(self) -> None:
        """Raise an error if the module that the format needs is not installed."""
        if self.module:
            check_installed(self.module, what=f"{self.name} files")

    def write(self, subject: Subject, value: Any, *settings: Any) -> Any:
        """Write the value as text, or as bytes if the format is binary."""
        writer = self.writers[subject]
        return (load(writer) if isinstance(writer, str) else writer)(value, *settings)

    def theme(self, *, palette: str | None = None, style: str | None = None, mode: str | None = None) -> Theme:
        """The theme with these settings (None for the default). A setting that does not apply raises an error."""
        theme = Theme(palette or "default", style or ("paper" if self.look == "marked" else "shades"), mode or "light")
        if self.look == "none" and (palette or style):
            raise ArgumentError(f"{self.name} contains data only: remove palette and style")
        if self.look == "marked" and palette:
            raise ArgumentError(f"{self.name} has no colors: remove palette={palette!r}")
        if self.look == "marked" and theme.style != "paper":
            raise ArgumentError(f"{self.name} supports style='paper' only: remove style={style!r}")
        if mode and not (self.draws("chart") and self.draws("explanation")):
            raise ArgumentError(f"mode={mode!r} does not apply to {self.name}; use {', '.join(names('chart'))}")
        return theme


def load(place: str) -> Any:
    """Import the function at "module:function"; a relative module belongs to this package."""
    module, _, function = place.partition(":")
    return getattr(import_module(module, __package__), function)


def _json(subject: "Drawable", _theme: Theme) -> str:
    return json.dumps(subject.to_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _json_lines(items: Sequence[Item], _theme: Theme, kept: Sequence[Mapping[str, Any]] = ()) -> str:
    records = [{"error": str(item.error)} if isinstance(item, Failure) else item.to_dict() for _, item in items]
    if kept:
        records = [record | {"kept": dict(columns)} for record, columns in zip(records, kept, strict=True)]
    return "".join(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n" for record in records)


def _drawing(writer: Writer, **others: Writer) -> dict[Any, Writer]:
    """Use one writer for both explanations and comparisons, plus the given writers for other subjects."""
    return {"explanation": writer, "comparison": writer, **others}


def _picture(name: str, *, is_binary: bool = True) -> OutputFormat:
    writers = _drawing(f".figure:{name}", chart=f".charts:{name}", interactions=f".arcs:{name}")
    return OutputFormat(name=name, suffixes=(f".{name}",), is_binary=is_binary, writers=writers)


def _unit_rows(name: str, **options: Any) -> OutputFormat:
    others = {"table": ".tables.csv:render", "interactions": ".pair_list:csv"} if name == "csv" else {}
    writers = _drawing(f".unit_rows:{name}_units", collection=f".unit_rows:{name}_collection", **others)
    return OutputFormat(name=name, suffixes=(f".{name}",), look="none", keeps_columns=True, writers=writers, **options)


def _marked(name: str, suffix: str) -> OutputFormat:
    writers = _drawing(f".paper:{name}", collection=f".paper:{name}_collection", table=f".tables.{name}:render")
    return OutputFormat(name=name, suffixes=(suffix,), look="marked", writers=writers)


_TABLE = (
    OutputFormat(
        name="terminal",
        suffixes=("", ".txt"),
        writers=_drawing(".terminal:render", interactions=".pair_list:render", table=".tables.terminal:Printable"),
    ),
    OutputFormat(
        name="json",
        suffixes=(".json",),
        look="none",
        keeps_columns=True,
        writers=_drawing(_json, interactions=_json, report=".reports.long:as_json"),
    ),
    OutputFormat(
        name="jsonl",
        suffixes=(".jsonl", ".ndjson"),
        look="none",
        keeps_columns=True,
        writers={"collection": _json_lines},
    ),
    OutputFormat(
        name="html",
        suffixes=(".html", ".htm"),
        keeps_columns=True,
        writers=_drawing(
            ".html:page",
            interactions=".html.pairs:page",
            collection=".html:collection",
            table=".tables.html:render",
        ),
    ),
    _picture("svg", is_binary=False),
    _picture("png"),
    _picture("pdf"),
    _marked("markdown", ".md"),
    _marked("latex", ".tex"),
    _unit_rows("csv"),
    _unit_rows("parquet", is_binary=True, module="pyarrow.parquet"),
)
ALIASES = {"md": "markdown"}
FORMATS: dict[str, OutputFormat] = {output.name: output for output in _TABLE}


def names(*subjects: Subject) -> tuple[str, ...]:
    """The formats that can write at least one of these subjects."""
    return tuple(name for name, output in FORMATS.items() if any(map(output.draws, subjects)))


def suffixes(*subjects: Subject) -> dict[str, str]:
    """Format names by file suffix; a `.txt` file contains what the terminal shows."""
    return {suffix: name for name in names(*subjects) for suffix in FORMATS[name].suffixes}


def format_named(name: str, *subjects: Subject) -> OutputFormat:
    """The format with this name; raises an error if it can write none of these subjects."""
    name = ALIASES.get(name, name)
    if name not in names(*subjects):
        raise unknown("format", name, names(*subjects))
    return FORMATS[name]


def format_of(path: Path, *subjects: Subject) -> OutputFormat:
    """The format for a file, from its suffix."""
    known = {suffix: name for suffix, name in suffixes(*subjects).items() if name != "terminal"}
    if path.suffix.lower() not in known:
        raise ArgumentError(f"no format is known for a file that ends in {path.suffix!r}; use {', '.join(known)}")
    return FORMATS[known[path.suffix.lower()]]


def render(subject: "Drawable", form: str, theme: Theme) -> Any:
    """Write an explanation, a comparison or interactions; the terminal gets a rich renderable."""
    return format_named(form, subject.kind).write(subject.kind, subject, theme)


def fragment(subject: "Drawable", theme: Theme) -> str:
    """A piece of HTML for a notebook."""
    writer = ".html.pairs:fragment" if subject.kind == "interactions" else ".html:fragment"
    return str(load(writer)(subject, theme))


def printable(subject: "Drawable", theme: Theme) -> "RenderableType":
    """The drawing as a rich renderable."""
    return render(subject, "terminal", theme)  # type: ignore[no-any-return]


def show(page: Callable[[], str], drawing: Callable[[], "RenderableType"]) -> None:
    """Show HTML in a notebook, or print to the terminal elsewhere."""
    notebook: Any = sys.modules.get("IPython")
    if notebook is not None and getattr(notebook.get_ipython(), "kernel", None) is not None:
        notebook.display.display(notebook.display.HTML(page()))
        return
    from rich.console import Console

    Console(highlight=False).print(drawing())
