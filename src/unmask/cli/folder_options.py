"""Output folders, and the formats of the part files in them."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..bulk.rows import FORMS
from ..errors import ArgumentError
from ..render.formats import FORMATS, OutputFormat

if TYPE_CHECKING:
    FolderBase = Path
else:
    FolderBase = type(Path())  # the platform's class: Path itself cannot be subclassed before Python 3.12


class Folder(FolderBase):
    """An output folder: a folder that exists, or a path that ends with a slash."""


def written_path(text: str) -> Path:
    """The path given to an option: a `Folder` if it names one.

    >>> [type(written_path(text)) is Folder for text in ("results/", "results.jsonl")]
    [True, False]
    """
    ends = tuple(filter(None, (os.sep, os.altsep)))
    return Folder(text) if text.endswith(ends) or Path(text).is_dir() else Path(text)


def folder_form(name: str | None) -> OutputFormat:
    """The format of a folder's parts."""
    if name is not None and name not in FORMS:
        raise ArgumentError(
            f"a folder can hold {' or '.join(FORMS)}, not {name}", hint="for other formats, write to a file: -o PATH"
        )
    return FORMATS[name or FORMS[0]]
