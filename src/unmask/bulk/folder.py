"""A folder of results: a manifest, full parts, and one unfinished part. Needs no torch.

A part's name contains the range of its texts, the number of failed texts, and a digest of the texts. A file gets its
name only when it is complete on disk, so the file names always show exactly what is done. Only failed texts are ever
recomputed; their part is then replaced by one with fewer failures.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, SchemaError
from ..results.atomic_io import read_whole, temporary_beside, write_whole
from ..results.folder_lock import hold, holder
from .rows import RowFormat

MANIFEST, PROGRESS, LOCK = "manifest.json", "progress.json", "manifest.json.lock"
SCHEMA = 1
NAME = re.compile(r"(part|unfinished)-(\d{9,})-(\d{9,})-(\d+)-([0-9a-f]{16})\.(?:jsonl|parquet)")
LISTED = 3  # number of files named in a message


@dataclass(frozen=True, slots=True)
class Part:
    """The results of the texts `first` to `end - 1`."""

    first: int
    end: int
    failed: int
    digest: str  # of the texts
    is_full: bool = True

    def name(self, form: str) -> str:
        """The file name; an unfinished part is always JSON Lines."""
        kind, suffix = ("part", form) if self.is_full else ("unfinished", "jsonl")
        return f"{kind}-{self.first:09}-{self.end:09}-{self.failed}-{self.digest}.{suffix}"


class ResultFolder:
    """A folder of results, which may not exist yet."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def __str__(self) -> str:
        return repr(str(self.path))

    @property
    def is_begun(self) -> bool:
        """Whether the folder has a manifest."""
        return (self.path / MANIFEST).is_file()

    @property
    def holder(self) -> str | None:
        """The process that is writing to the folder, or None."""
        return holder(self.path, LOCK)

    def manifest(self) -> dict[str, Any]:
        """Read the manifest: everything that the results depend on."""
        if not self.is_begun:
            raise InputError(f"{self} is not a folder of results", hint="unmask explain -f FILE -o FOLDER/ creates one")
        try:
            manifest: dict[str, Any] = json.loads(read_whole(self.path / MANIFEST))
            schema = manifest["schema"]
        except (ValueError, KeyError, TypeError) as error:
            raise SchemaError(f"the manifest of {self} is damaged: {error}", hint="use another folder") from error
        if schema != SCHEMA:
            raise SchemaError(
                f"{self} has schema {schema}, but this version of unmask reads {SCHEMA}", hint="use another folder"
            )
        return manifest

    def begun_with(self, name: str) -> int | None:
        """Return the `threads` or `batch_tokens` with which the first results were computed; None without results."""
        number = self.manifest()["environment"].get(name) if self.is_begun else None
        return number if isinstance(number, int) and number > 0 else None

    def row_format(self) -> RowFormat:
        """What the parts store for each text."""
        return RowFormat(self.manifest()["format"])

    def hold(self) -> AbstractContextManager[None]:
        """Create the folder and lock it for this process; rejects a folder with foreign files."""
        self.check_own()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot create the folder {self}: {error.strerror}", hint="use another folder") from error
        return hold(self.path, LOCK)

    def check_own(self) -> None:
        """Reject a file, and a folder that has files but no manifest."""
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self} is a file, not a folder")
        if not self.path.exists() or self.is_begun:
            return
        others = sorted(
            one.name for one in self.path.iterdir() if one.name != LOCK and not one.name.startswith(".unmask-")
        )
        if others:
            more = f" and {len(others) - LISTED} more" if len(others) > LISTED else ""
            raise InputError(
                f"{self} contains other files ({', '.join(others[:LISTED])}{more}); it was not modified",
                hint="use a new or empty folder",
            )

    def begin(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest."""
        self._write(MANIFEST, _json({"schema": SCHEMA, **manifest}))

    def note_progress(self, **seconds: float | None) -> None:
        """Store the time spent and the time left, for `unmask status`."""
        write_whole(self.path / PROGRESS, _json(seconds))

    def progress(self) -> dict[str, float | None]:
        """Return the times stored by `note_progress`; empty if there are none."""
        try:
            return dict(json.loads((self.path / PROGRESS).read_bytes()))
        except (OSError, ValueError, TypeError):
            return {}

    def parts(self) -> list[Part]:
        """Return the parts in order, the unfinished one last; reject a folder with missing parts."""
        listed = [part for part in map(_part, self._names()) if part is not None]
        parts, end = _latest(part for part in listed if part.is_full), 0
        for part in parts:
            if part.first != end:
                raise SchemaError(
                    f"{self} is damaged: the results of texts {end + 1:,} to {part.first:,} are missing"
                    if part.first > end
                    else f"{self} is damaged: two parts contain the results of text {part.first + 1:,}",
                    hint="restore the folder from a copy, or use another one",
                )
            end = part.end
        rest = [part for part in listed if not part.is_full and part.first == end]
        return parts + _latest(rest)[-1:]  # a killed process may leave two

    @property
    def end(self) -> int:
        """The number of texts done."""
        parts = self.parts()
        return parts[-1].end if parts else 0

    def put(self, part: Part, content: bytes, *, form: str) -> None:
        """Add a part and remove the one it replaces."""
        self._write(part.name(form), content)
        self.remove_replaced()

    def remove_replaced(self) -> None:
        """Remove parts that have been replaced."""
        current = set(self.parts())
        for name in self._names():
            if (part := _part(name)) is not None and part not in current:
                (self.path / name).unlink(missing_ok=True)

    def read(self, part: Part, *, form: str) -> bytes:
        """Read the content of a part."""
        return read_whole(self.file(part, form=form))

    def file(self, part: Part, *, form: str) -> Path:
        """The file of a part."""
        return self.path / part.name(form)

    def _names(self) -> Iterator[str]:
        return (one.name for one in list(self.path.iterdir()))

    def _write(self, name: str, content: bytes) -> None:
        """Write a file that appears only once it is complete, even after a power cut."""
        path = self.path / name
        try:
            with temporary_beside(path) as beside:
                with beside.open("wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                beside.replace(path)
            _sync_folder(self.path)
        except OSError as error:
            raise InputError(
                f"cannot write {str(path)!r}: {error.strerror}; earlier results are kept",
                hint="free disk space or restore the folder, and rerun the command to continue",
            ) from error


def _part(name: str) -> Part | None:
    found = NAME.fullmatch(name)
    if found is None:
        return None
    kind, first, end, failed, digest = found.groups()
    return Part(int(first), int(end), int(failed), digest, is_full=kind == "part")


def _latest(parts: Iterable[Part]) -> list[Part]:
    """Return the parts in order. Of two parts with the same texts, keep the one with fewer failures: it is newer."""
    by_texts = {(part.first, part.end, part.digest): part for part in sorted(parts, key=lambda part: -part.failed)}
    return [by_texts[texts] for texts in sorted(by_texts)]


def _sync_folder(path: Path) -> None:
    if os.name == "nt":  # folders cannot be opened
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _json(values: Mapping[str, Any]) -> bytes:
    return (json.dumps(values, indent=2) + "\n").encode()
