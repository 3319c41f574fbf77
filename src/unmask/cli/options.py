"""Options that several commands take, each written once; the help shows them in these parts."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from ..inputs import FORMATS
from ..tasks.targets import SCALES

TEXTS, MODEL, ASKED, RUN, OUTPUT = "The texts", "The model", "What is asked", "Long runs", "The output"


def option(panel: str, *names: str, **settings: Any) -> Any:
    """An option in one of the help's parts."""
    return typer.Option(*names, rich_help_panel=panel, **settings)


def alternatives(names: Iterable[str]) -> str:
    """Names to choose from, in words: `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


Text = Annotated[str | None, typer.Argument(help="The text to explain.", show_default=False)]
Pair = Annotated[str | None, option(TEXTS, metavar="TEXT", help="A second text, for a model that reads pairs.")]

File = Annotated[
    str | None,
    option(
        TEXTS,
        "-f",
        "--file",
        metavar="FILE",
        help="Texts: one a line, or a .csv, .tsv, .jsonl or .parquet, also with .gz; - is standard input.",
    ),
]
Columns = Annotated[
    list[str] | None,
    option(
        TEXTS,
        "--column",
        metavar="NAME",
        help="The file's column with the texts; two of them make pairs.",
        show_default="text, else sentence",
    ),
]
Quoting = Annotated[
    str | None,
    option(TEXTS, help="Of a .csv or .tsv: none or rfc4180.", show_default="rfc4180 for .csv, none for .tsv"),
]
ReadAs = Annotated[
    str | None, option(TEXTS, help=f"The file's form: {alternatives(FORMATS)}.", show_default="by its name")
]

Model = Annotated[
    str | None, option(MODEL, help="A model's folder or hub name.", show_default="the model in the package")
]
Revision = Annotated[str | None, option(MODEL, help="A hub model's branch, tag or commit.")]
Device = Annotated[str | None, option(MODEL, help="cuda, mps or cpu.", show_default="the best there is")]
Dtype = Annotated[
    str | None, option(MODEL, help="float32, float64, bfloat16, float16 or auto.", show_default="float32")
]
MaxLength = Annotated[int | None, option(MODEL, min=1, help="Read at most this many tokens of a text.")]
BatchTokens = Annotated[int | None, option(MODEL, min=1, help="The token budget of a batch.")]

Scale = Annotated[str, option(ASKED, help=f"{alternatives(['auto', *SCALES])}.")]
Baseline = Annotated[
    str, option(ASKED, help="What a unit is replaced by: auto, mask, pad, unk, eos, zero or token:WORD.")
]
Seed = Annotated[int | None, option(ASKED, help="For methods that draw at random.")]

PaletteName = Annotated[
    str | None, option(OUTPUT, "--palette", help="The colors: default or red-green.", show_default="default")
]
Style = Annotated[
    str | None,
    option(
        OUTPUT, help="shades, or paper: the top fifth bold, the most important unit underlined.", show_default="shades"
    ),
]
Output = Annotated[Path | None, option(OUTPUT, "-o", "--output", metavar="PATH", help="Write to a file.")]
Debug = Annotated[bool, option(OUTPUT, "--debug", help="Show tracebacks.")]
Quiet = Annotated[bool, option(OUTPUT, "--quiet", help="No notes and no progress, only errors.")]


def listed(values: list[str] | None) -> list[str] | None:
    """Values that were given several times or with commas."""
    found = [part.strip() for value in values or () for part in value.split(",") if part.strip()]
    return found or None
