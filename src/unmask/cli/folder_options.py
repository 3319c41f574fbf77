"""A folder as the output of a command, and the formats of the parts in it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..bulk.rows import FORMS
from ..errors import ArgumentError
from ..render.formats import FORMATS, OutputFormat

if TYPE_CHECKING:
    FolderBase = Path
else:
    FolderBase = type(Path())  # the class of this system: Path itself has no subclasses before Python 3.12


class Folder(FolderBase):
    """An output that is a folder, because it exists or was written with a slash at its end."""


def written_path(text: str) -> Path:
    """The path of an option, as it was written.

    >>> [type(written_path(text)) is Folder for text in ("results/", "results.jsonl")]
    [True, False]
    """
    ends = tuple(filter(None, (os.sep, os.altsep)))
    return Folder(text) if text.endswith(ends) or Path(text).is_dir() else Path(text)


def folder_form(name: str | None) -> OutputFormat:
    """The format of a folder's parts."""
    if name is not None and name not in FORMS:
        raise ArgumentError(
            f"a folder holds {' or '.join(FORMS)}, not {name}", hint="name a file to write other formats: -o PATH"
        )
    return FORMATS[name or FORMS[0]]
