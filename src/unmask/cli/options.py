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


def format_option(forms: str) -> Any:
    """The option --format, with the forms that a command writes."""
    return option(OUTPUT, "--format", help=f"{forms}.", show_default="by the suffix of -o, else terminal")


def output_option(help: str) -> Any:
    """The option --output."""
    return option(OUTPUT, "-o", "--output", metavar="PATH", help=help)


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


Label = Annotated[str | None, option(TEXTS, metavar="COLUMN", help="The gold labels: for robustness and plausibility.")]
Rationale = Annotated[
    str | None,
    option(TEXTS, metavar="COLUMN", help="People's marks: lists of 0 and 1 over the words between white space."),
]
Scores = Annotated[
    str | None,
    option(
        TEXTS,
        metavar="FILE",
        help="Evaluate scores from elsewhere: a .jsonl of text, spans and scores, or what explain writes.",
    ),
]
Given = Annotated[
    str | None,
    option(TEXTS, metavar="NAME", help="Row label for the imported scores.", show_default="the file's name"),
]
Limit = Annotated[int | None, option(TEXTS, min=1, help="At most so many texts of a dataset.")]
Labels = Annotated[
    str | None,
    option(MODEL, metavar="NAMES", help="Names for the model's outputs: negative,positive.", show_default="its own"),
]

Methods = Annotated[
    list[str] | None,
    option(
        ASKED,
        "--method",
        help="Methods, with commas between them: sig,ig:steps=250.",
        show_default="sig, ig, grad_x_input, leave_one_in and shapley; of the protocol paper, its six",
    ),
]
Operators = Annotated[
    list[str] | None,
    option(
        ASKED,
        "--operator",
        help="How the metrics perturb words: remove, mask, pad or unk, with commas between them.",
        show_default="remove,mask",
    ),
]
ProtocolName = Annotated[
    str | None,
    option(
        ASKED, "--protocol", help="corrected, or paper: as the published figures were made.", show_default="corrected"
    ),
]
Top = Annotated[
    float | None, option(ASKED, help="The share of a text's units that is removed or kept.", show_default="0.2")
]
EvaluatedUnit = Annotated[
    str | None, option(ASKED, "--unit", help="What moves as a whole: word, token or sentence.", show_default="word")
]
EvaluatedTarget = Annotated[
    str | None, option(ASKED, "--target", help="predicted, a label, an index, or max.", show_default="predicted")
]
EvaluatedScale = Annotated[
    str | None,
    option(ASKED, "--scale", help="Of the attributions: auto, log_odds, log_probability, ...", show_default="auto"),
]
Baselines = Annotated[
    list[str] | None,
    option(
        ASKED,
        "--baseline",
        help="Of the attributions: mask, pad, ...; several, with commas, show the grid with the operators.",
        show_default="auto",
    ),
]
Reference = Annotated[
    str | None, option(ASKED, metavar="METHOD", help="Show every method's paired differences from this one.")
]
RationaleLength = Annotated[
    int | None,
    option(ASKED, min=1, help="Units that a method may choose against people's marks.", show_default="as people"),
]

RunFolder = Annotated[
    Path | None,
    option(
        RUN, "--run", metavar="FOLDER", help="Keep every result as it comes; the same command goes on where it stopped."
    ),
]
Estimated = Annotated[bool, option(RUN, "--estimate", help="Say what it would take on this machine, and stop.")]
RetryFailed = Annotated[bool, option(RUN, "--retry-failed", help="Retry texts that failed before.")]
PlanName = Annotated[
    str, typer.Argument(metavar="PLAN", help="A .toml file, or paper or paper-steps.", show_default=False)
]
PlanFolder = Annotated[
    Path | None,
    typer.Argument(metavar="FOLDER", help="Where results are kept; --estimate needs none.", show_default=False),
]
Folder = Annotated[Path, typer.Argument(help="The folder of a run.", show_default=False)]
Map = Annotated[
    list[str] | None, option(RUN, "--map", metavar="NAME=PATH", help="A folder or file for a name in the plan.")
]
Only = Annotated[
    list[str] | None, option(RUN, "--only", metavar="PAIR", help="Of the plan: sst2/bert, sst2 or */bert.")
]
HiddenPlan = Annotated[str | None, option(RUN, "--plan", hidden=True)]  # earlier versions of `unmask run`
HiddenMap = Annotated[list[str] | None, option(RUN, "--map", hidden=True)]
HiddenOnly = Annotated[list[str] | None, option(RUN, "--only", hidden=True)]

TableFormat = Annotated[str | None, format_option("terminal, markdown, csv, json, html or latex")]


def listed(values: list[str] | None) -> list[str] | None:
    """Values that were given several times or with commas."""
    return [part.strip() for value in values or () for part in value.split(",") if part.strip()] or None
