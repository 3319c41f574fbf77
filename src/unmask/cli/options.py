"""Command-line options, each declared once; a command takes a dataclass that combines the groups below."""

import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ..errors import ArgumentError
from ..inputs import FORMATS as FILE_FORMATS
from ..render.formats import FORMATS, OutputFormat, Subject, format_named, names, suffixes
from ..results.atomic_io import is_path
from ..tasks.targets import SCALES
from ..text.segmentation import UNITS
from .exit_codes import Exit, ended, say
from .writers import noting

if TYPE_CHECKING:
    from ..explainer import Explainer

PANELS = "Texts", "Model", "Attribution", "Language models", "Long runs", "Output"
TEXTS, MODEL, ASKED, ANSWERS, RUN, OUTPUT = PANELS
OTHER_UNITS = [unit for unit in UNITS if unit != "word"]
DECLARED = "declared"  # key in a field's metadata: its Typer declaration


def option(panel: str, help: str, *names: str, default: Any = None, **settings: Any) -> Any:
    """A dataclass field that becomes an option in one of the help panels."""
    declared = typer.Option(*names, rich_help_panel=panel, help=help, **settings)
    return field(default=default, metadata={DECLARED: declared})


def argument(help: str, *, default: Any = MISSING, **settings: Any) -> Any:
    """A dataclass field that becomes an argument."""
    return field(default=default, metadata={DECLARED: typer.Argument(help=help, show_default=False, **settings)})


