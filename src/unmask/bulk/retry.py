"""Recomputes only the failed texts of a part.

Each of them is its own chunk, so its result does not depend on which other texts failed or when a run was interrupted.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeAlias

from ..errors import SchemaError, UnmaskError
from . import writer
from .chunks import Chunk, FileText, as_text
from .folder import Part, ResultFolder
from .reading import part_lines, part_rows
from .rows import ResultRow, RowFormat, json_line, parse

ComputeChunks: TypeAlias = Callable[
    [Iterable[Chunk]], Iterable[tuple[Chunk, list[ResultRow]]]
]  # in the order of the chunks


def retry_part(
    folder: ResultFolder, part: Part, texts: Sequence[FileText], compute: ComputeChunks, *, rows: RowFormat
) -> Part:
    """Recompute the failed texts of a part, replace the part, and return the new one.

    Args:
        texts: All texts of the part.
    """
    if not part.failed:
        return part
    lines = list(_text_lines(folder, part, form=rows.form))
    places = _failed_places(lines, texts, rows.form)
    chunks = [Chunk(part.first + at, (as_text(texts[at][1]),), texts[at][0]) for at in places]
    computed, saved_at = dict[int, list[ResultRow]](), time.monotonic()

    def save() -> Part:
        """Replace the part; a text that is now skipped gets no result."""
        done = {places[at]: b"".join(row.line for row in found) for at, found in computed.items()}
        left = [line for line in (done.get(place, line) for place, line in enumerate(lines)) if line]
        failed = len(places) - sum(all(row.error is None for row in found) for found in computed.values())
        later = replace(part, failed=failed)
        return folder.put(later, rows.part(left) if part.is_full else b"".join(left), form=rows.form)

    try:
        for chunk, found in compute(chunks):
            computed[chunk.first - part.first] = found
            if time.monotonic() - saved_at >= writer.SECONDS:
                save()
                saved_at = time.monotonic()
    except BaseException:
        with suppress(UnmaskError):  # report the first error only
            save()
        raise
    return save()


def _text_lines(folder: ResultFolder, part: Part, *, form: str) -> Iterator[bytes]:
    """Yield one line per text, as in an unfinished part."""
    if form == "jsonl" or not part.is_full:
        yield from part_lines(folder, part, form=form)
        return
    for _, units in groupby(part_rows(folder, part, form=form), key=_origin):
        yield json_line(list(units), allow_nan=True)


def _failed_places(lines: Sequence[bytes], texts: Sequence[FileText], form: str) -> dict[int, int]:
    """Map the index of each failed text of a part to the index of its line.

    Texts from a file are matched by their line number, since a part may skip some of them; others by their position.
    """
    numbers = {(origin, getattr(as_text(text), "line", None)): at for at, (origin, text) in enumerate(texts)}
    places = dict[int, int]()
    for place, line in enumerate(lines):
        record = parse(line)
        record = record if form == "jsonl" else record[0] if record else {}
        if record.get("error") is None:
            continue
        number = place if record.get("line") is None else numbers.get(_origin(record))
        if number is None:
            raise SchemaError(f"line {record['line']} failed, but is not among the texts of its part")
        places[number] = place
    return places


def _origin(record: dict[str, Any]) -> tuple[str | None, int | None]:
    return record.get("file"), record.get("line")
