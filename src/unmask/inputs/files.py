"""Several files of texts, named individually or by patterns such as `reviews/*.parquet`."""

import glob
from collections.abc import Iterable
from pathlib import Path

from ..errors import InputError
from .opening import STANDARD_INPUT


def expand_patterns(names: Iterable[str]) -> list[str]:
    """Return the files in the order given; files that match a pattern are sorted. An existing file is not a pattern."""
    files: list[str] = []
    for name in names:
        if name == STANDARD_INPUT or Path(name).exists() or not glob.has_magic(name):
            files.append(name)
            continue
        found = sorted(path for path in glob.glob(name, recursive=True) if not Path(path).is_dir())  # noqa: PTH207  Path.glob takes no absolute pattern
        if not found:
            raise InputError(f"no file matches {name!r}")
        files += found
    for file in files:
        if files.count(file) > 1:
            raise InputError(f"{file!r} is given twice", hint="name each file only once")
    return files
