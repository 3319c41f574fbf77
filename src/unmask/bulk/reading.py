"""Reads the results in a folder, finished or not. Needs no torch."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..errors import ArgumentError
from ..results.explanation import Explanation
from ..text.request import Failure
from .folder import Part, ResultFolder
from .rows import parse, read_line, unit_rows

REASONS = 5  # number of failures listed


@dataclass(frozen=True, slots=True)
class FolderStatus:
    """The progress of a folder.

    `texts` is the total and `left` the seconds left; both are None if unknown. `reasons` describes the first failures.
    """

    done: int
    texts: int | None
    failed: int
    reasons: tuple[str, ...]
    left: float | None

    @property
    def is_finished(self) -> bool:
        """Whether all texts are done."""
        return self.done == self.texts


def read_results(folder: str | os.PathLike[str]) -> Iterator[Explanation | Failure]:
    """Yield the results in a folder of JSON Lines, in order; a failed text yields a `Failure`."""
    results = ResultFolder(folder)
    form = results.manifest()["format"]
    if form != "jsonl":
        raise ArgumentError(
            f"{results} holds {form} files, which contain only scores; to store explanations, use --format jsonl"
        )
    for part in results.parts():
        for at, line in enumerate(part_lines(results, part, form=form)):
            yield read_line(line, part.first + at)


def part_lines(folder: ResultFolder, part: Part, *, form: str) -> list[bytes]:
    """The lines of a JSON Lines part."""
    return folder.read(part, form=form).splitlines(keepends=True)


def status(folder: ResultFolder) -> FolderStatus:
    """Return the progress of a folder, even while another process is writing to it."""
    manifest, parts = folder.manifest(), folder.parts()
    failures = (one for part in parts if part.failed for one in _failures(folder, part, form=manifest["format"]))
    return FolderStatus(
        done=parts[-1].end if parts else 0,
        texts=manifest["texts"],
        failed=sum(part.failed for part in parts),
        reasons=tuple(islice(failures, REASONS)),
        left=folder.progress().get("left"),
    )


def part_rows(folder: ResultFolder, part: Part, *, form: str) -> list[dict[str, Any]]:
    """Return the rows of a part, one per unit."""
    if form == "jsonl":
        return list(unit_rows(part_lines(folder, part, form=form)))
    if not part.is_full:
        return [unit for line in part_lines(folder, part, form=form) for unit in parse(line)]
    from pyarrow import BufferReader
    from pyarrow.parquet import read_table

    return list(read_table(BufferReader(folder.read(part, form=form))).to_pylist())


def _failures(folder: ResultFolder, part: Part, *, form: str) -> Iterator[str]:
    """Yield where and why texts of a part failed; nothing if another process has just replaced the part."""
    if not folder.file(part, form=form).exists():
        return
    if form == "jsonl":
        lines = part_lines(folder, part, form=form)
        records = [record for line in lines if b'"error"' in line and "error" in (record := parse(line))]
    else:
        records = [row for row in part_rows(folder, part, form=form) if row.get("error") is not None]
    for record in records:
        error, place = record["error"], [] if record.get("line") is None else [f"line {record['line']}"]
        where = ", ".join([record["file"], *place] if "file" in record else place)
        yield f"{where}: {error['message'] if isinstance(error, dict) else error}".removeprefix(": ")
