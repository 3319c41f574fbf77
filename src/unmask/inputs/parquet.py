"""Reads parquet files in batches; imports pyarrow only when needed.

Parquet needs random access, so gzip files and pipes are copied to a temporary file first.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from ..errors import InputError, check_installed, first_line
from ..text.request import Request
from .columns import Columns
from .opening import decoded, empty, is_read_once, name, opened, suffixes

BATCH = 256  # rows
MAGIC = b"PAR1"  # every parquet file begins with these bytes
BLOCK = 2**20
COPIED = 2**34  # bytes: at most 16 GB are copied from a pipe or a gzip file to a temporary file

# Without these options, pyarrow reads too much ahead: the whole file (pre_buffer), or a row group's column (no buffer).
STREAMED: dict[str, Any] = {"pre_buffer": False, "buffer_size": 1 << 16}


def check_pyarrow() -> None:
    """Raise an error if pyarrow is not installed."""
    check_installed("pyarrow.parquet", what="parquet files")


def read_parquet(path: str, columns: Columns, _quoting: object) -> Iterator[Request | InputError]:
    """Read every row as a request."""
    with _table(path) as table:
        there = table.schema_arrow.names
        chosen = columns.in_file(path, there)
        read = there if columns.keep else list(dict.fromkeys((*chosen, *columns.others)))
        batches = table.iter_batches(BATCH, columns=read, use_threads=False)
        rows = (row for batch in batches for row in zip(*map(_values, map(batch.column, read)), strict=True))
        for number, row in enumerate(rows, start=1):
            yield columns.request(number, dict(zip(read, row, strict=True)), columns=chosen)


def parquet_rows(path: str) -> Iterator[int]:
    """Return the row numbers, taken from the file's metadata."""
    with _table(path) as table:
        yield from range(table.metadata.num_rows)


@contextmanager
def _table(path: str) -> Iterator[Any]:
    check_pyarrow()
    import pyarrow
    from pyarrow.parquet import ParquetFile

    with _seekable(path) as file:
        if not file.read(1):
            raise empty(path)
        try:
            with ParquetFile(file, **STREAMED) as table:
                yield table
        except InputError:  # also an OSError, but it already names the file
            raise
        except (pyarrow.ArrowException, OSError, ValueError) as error:  # ValueError: a name that is not UTF-8
            raise InputError(f"{name(path)} is damaged or not a parquet file: {first_line(error)}") from error


@contextmanager
def _seekable(path: str) -> Iterator[BinaryIO]:
    with opened(path) as file:
        if not suffixes(path)[1] and not is_read_once(path):
            yield file
            return
        with tempfile.TemporaryFile() as copy:
            _copy(path, file, copy)
            copy.seek(0)
            yield copy


def _copy(path: str, file: BinaryIO, copy: BinaryIO) -> None:
    """Copy a stream that looks like parquet, up to a limit: it may be an endless device or a gzip bomb."""
    block = file.read(len(MAGIC))
    if block and block != MAGIC:
        raise InputError(f"{name(path)} is not a parquet file: it does not begin with {MAGIC.decode()}")
    while block:
        copy.write(block)
        if copy.tell() > COPIED:
            raise InputError(
                f"{name(path)} is larger than {COPIED / 2**30:,.0f} GB", hint="save or decompress it to a file first"
            )
        block = file.read(BLOCK)


def _values(column: Any) -> list[Any]:
    try:
        return list(column.to_pylist())
    except (ValueError, KeyError):
        return [_value(scalar) for scalar in column]


def _value(scalar: Any) -> Any:
    """Convert to a Python value: invalid UTF-8 becomes lone surrogates, and nanosecond times become text."""
    import pyarrow

    try:
        return scalar.as_py()
    except (ValueError, KeyError):  # KeyError: a time zone unknown to this machine
        if isinstance(scalar, pyarrow.DictionaryScalar):
            return _value(scalar.value)
        if isinstance(scalar, pyarrow.StructScalar):
            return {key: _value(inner) for key, inner in scalar.items()}
        if isinstance(scalar, pyarrow.ListScalar):
            return [_value(inner) for inner in scalar.values]
        if isinstance(scalar, pyarrow.BinaryScalar):
            return decoded(scalar.as_buffer().to_pybytes())
        return scalar.cast(pyarrow.string()).as_py()
