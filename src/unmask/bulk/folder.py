"""A folder of results: a manifest, full parts, and one unfinished part. Needs no torch.

A part's name contains the range of its texts, the number of failed texts, and digests of the texts and of the part's
content. A file gets its name only when it is complete on disk, so the file names always show exactly what is done, and
damage is noticed when a part is read. Only failed texts are ever recomputed; their part is then replaced by one with
fewer failures.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import InputError, SchemaError, brief
from ..results.atomic_io import read_whole, temporary_beside, write_whole
from ..results.folder_lock import hold, holder
from .rows import FORMS, RowFormat

MANIFEST, PROGRESS, LOCK = "manifest.json", "progress.json", "manifest.json.lock"
SCHEMA = 1
NAME = re.compile(r"(part|unfinished)-(\d{9,})-(\d{9,})-(\d+)-([0-9a-f]{16})(?:-([0-9a-f]{16}))?\.(?:jsonl|parquet)")
KINDS = {"numbers": int, "settings": dict, "inputs": list, "texts": int | None, "environment": dict}  # of the manifest
LISTED = 3  # number of files named in a message


@dataclass(frozen=True, slots=True)
class Part:
    """The results of the texts `first` to `end - 1`."""

    first: int
    end: int
    failed: int
    digest: str  # of the texts
    content: str = ""  # a digest of the results; empty in folders of earlier versions
    is_full: bool = True

    def name(self, form: str) -> str:
        """The file name; an unfinished part is always JSON Lines."""
        kind, suffix = ("part", form) if self.is_full else ("unfinished", "jsonl")
        digests = "-".join(filter(None, (self.digest, self.content)))
        return f"{kind}-{self.first:09}-{self.end:09}-{self.failed}-{digests}.{suffix}"


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
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._damaged_manifest() from error
        if schema != SCHEMA:
            raise SchemaError(
                f"{self} has schema {brief(schema)}, but this version of unmask reads {SCHEMA}",
                hint="use another folder",
            )
        if not _is_complete(manifest):
            raise self._damaged_manifest()
        return manifest

    def _damaged_manifest(self) -> SchemaError:
        hint = "restore it from a copy, or use another folder"
        return SchemaError(f"the manifest of {self} ({MANIFEST}) is damaged", hint=hint)

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

    def put(self, part: Part, content: bytes, *, form: str) -> Part:
        """Add a part and remove the one it replaces."""
        part = replace(part, content=_digest(content))
        self._write(part.name(form), content)
        for name in self._names():
            if (other := _part(name)) is not None and other != part and replace(other, content=part.content) == part:
                (self.path / name).unlink(missing_ok=True)  # the same texts and failures, with other content
        self.remove_replaced()
        return part

    def remove_replaced(self) -> None:
        """Remove parts that have been replaced."""
        current = set(self.parts())
        for name in self._names():
            if (part := _part(name)) is not None and part not in current:
                (self.path / name).unlink(missing_ok=True)

    def read(self, part: Part, *, form: str) -> bytes:
        """Read the content of a part; reject a damaged one."""
        content = read_whole(self.file(part, form=form))
        if part.content and _digest(content) != part.content:
            raise SchemaError(
                f"{part.name(form)!r} in {self} is damaged: its content does not match the digest in its name",
                hint="restore it from a copy, or delete it and all later and unfinished parts and rerun the command",
            )
        return content

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
    kind, first, end, failed, digest, content = found.groups()
    return Part(int(first), int(end), int(failed), digest, content or "", is_full=kind == "part")


def _is_complete(manifest: Mapping[str, Any]) -> bool:
    """Whether everything that other modules read from a manifest is there, and of the right type."""
    return (
        all(name in manifest and isinstance(manifest[name], kind) for name, kind in KINDS.items())
        and manifest.get("format") in FORMS
        and all(isinstance(one, dict) and {"path", "digest"} <= one.keys() for one in manifest["inputs"])
    )


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def _latest(parts: Iterable[Part]) -> list[Part]:
    """Return the parts in order. Of two parts with the same texts, keep the one with fewer failures: it is newer."""
    ordered = sorted(parts, key=lambda part: (-part.failed, part.content))  # a killed process may leave two alike
    by_texts = {(part.first, part.end, part.digest): part for part in ordered}
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
