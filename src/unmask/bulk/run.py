"""Explains texts and saves the results in a folder; resumes where the previous run stopped."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from ..engine.memory import give_memory_back
from ..errors import InputError, UnmaskError
from ..executors.base import Executor, LocalExecutor
from ..progress import Progress, Report
from .chunks import Chunk, FileText, cut
from .compute import ChunkFunction
from .folder import Part, ResultFolder
from .manifest import InputFile, Manifest
from .retry import retry_part
from .rows import ResultRow, RowFormat
from .writer import PartWriter, Retry

ReportRow: TypeAlias = Callable[[ResultRow], None]


@dataclass(frozen=True, slots=True)
class Saved:
    """The number of texts in a folder, and how many of them failed."""

    texts: int
    failed: int


class FolderRun:
    """A run that fills a folder; this process must have locked the folder (`ResultFolder.hold`)."""

    def __init__(self, folder: ResultFolder, manifest: Manifest, rows: RowFormat) -> None:
        self._folder, self._manifest, self._rows = folder, manifest, rows
        self._writer = PartWriter(folder, rows)
        if folder.is_begun:
            manifest.check(folder)
            self._manifest = replace(manifest, inputs=_stored_paths(folder, manifest), texts=folder.manifest()["texts"])
        else:
            folder.begin(manifest.to_dict())
        self._started, self._begun_at = time.monotonic(), 0

    @property
    def saved(self) -> Saved:
        """The texts in the folder."""
        return Saved(self._writer.saved, self._writer.failed)

    @property
    def files(self) -> list[str]:
        """The input files, as named in the first run."""
        return [one.path for one in self._manifest.inputs]

    def go(
        self,
        texts: Iterable[FileText],
        function: ChunkFunction,
        *,
        executor: Executor | None = None,
        progress: Report | None = None,
        report_row: ReportRow = lambda _: None,
        retry_failed: bool = False,
    ) -> Saved:
        """Compute the missing results; finished results are saved even if the run fails or is interrupted.

        Args:
            retry_failed: Whether to recompute texts that failed before.
        """
        source, executor = iter(texts), executor or LocalExecutor()
        if retry_failed:
            self._writer.skip(source, self._retry(function, executor, progress, report_row))
        else:
            self._writer.skip(source)
        self._begun_at = self._writer.end
        source = self._unless_finished(source)
        before = Progress(self._begun_at, 0)
        report = None if progress is None else lambda engine: progress(before + engine)
        if report is not None:
            report(Progress(0, 0))
        computed = executor.map(function, cut(source, first=self._begun_at), report)
        try:
            with closing(computed):
                for chunk, rows in computed:
                    saved = self._writer.saved
                    self._writer.add(chunk, rows)
                    for row in rows:
                        report_row(row)
                    if self._writer.saved > saved:
                        self._note_progress()
                        give_memory_back()
        except BaseException:
            with suppress(UnmaskError):  # report the first error only
                self._writer.save()
            raise
        return self._finish()

    def _retry(
        self, function: ChunkFunction, executor: Executor, progress: Report | None, report_row: ReportRow
    ) -> Retry:
        """Recomputes the failed texts of a part."""

        def compute(chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, list[ResultRow]]]:
            with closing(executor.map(function, chunks)) as computed:
                for chunk, rows in computed:
                    for row in rows:
                        report_row(row)
                    yield chunk, rows

        def retry(part: Part, texts: Sequence[FileText]) -> Part:
            part = retry_part(self._folder, part, texts, compute, rows=self._rows)
            if progress is not None:
                progress(Progress(part.end, 0))
            return part

        return retry

    def _finish(self) -> Saved:
        """Close the last part and store the number of texts."""
        end = self._writer.end
        if self._manifest.texts is not None and end < self._manifest.texts:
            self._writer.save()
            raise InputError(
                f"expected {self._manifest.texts:,} texts, but only {end:,} were given; finished results are saved",
                hint="to resume, pass all the texts again",
            )
        self._writer.close_part()
        if self._manifest.texts is None:
            self._manifest = replace(self._manifest, texts=end)
            self._folder.begin({**self._folder.manifest(), "texts": end})
        self._note_progress()
        return self.saved

    def _unless_finished(self, source: Iterator[FileText]) -> Iterator[FileText]:
        """Return the remaining texts; reject more texts than a finished folder has."""
        if self._manifest.texts is None or self._begun_at < self._manifest.texts:
            return source
        for _ in source:
            raise InputError(
                f"{self._folder} is finished with {self._begun_at:,} texts, but more were given",
                hint="use another folder for new texts",
            )
        return chain(())

    def _note_progress(self) -> None:
        done, seconds = self._writer.end - self._begun_at, time.monotonic() - self._started
        total = self._manifest.texts
        left = None if total is None or not done else seconds / done * (total - self._writer.end)
        self._folder.note_progress(seconds=round(seconds, 1), left=None if left is None else round(left, 1))


def _stored_paths(folder: ResultFolder, manifest: Manifest) -> list[InputFile]:
    paths = [one["path"] for one in folder.manifest()["inputs"]]
    return [replace(one, path=path) for one, path in zip(manifest.inputs, paths, strict=True)]
