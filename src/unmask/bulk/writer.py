"""The one writer of a folder: takes finished chunks in order, and adds them to parts. Needs no torch.

Which texts a part holds is fixed by the chunks. In between, what is done of it is saved every few seconds under another
name, so that a finished folder has the same files, byte for byte, however often the work was interrupted.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeAlias

from ..errors import InputError
from .chunks import Chunk, FileText, TextDigest
from .folder import Part, ResultFolder
from .rows import Row, RowFormat

TEXTS = 1_000  # in a part, at least
SECONDS = 5.0  # between two savings
Retry: TypeAlias = Callable[[Part, Sequence[FileText]], Part]


@dataclass(frozen=True, slots=True)
class _State:
    """The part that is being filled: replaced as a whole, so that Ctrl-C finds either the old or the new one."""

    part: Part
    count: int = 0  # of its lines
    digest: TextDigest = field(default_factory=TextDigest)


class PartWriter:
    """Continues a folder where its parts end."""

    def __init__(self, folder: ResultFolder, rows: RowFormat) -> None:
        self._folder, self._rows = folder, rows
        self._lines: list[bytes] = []
        self._state = _State(Part(0, 0, 0, "", is_full=False))
        self._earlier = 0  # failed texts in full parts
        self._saved, self._saved_at = 0, time.monotonic()

    @property
    def end(self) -> int:
        """The texts that are done."""
        return self._state.part.end

    @property
    def saved(self) -> int:
        """The texts that are done and in the folder."""
        return self._saved

    @property
    def failed(self) -> int:
        """The texts that failed."""
        return self._earlier + self._state.part.failed

    def skip(self, texts: Iterator[FileText], retry: Retry = lambda part, _: part) -> None:
        """Take the texts that are done; refuses others than those in the folder.

        Args:
            retry: Computes again what failed in a part, from its texts; returns the part that replaces it.
        """
        for part in self._folder.parts():
            given = list(islice(texts, part.end - part.first))
            digest = TextDigest().after(text for _, text in given)
            if str(digest) != part.digest:
                raise InputError(
                    f"the texts {part.first + 1:,} to {part.end:,} are not those that the results in {self._folder} "
                    "are of",
                    hint="give the same texts in the same order to continue, or use another folder",
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

    def add(self, chunk: Chunk, rows: Sequence[Row]) -> None:
        """Take the rows of the next chunk; saves them if the part is full, or some seconds have passed."""
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
        """Save what is done, if that is not in the folder yet."""
        part = self._state.part
        if part.end > self._saved:
            self._folder.put(part, b"".join(self._lines[: self._state.count]), form=self._rows.form)
            self._saved, self._saved_at = part.end, time.monotonic()

    def close_part(self) -> None:
        """Write the part as a full one, even if it is shorter than others, and begin the next."""
        state = self._state
        part = replace(state.part, is_full=True)
        if part.end == part.first:
            return
        self._folder.put(part, self._rows.part(self._lines[: state.count]), form=self._rows.form)
        self._saved, self._saved_at = part.end, time.monotonic()
        self._earlier += part.failed
        self._state, self._lines = _State(Part(part.end, part.end, 0, "", is_full=False)), []
