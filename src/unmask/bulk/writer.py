"""The only writer of a folder: takes finished chunks in order and adds them to parts. Needs no torch.

Which texts a part holds depends only on the chunks. Until a part is full, it is saved under a temporary name every few
seconds. A finished folder therefore has the same files, byte for byte, however often the run was interrupted.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeAlias

from ..errors import InputError
from .chunks import Chunk, FileText, TextDigest
from .folder import Part, ResultFolder
from .rows import ResultRow, RowFormat

TEXTS = 1_000  # at least, per part
SECONDS = 5.0  # between saves
Retry: TypeAlias = Callable[[Part, Sequence[FileText]], Part]


@dataclass(frozen=True, slots=True)
class _State:
    """The part being filled. It is replaced in a single assignment, so Ctrl-C leaves the old or the new state."""

    part: Part
    count: int = 0  # number of lines
    digest: TextDigest = field(default_factory=TextDigest)


class PartWriter:
    """Adds results to a folder, starting where its parts end."""

    def __init__(self, folder: ResultFolder, rows: RowFormat) -> None:
        self._folder, self._rows = folder, rows
        self._lines: list[bytes] = []
        self._state = _State(Part(0, 0, 0, "", is_full=False))
        self._earlier = 0  # failed texts in full parts
        self._saved, self._saved_at = 0, time.monotonic()

    @property
    def end(self) -> int:
        """The number of texts done."""
        return self._state.part.end

    @property
    def saved(self) -> int:
        """The number of texts saved in the folder."""
        return self._saved

    @property
    def failed(self) -> int:
        """The number of texts that failed."""
        return self._earlier + self._state.part.failed

    def skip(self, texts: Iterator[FileText], retry: Retry = lambda part, _: part) -> None:
        """Skip the texts that are done; reject texts that differ from those in the folder.

        Args:
            retry: Recomputes the failed texts of a part and returns the part that replaces it.
        """
        for part in self._folder.parts():
            given = list(islice(texts, part.end - part.first))
            if len(given) < part.end - part.first:
                raise InputError(
                    f"{self._folder} holds the results of {self._folder.end:,} texts, but only "
                    f"{part.first + len(given):,} were given",
                    hint="give the same texts in the same order to resume, or use another folder",
                )
            digest = TextDigest().after(text for _, text in given)
            if str(digest) != part.digest:
                raise InputError(
                    f"texts {part.first + 1:,} to {part.end:,} differ from the texts of the results in {self._folder}",
                    hint="give the same texts in the same order to resume, or use another folder",
                )
            part = retry(part, given)
            if part.is_full:
                self._earlier += part.failed
                self._state = _State(Part(part.end, part.end, 0, "", is_full=False))
            else:
                self._lines = self._folder.read(part, form=self._rows.form).splitlines(keepends=True)
                self._state = _State(part, len(self._lines), digest)
            self._saved = part.end
        self._folder.remove_replaced()

    def add(self, chunk: Chunk, rows: Sequence[ResultRow]) -> None:
        """Add the results of the next chunk; save them if the part is full or a few seconds have passed."""
        before = self._state
        del self._lines[before.count :]
        self._lines += (row.line for row in rows)
        digest = before.digest.after(chunk.texts)
        failed = before.part.failed + sum(row.error is not None for row in rows)
        part = replace(before.part, end=chunk.end, failed=failed, digest=str(digest))
        self._state = _State(part, len(self._lines), digest)
        if part.end - part.first >= TEXTS:
            self.close_part()
        elif time.monotonic() - self._saved_at >= SECONDS:
            self.save()

    def save(self) -> None:
        """Save finished results that are not in the folder yet."""
        part = self._state.part
        if part.end > self._saved:
            self._folder.put(part, b"".join(self._lines[: self._state.count]), form=self._rows.form)
            self._saved, self._saved_at = part.end, time.monotonic()

    def close_part(self) -> None:
        """Save the current part as complete, even if it is shorter than usual, and begin the next."""
        state = self._state
        part = replace(state.part, is_full=True)
        if part.end == part.first:
            return
        self._folder.put(part, self._rows.part(self._lines[: state.count]), form=self._rows.form)
        self._saved, self._saved_at = part.end, time.monotonic()
        self._earlier += part.failed
        self._state, self._lines = _State(Part(part.end, part.end, 0, "", is_full=False)), []
