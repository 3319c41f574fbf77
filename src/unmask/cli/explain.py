"""`unmask explain`: explain texts from the command line or a file."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import count, tee
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..attribution.deciding_sets import default_sets
from ..errors import ArgumentError, UnmaskError
from ..inputs import Source, expand_patterns
from ..methods import resolve_method
from ..progress import bar
from ..render.formats import FORMATS, names
from ..results.explanation import Explanation
from ..text.request import Failure, Request
from . import options as shared
from .engine_options import EngineOptions
from .estimate import check_printed, in_words, write_estimate
from .exit_codes import Exit, say, say_error
from .explain_into import check_folder, explain_into
from .folder_options import Folder, folder_form, written_path
from .long_texts import LongTextOptions
from .options import ASKED, OUTPUT, RUN, TEXTS, alternatives, argument, command, option
from .prompts import (
    WRITING,
    AnswerOptions,
    TaskOptions,
    check_one_input,
    check_task,
    known_task,
    note_unread,
    without_generating,
)
from .segments import SegmentOptions
from .writers import Asked, Result, check_destination, check_overwriting, noting, write

if TYPE_CHECKING:
    from ..explainer import Explainer

OF_CLASSIFIERS = ("pair", "label", "only_wrong")  # options
LONG_TEXT = 150  # units; for a longer text, the estimated time is printed first


@dataclass(frozen=True, kw_only=True)
class ExplainOptions(
    LongTextOptions,
    SegmentOptions,
    shared.DrawingOptions,
    AnswerOptions,
    shared.ScaleOptions,
    TaskOptions,
    shared.FileOptions,
    EngineOptions,
):
    """Options of `unmask explain`."""

    text: str | None = argument("Text to explain, or a language model's prompt.", default=None)
    file: list[str] | None = option(  # type: ignore[assignment]  # other commands take one file
        TEXTS,
        "File with one text per line, or a .csv, .tsv, .jsonl or .parquet file, optionally gzipped (.gz). Use - for "
        "standard input. Several files, or a pattern such as 'texts/*.csv', need -o FOLDER/.",
        *("-f", "--file"),
        metavar="FILE",
    )
    pair: str | None = shared.PAIR()
    label: str | None = option(TEXTS, "Column with gold labels.", metavar="COLUMN")
    only_wrong: bool = option(TEXTS, "Explain only texts that the model gets wrong.", "--only-wrong", default=False)
    keep: bool = option(
        TEXTS,
        "Copy the input's other columns into the output (json, jsonl, html, csv, parquet).",
        "--keep",
        default=False,
    )
    method: str = option(ASKED, "Method, such as sig or ig:steps=250; unmask methods lists them.", default="sig")
    unit: str | None = shared.UNIT()
    baseline: str | None = shared.BASELINE()
    sets: str | None = option(
        ASKED,
        "Search for the words that decide the prediction: auto (up to 3 passes per unit), none, or a maximum number of "
        "passes.",
        show_default="auto for sig on classifiers, else none",
    )
    estimate: bool = shared.ESTIMATE()
    format: str | None = shared.format_option(*names("explanation", "collection"))
    output: Path | None = option(
        OUTPUT,
        "Write to a file, or to standard output (-). A name with {line} writes one file per text. FOLDER/ stores the "
        "results in a folder; rerun the command to resume.",
        *("-o", "--output"),
        metavar="PATH",
        parser=written_path,
    )
    retry_failed: bool = option(RUN, "Retry texts in -o FOLDER/ that failed.", "--retry-failed", default=False)


@command
def explain(options: ExplainOptions) -> Exit:
    """Show which words of a text support the model's prediction, and which oppose it.

    For a language model (--task generation), show which words of the prompt led to its answer.
    For other models, show which words led to a tag, a span, a filled mask, a choice, a translation or a similarity.
    """
    is_folder = isinstance(options.output, Folder)
    options.check_engine(is_kept=is_folder, needs="-f FILE -o FOLDER/")
    if options.retry_failed and not is_folder:
        raise ArgumentError("--retry-failed needs -f FILE -o FOLDER/, where failed texts are recorded")
    form = folder_form(options.format) if is_folder else options.form("explanation", "collection")
    look = form.theme(palette=options.palette, style=options.style)
    check_task(options, known_task(options), of_classifiers=OF_CLASSIFIERS)
    sources, line = _sources(options), 1 if form.name == "jsonl" else None
    source = sources[0] if sources else None
    single = options.segments(line=line) or options.prompt(line=line)
    single = single or Request(options.text or "", text_pair=options.pair, line=line)
    if options.keep and not form.keeps_columns:
        keeping = alternatives(name for name, form in FORMATS.items() if form.keeps_columns)
        raise ArgumentError(f"--keep does not work with {form.name}; use --format {keeping}")
    settings = options.settings("unit", "scale", "baseline") | options.answer_settings() | options.long_settings()
    if options.estimate:
        check_printed(form.name, options.output)
    if isinstance(options.output, Folder):
        form.check()
        check_folder(options.output, sources, overwrite=options.overwrite)
    else:
        check_destination(options.output, form, source=source.path if source else None)
        check_overwriting(options.output, form, is_allowed=options.overwrite)
    sets = None if options.sets is None else _sets(options.sets)
    explainer = options.explainer()
    check_task(options, explainer.task, of_classifiers=OF_CLASSIFIERS)
    settings["method"] = resolve_method(options.method, seed=options.seed)
    if explainer.task in WRITING:
        settings |= {"sets": sets or "none", **options.settings("seed")}
        if source is not None and options.given_answer is None and not options.quiet:
            note_unread(source)
    else:
        settings["sets"] = sets or default_sets(settings["method"], detail=options.detail, task=explainer.task)
    if isinstance(options.output, Folder):
        return explain_into(options.output, sources, explainer, settings, options, form=form.name)
    requests: Iterator[Asked] = iter([single]) if source is None else source.records()
    counted = count()
    if options.only_wrong:
        requests = explainer.wrongly_predicted(map(itemgetter(0), zip(requests, counted, strict=False)), **settings)
    if options.estimate:
        expected = explainer.estimate(requests, **settings)
        write_estimate(expected, form=form.name, unit="sentence" if options.detail else options.unit or "word")
        return Exit.DONE if expected.failed < expected.texts else Exit.NOTHING_DONE
    results = ResultReporter(keep=options.keep, quiet=options.quiet, common=explainer.warnings(**settings))
    texts, remembered = tee(requests)
    if source is None and not options.quiet:
        _announce(explainer, single, settings)
    total = 1 if source is None else None if options.only_wrong else source.count()
    progress = bar(total) if options.is_watched else nullcontext()
    with noting(quiet=options.quiet), progress as report:
        attempts = explainer.attempts(texts, progress=report, **settings)
        try:
            write(results.of(remembered, attempts), form, options.output, look)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(results.written if form.name == "jsonl" else 0) from None
    if options.only_wrong and not options.quiet:
        say(f"note: the model gets {results.done:,} of {next(counted):,} texts wrong")
    return results.exit


def _sets(text: str) -> str | int:
    if text in ("auto", "none"):
        return text
    if not text.isdecimal() or not int(text):
        raise ArgumentError(f"--sets {text}: expected auto, none, or a number of passes (at least 1)")
    return int(text)


def _announce(explainer: "Explainer", text: Request, settings: dict[str, Any]) -> None:
    """Print the estimated time for a long text, and suggest faster settings."""
    if explainer.task in WRITING:
        text, settings = without_generating(text, settings)
    try:
        units = len(explainer.units(text, **settings))
        if units > LONG_TEXT:
            unit = "sentence" if settings.get("detail") else settings.get("unit", "word")
            fewer = ["--sets none"] * (settings["sets"] != "none") + ["--unit sentence"] * (unit != "sentence")
            faster = f"; {' and '.join(fewer)} {'is' if len(fewer) == 1 else 'are'} faster" * bool(fewer)
            say(f"note: {units:,} {unit}s, {in_words(explainer.estimate([text], **settings))}{faster}")
    except UnmaskError:
        return  # the text fails below, with the same error


def _sources(options: ExplainOptions) -> list[Source]:
    """The files of texts, checked; none if the text is an argument."""
    if options.only_wrong and options.label is None:
        raise ArgumentError("--only-wrong needs gold labels: add --label COLUMN")
    check_one_input(options.text, options.file, options)
    reading: dict[str, Any] = {
        "form": options.read_as,
        "columns": tuple(options.column or ()),
        "quoting": options.quoting,
        "label": options.label,
        "continuation": options.continuation_column,
        "most_columns": None,  # the task says how many
    }
    if options.file is None:
        if options.continuation_column is not None:
            raise ArgumentError("--continuation-column needs -f FILE; to give one continuation, use --continuation")
        if options.keep or any(reading.values()):
            raise ArgumentError("--column, --keep, --label, --quoting and --read-as need -f FILE")
        return []
    if options.pair is not None:
        raise ArgumentError("--pair needs a text argument; for pairs in a file, use --column A --column B")
    files = expand_patterns(options.file)
    if len(files) > 1 and not isinstance(options.output, Folder):
        raise ArgumentError(f"the results of {len(files)} files need a folder: use -o FOLDER/")
    sources = [Source(file, keep=options.keep, **reading) for file in files]
    for source in sources:
        source.check()
    return sources


class ResultReporter:
    """Pairs texts with their results, and reports failures and warnings along the way.

    Args:
        keep: Whether to copy the other columns of a row.
        common: Warnings that apply to every text; each is reported once.
    """

    def __init__(self, *, keep: bool = False, quiet: bool = False, common: Sequence[str] = ()) -> None:
        self._keep, self._quiet, self._common = keep, quiet, common
        self._reported: set[str] = set()
        self.done = self._failed = self.written = 0

    def of(self, texts: Iterable[Asked], attempts: Iterator[Explanation | Failure]) -> Iterator[Result]:
        """Yield each text with its result and its other columns."""
        try:
            for attempt, text in zip(attempts, texts, strict=False):  # take a text only when its result arrives
                self._report(attempt, "" if text.line is None else f"line {text.line}: ")
                columns = text.columns if isinstance(text, Request) else {}
                yield text, attempt, columns if self._keep else None
                self.written += 1  # a line is written before the next result is taken
        except UnmaskError as error:  # the file itself is broken, but earlier texts are done
            if not self.done:
                raise
            self._failed += 1
            say_error(error)

    @property
    def exit(self) -> Exit:
        """The exit code so far."""
        if not self._failed:
            return Exit.DONE
        return Exit.SOME_FAILED if self.done else Exit.NOTHING_DONE

    def _report(self, attempt: Explanation | Failure, where: str) -> None:
        """Print a failure or a text's warnings."""
        if isinstance(attempt, Failure):
            self._failed += 1
            say_error(attempt.error, where=where)
            return
        self.done += 1
        for warning in attempt.warnings:
            if not self._quiet and warning not in self._reported:
                say(f"note: {'' if warning in self._common else where}{warning}")
        self._reported.update(self._common)