def alternatives(names: Iterable[str]) -> str:
    """Join names as `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def listed(values: list[str] | None) -> tuple[str, ...] | None:
    """Split values that are separated by commas or given several times."""
    return tuple(part.strip() for value in values or () for part in value.split(",") if part.strip()) or None


PAIR = partial(option, TEXTS, "Second text, for a model that reads pairs.", metavar="TEXT")
UNIT = partial(
    option, ASKED, f"What is masked as one piece: {alternatives(['word', *OTHER_UNITS])}.", show_default="word"
)
TARGET = partial(
    option,
    ASKED,
    "Output to explain: predicted, a label, an index, or max (whichever output is largest for each altered text). For "
    "a language model: next (the next token) or a phrase of the answer.",
    show_default="predicted",
)
BASELINE = partial(
    option,
    ASKED,
    "What replaces a masked unit: auto, mask, pad, unk, eos, zero, token:WORD, or ignored (hidden from attention).",
    show_default="auto",
)
REFERENCE = partial(option, ASKED, "Show each method's paired difference from this method.", metavar="METHOD")
ESTIMATE = partial(option, RUN, "Print the estimated cost and exit.", "--estimate", default=False)


def format_option(*forms: str) -> Any:
    """The --format option of a command that writes these formats."""
    return option(OUTPUT, f"Output format: {alternatives(forms)}.", show_default="from the suffix of -o, else terminal")


@dataclass(frozen=True, kw_only=True)
class CommandOptions:
    """Options of every command."""

    debug: bool = option(OUTPUT, "Show tracebacks.", "--debug", default=False)

    def settings(self, *names: str) -> dict[str, Any]:
        """Return the options that were given; the called function has defaults for the others."""
        return {name: value for name in names if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, kw_only=True)
class OutputOptions(CommandOptions):
    """Where results go, and in which format."""

    format: str | None = format_option("terminal", "json")
    output: Path | None = option(OUTPUT, "Write to a file; - is standard output.", "-o", "--output", metavar="PATH")

    def __post_init__(self) -> None:
        if self.output == Path("-"):
            object.__setattr__(self, "output", None)

    def form(self, *subjects: Subject) -> OutputFormat:
        """Return the format given by --format, else by the suffix of the output file."""
        if self.format is not None:
            return format_named(self.format, *subjects)
        known, suffix = suffixes(*subjects), "" if self.output is None else self.output.suffix.lower()
        if suffix not in known:
            raise ArgumentError(f"cannot tell the format from the suffix {suffix!r}; use --format")
        return FORMATS[known[suffix]]


@dataclass(frozen=True, kw_only=True)
class DrawingOptions(OutputOptions):
    """How explanations are drawn."""

    palette: str | None = option(OUTPUT, "Colors: default or red-green.", show_default="default")
    style: str | None = option(
        OUTPUT, "Style: shades, or paper (top fifth bold, most important unit underlined).", show_default="shades"
    )
    overwrite: bool = option(OUTPUT, "Replace an existing .jsonl, .csv or .parquet file.", "--overwrite", default=False)


@dataclass(frozen=True, kw_only=True)
class TableOptions(OutputOptions):
    """Where tables go."""

    format: str | None = format_option(*names("table", "report"))


@dataclass(frozen=True, kw_only=True)
class DeviceOptions(OutputOptions):
    """Where models run, and whether progress is shown."""

    device: str | None = option(MODEL, "Device: cuda, mps or cpu.", show_default="best available")
    batch_tokens: str | None = option(
        MODEL,
        "Token budget per batch, or auto (measured once on this machine, then reused).",
        metavar="NUMBER",
        show_default="auto; in runs, a fixed number",
    )
    quiet: bool = option(OUTPUT, "Print errors only: no notes, no progress.", "--quiet", default=False)

    @property
    def budget(self) -> dict[str, Any]:
        """The token budget of a batch, if given."""
        text = self.batch_tokens
        if text is None or text == "auto":
            return {} if text is None else {"batch_tokens": text}
        if not text.isdecimal() or not int(text):
            raise ArgumentError(f"--batch-tokens {text}: expected a number (at least 1) or auto")
        return {"batch_tokens": int(text)}

    @property
    def is_watched(self) -> bool:
        """Whether to show progress: standard error is a terminal, and --quiet is not given."""
        return not self.quiet and sys.stderr is not None and sys.stderr.isatty()


@dataclass(frozen=True, kw_only=True)
class ModelOptions(DeviceOptions):
    """The model to explain."""

    model: str | None = option(MODEL, "Model folder or hub name.", show_default="the built-in sentiment model")
    revision: str | None = option(MODEL, "Branch, tag or commit of a hub model.")
    dtype: str | None = option(MODEL, "Precision: float32, float64, bfloat16, float16 or auto.", show_default="float32")
    max_length: int | None = option(MODEL, "Read at most this many tokens per text.", min=1)

    def explainer(self, *, task: str | None = None, **more: Any) -> "Explainer":
        """Load the given model, or the built-in model for the task."""
        if self.model is not None and not Path(self.model).exists() and not is_path(self.model) and self.is_watched:
            say(f"note: looking for {self.model!r} on the hub and in its cache")
        from ..explainer import Explainer  # slow: imports torch
        from ..models.huggingface.loading import embedded_model

        loading = self.settings("device", "dtype", "revision", "max_length") | self.budget
        source = embedded_model(task or "classification") if self.model is None else self.model
        return Explainer.from_pretrained(source, task=task, **loading, **more)


@dataclass(frozen=True, kw_only=True)
class FileOptions(CommandOptions):
    """A file of texts."""

    file: str | None = option(
        TEXTS,
        "File with one text per line, or a .csv, .tsv, .jsonl or .parquet file, optionally gzipped (.gz). Use - for "
        "standard input.",
        *("-f", "--file"),
        metavar="FILE",
    )
    column: list[str] | None = option(
        TEXTS,
        "Column with the texts or prompts; repeat the option for pairs.",
        metavar="NAME",
        show_default="text, else sentence, prompt or messages",
    )
    quoting: str | None = option(
        TEXTS, "Quoting of a .csv or .tsv: none or rfc4180.", show_default="rfc4180 for .csv, none for .tsv"
    )
    read_as: str | None = option(TEXTS, f"File format: {alternatives(FILE_FORMATS)}.", show_default="from the suffix")


@dataclass(frozen=True, kw_only=True)
class ScaleOptions(CommandOptions):
    """The scale of the scores, and the random seed."""

    scale: str | None = option(ASKED, f"Scale of the scores: {alternatives(['auto', *SCALES])}.", show_default="auto")
    seed: int | None = option(ASKED, "Random seed, for methods that sample and for sampled answers.")


Given = TypeVar("Given", bound=CommandOptions)


def command(function: Callable[[Given], Exit]) -> Callable[..., None]:
    """Turn a function into a command; the fields of its dataclass argument become the options."""
    kind: type[Given] = function.__annotations__["options"]

    @wraps(function)
    def run(**values: Any) -> None:
        with noting(quiet=values.get("quiet", False)):
            raise typer.Exit(ended(lambda: function(kind(**values)), debug=values["debug"]))

    parameters = [
        inspect.Parameter(
            part.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if part.default is MISSING else part.default,
            annotation=Annotated[part.type, part.metadata[DECLARED]],
        )
        for part in _shown_order(kind)
    ]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # functions may have this attribute
    return run


def _shown_order(kind: type[CommandOptions]) -> "list[Field[Any]]":
    """Order the fields: arguments first, then panel by panel. In each panel, the command's own options come first.

    In the Texts panel, they come last instead: first the file, then how to read it.
    """
    parts = {part.name: part for part in fields(kind)}
    own_first = dict.fromkeys(name for base in kind.__mro__ for name in inspect.get_annotations(base))
    shared_first = dict.fromkeys(name for base in reversed(kind.__mro__) for name in inspect.get_annotations(base))
    panels = {name: parts[name].metadata[DECLARED].rich_help_panel for name in own_first}
    orders = {panel: shared_first if panel == TEXTS else own_first for panel in (None, *PANELS)}
    return [parts[name] for panel, order in orders.items() for name in order if panels[name] == panel]
