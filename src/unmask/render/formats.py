"""The registry of output formats: a new one is a single entry here, or a call of `register`.

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

    from ..results.drawable import Drawable
    from ..results.explanation import Explanation

Subject = Literal["explanation", "comparison", "collection", "table", "report", "chart"]
Look = Literal["themed", "marked", "none"]  # any theme; the style `paper` without colors; no drawing
Writer: TypeAlias = Callable[..., Any] | str  # or where it stands, "module:function", imported when first needed


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A text that could not be explained, and why; no text where none could be read."""

    why: str
    text: str = ""


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
        if subject not in self.writers:
            raise unknown("form", self.name, names(subject))
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


def _json(subject: "Drawable", _theme: Theme) -> str:
    return json.dumps(subject.to_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _json_lines(items: Sequence[Item], _theme: Theme) -> str:
    records = ({"error": item.why} if isinstance(item, Unexplained) else item.to_dict() for _, item in items)
    return "".join(json.dumps(record, allow_nan=False) + "\n" for record in records)


FORMATS: dict[str, OutputFormat] = {}


def register(output: OutputFormat) -> None:
    """Add a format; its name and its suffixes must be new."""
    taken = {suffix for known in FORMATS.values() for suffix in known.suffixes} & set(output.suffixes)
    if output.name in FORMATS or taken:
        raise ArgumentError(f"duplicate output format {output.name!r}, or a suffix of it: {', '.join(sorted(taken))}")
    FORMATS[output.name] = output


def _register(name: str, *suffixes: str, writers: Mapping[Any, Writer], **settings: Any) -> None:
    register(OutputFormat(name=name, suffixes=suffixes, writers=writers, **settings))


_printed = dict.fromkeys(("explanation", "comparison"), ".terminal:render") | {"table": ".tables:printable"}
_register("terminal", "", ".txt", writers=_printed)
_records: dict[str, Writer] = {"explanation": _json, "comparison": _json, "report": ".reports.long:as_json"}
_register("json", ".json", look="none", writers=_records)
_register("jsonl", ".jsonl", ".ndjson", look="none", writers={"collection": _json_lines})
_pages = {"explanation": ".html:page", "table": ".tables.html:render"}
_pages |= {kind: f".html:{kind}" for kind in ("comparison", "collection")}
_register("html", ".html", ".htm", writers=_pages)
for _name in ("svg", "png", "pdf"):
    _drawn = dict.fromkeys(("explanation", "comparison"), f".figure:{_name}") | {"chart": f".charts:{_name}"}
    _register(_name, f".{_name}", is_binary=_name != "svg", writers=_drawn)
for _name, _suffix in (("markdown", ".md"), ("latex", ".tex")):
    _marked = {kind: f".paper:{_name}_{kind}" for kind in ("comparison", "collection")}
    _marked |= {"explanation": f".paper:{_name}", "table": f".tables.{_name}:render"}
    _register(_name, _suffix, look="marked", writers=_marked)
_register("csv", ".csv", look="none", writers={"table": ".tables.csv:render"})


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


def kind_of(subject: "Drawable") -> Subject:
    """Whether it is a comparison."""
    from ..results.comparison import Comparison

    return "comparison" if isinstance(subject, Comparison) else "explanation"


def render(subject: "Drawable", form: str, theme: Theme) -> str | bytes:
    """An explanation or a comparison in that format: a document, or a picture's bytes."""
    kind = kind_of(subject)
    return format_named(form, kind).write(kind, subject, theme)  # type: ignore[no-any-return]


def printable(subject: "Drawable", theme: Theme) -> "RenderableType":
    """The drawing as something that rich can print."""
    return FORMATS["terminal"].write(kind_of(subject), subject, theme)  # type: ignore[no-any-return]


def fragment(subject: "Drawable", theme: Theme) -> str:
    """A piece of HTML for a notebook."""
    from .html import fragment

    return fragment(subject, theme)


def show(page: Callable[[], str], drawing: Callable[[], "RenderableType"]) -> None:
    """Show HTML in a notebook, else print in the terminal."""
    notebook: Any = sys.modules.get("IPython")
    if notebook is not None and getattr(notebook.get_ipython(), "kernel", None) is not None:
        notebook.display.display(notebook.display.HTML(page()))
        return
    from rich.console import Console

    Console(highlight=False).print(drawing())
