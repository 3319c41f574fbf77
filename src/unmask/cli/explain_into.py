"""`unmask explain -f FILE -o FOLDER/`: save results in a folder, or resume an interrupted run."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..bulk.folder import ResultFolder
from ..errors import ArgumentError, InputError
from ..inputs import Source
from ..progress import bar
from .exit_codes import Exit, OutputError, say, say_error
from .writers import noting

if TYPE_CHECKING:
    from ..bulk.chunks import FileText
    from ..bulk.rows import ResultRow
    from ..explainer import Explainer
    from .explain import ExplainOptions

NAMES = {
    "columns": "column",
    "form": "read_as",
    "continuation": "continuation_column",
}  # settings whose command-line option has another name
SHOWN = 10  # how many failures and notes to print; the folder has all of them


def check_folder(path: Path, sources: Sequence[Source], *, overwrite: bool) -> None:
    """Before any work is done, reject a folder with foreign files and options that do not apply."""
    if not sources:
        raise ArgumentError("an output folder needs -f FILE; to explain one text, write to a file: -o PATH")
    if overwrite:
        raise ArgumentError("--overwrite does not apply to a folder; use a new folder, or delete this one first")
    for source in sources:
        source.check_rereadable()
    ResultFolder(path).check_own()


def explain_into(
    path: Path,
    sources: Sequence[Source],
    explainer: "Explainer",
    settings: dict[str, Any],
    options: "ExplainOptions",
    *,
    form: str,
) -> Exit:
    """Explain the texts whose results are missing from a folder."""
    from ..bulk.compute import chunk_explainer
    from ..bulk.manifest import InputFile, Manifest
    from ..bulk.rows import RowFormat
    from ..bulk.run import FolderRun

    folder, rows = ResultFolder(path), RowFormat(form, options.keep)
    with folder.hold():
        inputs = [InputFile.of(source) for source in sources]
        session = explainer._session
        config = session.resolve_config(**settings)
        function = chunk_explainer(session, config, rows, folder, only_wrong=options.only_wrong)
        total = sum(one.texts for one in inputs)
        reading = {NAMES.get(name, name): value for name, value in asdict(sources[0]).items() if name != "path"}
        manifest = Manifest(function.settings() | reading, form, inputs, total, function.environment())
        run = FolderRun(folder, manifest, rows)
        before = folder.end
        names = run.files if len(sources) > 1 else [None]
        report = _Report(quiet=options.quiet, common=explainer.warnings(**settings))
        shown = bar(total) if options.is_watched else nullcontext()
        with noting(quiet=options.quiet), shown as progress, options.execution_engine().open() as executor:
            try:
                texts = _texts(sources, names)
                saved = run.go(
                    texts,
                    function,
                    executor=executor,
                    progress=progress,
                    report_row=report.row,
                    retry_failed=options.retry_failed,
                )
            except KeyboardInterrupt:
                raise KeyboardInterrupt(folder.end, "rerun the command to continue") from None
            except InputError as error:
                if folder.end > before:
                    raise OutputError(str(error), hint=error.hint) from error
                raise
    if not options.quiet:
        failed = f"; {saved.failed:,} more failed. Rerun with --retry-failed to try again" if saved.failed else ""
        say(f"note: {str(path)!r} holds the results of {saved.texts - saved.failed:,} texts{failed}")
    if not saved.failed:
        return Exit.DONE
    return Exit.SOME_FAILED if saved.failed < saved.texts else Exit.NOTHING_DONE


def _texts(sources: Sequence[Source], names: Sequence[str | None]) -> "Iterator[FileText]":
    """The texts of all files, each with its file's name."""
    for source, name in zip(sources, names, strict=True):
        for text in source.records():
            yield name, text


class _Report:
    """Prints the first failures and notes."""

    def __init__(self, *, quiet: bool, common: Sequence[str]) -> None:
        self._quiet, self._common = quiet, common
        self._failures = self._notes = 0
        self._reported = set[str]()

    def row(self, row: "ResultRow") -> None:
        """Print the failure or the warnings of a text."""
        where = "" if row.place is None else f"line {row.place}: "
        if row.error is not None:
            self._failures += 1
            if self._failures <= SHOWN:
                say_error(row.error, where=where)
            elif self._failures == SHOWN + 1:
                say("error: more texts failed; their errors are in the folder")
        for warning in () if self._quiet else row.warnings:
            self._note(warning, "" if warning in self._common else where)

    def _note(self, warning: str, where: str) -> None:
        if warning in self._reported:
            return
        self._reported.update([warning] if warning in self._common else [])
        self._notes += 1
        if self._notes <= SHOWN:
            say(f"note: {where}{warning}")
        elif self._notes == SHOWN + 1:
            say("note: more texts have warnings; these are in the folder")
