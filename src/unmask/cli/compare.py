"""`unmask compare`: several explanations of one text, one per row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ArgumentError
from ..methods.registry import resolve_methods
from ..render import formats
from ..results.comparison import check_several
from ..text.request import Request
from . import options as shared
from .exit_codes import Exit, say
from .long_texts import LongTextOptions
from .options import ASKED, argument, command, listed, option
from .printing import as_json
from .prompts import WRITING, PromptOptions, TaskOptions, check_one_input, check_task, known_task
from .writers import check_destination, check_overwriting, noting, show, without_notes, write_document

EXAMPLE = 'for example: unmask compare "A gripping film." --method sig,random'


@dataclass(frozen=True, kw_only=True)
class CompareOptions(LongTextOptions, shared.DrawingOptions, shared.ScaleOptions, PromptOptions, TaskOptions):
    """Options of `unmask compare`."""

    text: str | None = argument("Text to explain, or a language model's prompt.", default=None)
    pair: str | None = shared.PAIR()
    method: list[str] | None = option(ASKED, "Methods, comma-separated: sig,ig:steps=250.", show_default="sig")
    target: list[str] | None = option(
        ASKED,
        "Output to explain: a label, an index, predicted, max, or a phrase of the answer. Repeat the option to compare "
        "several.",
        show_default="predicted",
    )
    unit: list[str] | None = option(
        ASKED, f"Units, comma-separated: {','.join(['word', *shared.OTHER_UNITS])}.", show_default="word"
    )
    baseline: str | None = shared.BASELINE()
    format: str | None = shared.format_option(*formats.names("comparison"))


@command
def compare(options: CompareOptions) -> Exit:
    """Compare explanations of one text across methods, targets or units."""
    form = options.form("explanation", "collection")
    look = form.theme(palette=options.palette, style=options.style)
    if not form.draws("comparison"):
        raise ArgumentError("a comparison cannot be written as jsonl; use --format json")
    values: dict[str, Sequence[Any]] = {
        "method": resolve_methods(options.method or ["sig"], seed=options.seed),
        "target": options.target or ["predicted"],
        "unit": listed(options.unit) or ["word"],
    }
    over = _over(values)
    check_task(options, known_task(options), of_classifiers=("pair",))
    check_one_input(options.text, None, options, example=EXAMPLE)
    request = options.prompt() or Request(options.text or "", text_pair=options.pair)
    check_destination(options.output, form, source=None)
    check_overwriting(options.output, form, is_allowed=options.overwrite)
    settings = {name: several[0] for name, several in values.items() if name != over}
    settings |= {f"{over}s": values[over], **options.settings("scale", "baseline"), **options.answer_settings()}
    settings |= options.long_settings()
    explainer = options.explainer()
    check_task(options, explainer.task, of_classifiers=("pair",))
    if explainer.task in WRITING:
        settings |= options.settings("seed")
    try:
        comparison = explainer.compare(request, **settings)
    except ArgumentError as error:
        if str(error).startswith("unknown target"):  # targets are not split at commas: a label may contain one
            error.hint = _repeated(values["target"])
        raise
    for warning in dict.fromkeys(note for row in comparison.explanations for note in row.warnings):
        if not options.quiet:
            say(f"note: {warning}")
    with noting(quiet=options.quiet):
        if form.name == "terminal":
            drawn = comparison if options.output else without_notes(comparison)
            show(formats.printable(drawn, look), options.output)
        elif form.name == "json":
            write_document(as_json(comparison.to_dict(), indent=2), options.output)
        else:
            write_document(form.write("comparison", comparison, look), options.output)
    return Exit.DONE


def _repeated(targets: Sequence[str]) -> str | None:
    """A hint if a target contains a comma."""
    names = [name.strip() for target in targets for name in target.split(",")]
    options = " ".join(f"--target {name}" for name in names)
    return None if names == list(targets) else f"for several targets, repeat the option: {options}"


def _over(values: Mapping[str, Sequence[Any]]) -> str:
    """Return the one setting that varies between the rows."""
    several = [name for name, listed in values.items() if len(listed) > 1]
    if len(several) > 1:
        raise ArgumentError(f"compare one setting at a time, not {' and '.join(several)}")
    if not several:
        check_several(several, hint=_repeated(values["target"]) or EXAMPLE)
    return several[0]
