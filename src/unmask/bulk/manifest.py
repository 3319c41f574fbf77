"""Records what the results in a folder depend on; a run resumes only if nothing differs. Needs no torch."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import ArgumentError, InputError, brief
from ..inputs import Source
from .folder import ResultFolder

NUMBERS = 1  # incremented when the same settings give different numbers
BLOCK = 2**20
ADDED = {"long": "cut", "detail": None, "detail_rows": None, "rows": None, "seconds": None}  # absent in older manifests
RENEW = "use another folder"
GO_ON = "use the settings of the first run to resume, or use another folder"


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of texts as it was when the folder was created."""

    path: str
    digest: str
    texts: int

    @classmethod
    def of(cls, source: Source) -> "InputFile":
        """Read a file once for its digest and its number of texts."""
        return cls(source.path, _digest(Path(source.path)), source.count_all())


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that results depend on: settings by name, the input files, and the storage format.

    Args:
        texts: The number of texts; None if it is unknown until the end.
        environment: Versions, device and threads. They are stored for reference and not compared.
    """

    settings: Mapping[str, Any]
    form: str
    inputs: Sequence[InputFile] = ()
    texts: int | None = None
    environment: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON values."""
        return {
            "numbers": NUMBERS,
            "format": self.form,
            "settings": _plain(self.settings),
            "inputs": [asdict(one) for one in self.inputs],
            "texts": self.texts,
            "environment": dict(self.environment or {}),
        }

    def check(self, folder: ResultFolder) -> None:
        """Raise an error if the folder's manifest differs from this one."""
        stored = folder.manifest()
        if stored["numbers"] != NUMBERS:
            raise ArgumentError(
                f"{folder} was created by a version of unmask that computes different numbers", hint=GO_ON
            )
        if stored["format"] != self.form:
            raise _differs(folder, "format", stored["format"], self.form)
        settings, known = _plain(self.settings), ADDED | stored["settings"]
        for name in dict.fromkeys([*known, *settings]):
            before, now = known.get(name), settings.get(name, ADDED.get(name))
            if before != now and name not in stored["settings"]:
                raise ArgumentError(f"{folder} was created by a version that did not store {name}", hint=RENEW)
            if before != now:
                raise _differs(folder, name, before, now)
        self._check_inputs(folder, stored["inputs"])
        if self.texts is not None and stored["texts"] not in (None, self.texts):
            raise _differs(folder, "number of texts", stored["texts"], self.texts)

    def _check_inputs(self, folder: ResultFolder, stored: Sequence[Mapping[str, Any]]) -> None:
        """Require the same files in the same order, even if they have moved."""
        if len(stored) != len(self.inputs):
            raise _differs(folder, "number of input files", len(stored), len(self.inputs))
        for before, now in zip(stored, self.inputs, strict=True):
            if before["digest"] != now.digest:
                raise InputError(
                    f"{now.path!r} has changed: the results in {folder} were computed from a file {before['path']!r} "
                    "with different content",
                    hint="restore the file to resume, or use another folder",
                )


def _differs(folder: ResultFolder, name: str, before: Any, now: Any) -> ArgumentError:
    return ArgumentError(f"{folder} holds results with {name} {brief(before)}, not {brief(now)}", hint=GO_ON)


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings as they look after a round trip through JSON."""
    return dict(json.loads(json.dumps(dict(settings), default=str)))


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            digest = hashlib.blake2b(digest_size=16)
            while block := file.read(BLOCK):
                digest.update(block)
            return digest.hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from error
