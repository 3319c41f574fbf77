"""`unmask interactions`: find words of a text that cover for each other, and words that need each other."""

from dataclasses import dataclass

from ..errors import ArgumentError
from ..render import formats
from ..tasks.targets import SCALES, Contrast
from ..text.request import Request
from . import options as shared
from .exit_codes import Exit, say
from .options import ASKED, alternatives, argument, command, option
from .printing import as_json
from .prompts import TaskOptions
from .writers import check_destination, check_overwriting, noting, show, write_document


@dataclass(frozen=True, kw_only=True)
class InteractionsOptions(shared.DrawingOptions, TaskOptions):
    """Options of `unmask interactions`."""

    text: str = argument("Text to explain.")
    pair: str | None = shared.PAIR()
    top: int = option(ASKED, "Number of top units to pair.", min=2, default=8)
    unit: str | None = shared.UNIT()
    target: str | None = shared.TARGET()
    against: str | None = option(ASKED, "Explain why the model prefers --target over this label.", metavar="LABEL")
    scale: str | None = option(ASKED, f"Scale of the scores: {alternatives(['auto', *SCALES])}.", show_default="auto")
    baseline: str | None = shared.BASELINE()
    format: str | None = shared.format_option(*formats.names("interactions"))


@command
def interactions(options: InteractionsOptions) -> Exit:
    """Show which of the top words cover for each other and which need each other, pair by pair."""
    form = options.form("interactions")
    look = form.theme(palette=options.palette, style=options.style)
    settings = options.settings("top", "unit", "target", "scale", "baseline")
    if options.against is not None:
        if options.target in (None, "predicted"):
            raise ArgumentError("--against needs --target LABEL: the two labels are contrasted")
        settings["target"] = Contrast(options.target, options.against)
    check_destination(options.output, form, source=None)
    check_overwriting(options.output, form, is_allowed=options.overwrite)
    request = Request(options.text, text_pair=options.pair)
    found = options.explainer().interactions(request, progress="bar" if options.is_watched else None, **settings)
    for warning in found.explanation.warnings:
        if not options.quiet:
            say(f"note: {warning}")
    with noting(quiet=options.quiet):
        if form.name == "terminal":
            show(formats.printable(found, look), options.output)
        elif form.name == "json":
            write_document(as_json(found.to_dict(), indent=2), options.output)
        else:
            write_document(form.write("interactions", found, look), options.output)
    return Exit.DONE
