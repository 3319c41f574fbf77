"""`unmask merge`: merge the results in a folder into one file; loads no model."""

from dataclasses import dataclass
from pathlib import Path

from ..bulk.folder import ResultFolder
from ..errors import ArgumentError, unknown
from ..render.formats import FORMATS, suffixes
from . import options as shared
from .exit_codes import Exit, say
from .options import OUTPUT, argument, command, option
from .writers import check_destination, check_overwriting

FORMS = ("jsonl", "csv", "parquet")


@dataclass(frozen=True, kw_only=True)
class MergeOptions(shared.OutputOptions):
    """Options of `unmask merge`."""

    folder: Path = argument("Folder of results, created by unmask explain -f FILE -o FOLDER/.")
    format: str | None = option(
        OUTPUT, f"Output format: {shared.alternatives(FORMS)}.", show_default="from the suffix of -o"
    )
    output: Path | None = option(OUTPUT, "Write to this file.", "-o", "--output", metavar="PATH")
    overwrite: bool = option(OUTPUT, "Replace an existing file.", "--overwrite", default=False)
    partial: bool = option(OUTPUT, "Merge the folder even if it is unfinished.", "--partial", default=False)
    quiet: bool = option(OUTPUT, "Print errors only.", "--quiet", default=False)


@command
def merge(options: MergeOptions) -> Exit:
    """Merge the results in a folder into one .jsonl, .csv or .parquet file, in the order of the texts."""
    from ..bulk.merge import merge as merge_parts

    if options.output is None:
        raise ArgumentError("merge needs an output file: -o PATH (it cannot write to standard output)")
    form = options.format or suffixes("collection").get(options.output.suffix.lower(), "")
    if form not in FORMS:
        if options.format is not None:
            raise unknown("format", form, FORMS)
        raise ArgumentError(f"cannot tell the format from the suffix {options.output.suffix!r}; use --format")
    kind = FORMATS[form]
    check_destination(options.output, kind, source=None)
    check_overwriting(options.output, kind, is_allowed=options.overwrite)
    texts = merge_parts(ResultFolder(options.folder), options.output, form, is_partial=options.partial)
    if not options.quiet:
        say(f"note: {str(options.output)!r} holds the results of {texts:,} texts")
    return Exit.DONE
