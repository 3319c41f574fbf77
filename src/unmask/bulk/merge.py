"""Merges the parts of a folder into one file, in order and one part at a time. Needs no torch."""

import csv
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import ArgumentError, InputError, check_installed
from ..render.tables.csv import safe
from ..render.unit_rows import as_text, column_order, csv_cell, write_parquet
from ..results.atomic_io import temporary_beside
from .folder import Part, ResultFolder
from .reading import part_rows, status


def merge(folder: ResultFolder, path: Path, form: str, *, is_partial: bool = False) -> int:
    """Write all results to one file, and return the number of texts.

    Args:
        form: jsonl, csv or parquet. A folder of parquet parts, which hold only scores, cannot be merged into jsonl.
        is_partial: Whether the folder may be unfinished. While a process is writing to it, only full parts are merged.
    """
    is_written = folder.holder is not None
    stored, found, parts = folder.manifest()["format"], status(folder), folder.parts()
    if form == "jsonl" and stored == "parquet":
        raise ArgumentError(
            f"{folder} holds parquet files, which contain only scores; merge it into .parquet or .csv",
            hint="unmask explain --format jsonl stores complete explanations",
        )
    if not found.is_finished and not is_partial:
        of_all = "" if found.texts is None else f" of {found.texts:,}"
        raise ArgumentError(
            f"{folder} is not finished: {found.done:,}{of_all} texts done",
            hint="rerun the command that created it, or add --partial to merge the results so far",
        )
    if is_written:  # the unfinished part may be replaced at any moment
        parts = [part for part in parts if part.is_full]
    with _written(path) as beside:
        WRITERS[form](folder, parts, stored, beside)
    return parts[-1].end if parts else 0


def _merge_lines(folder: ResultFolder, parts: Iterable[Part], stored: str, path: Path) -> None:
    with path.open("wb") as file:
        for part in parts:
            file.write(folder.read(part, form=stored))


def _merge_csv(folder: ResultFolder, parts: Iterable[Part], stored: str, path: Path) -> None:
    read = partial(part_rows, folder, form=stored)
    columns = column_order(name for part in parts for name in [column_order(read(part))])
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(map(safe, columns))
        for part in parts:
            writer.writerows([csv_cell(row.get(column)) for column in columns] for row in read(part))


def _merge_parquet(folder: ResultFolder, parts: Iterable[Part], stored: str, path: Path) -> None:
    check_installed("pyarrow.parquet", what="parquet files")
    import pyarrow
    from pyarrow.parquet import ParquetWriter, read_schema, read_table

    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".unmask-merge-") as place:
        files = list(_parquet_files(folder, parts, stored, Path(place)))
        schemas = [read_schema(file) for file in files]
        names = column_order(schema.names for schema in schemas) if schemas else []
        types = {
            name: _common_type({schema.field(name).type for schema in schemas if name in schema.names})
            for name in names
        }
        whole = pyarrow.schema(list(types.items()))
        with ParquetWriter(path, whole) as writer:
            for file in files:
                table = read_table(file)
                columns = [_column(table, name, kind) for name, kind in types.items()]
                writer.write_table(pyarrow.table(columns, schema=whole))


def _parquet_files(folder: ResultFolder, parts: Iterable[Part], stored: str, place: Path) -> Iterator[Path]:
    """Yield a parquet file for each part: the part itself, or its conversion."""
    for part in parts:
        if stored == "parquet" and part.is_full:
            folder.read(part, form=stored)  # rejects a damaged part
            yield folder.file(part, form=stored)
            continue
        made = place / f"{part.first}.parquet"
        made.write_bytes(write_parquet(part_rows(folder, part, form=stored)))
        yield made


def _common_type(types: set[Any]) -> Any:
    """Return a type for the values of all parts; mixed types become strings, as in a single file."""
    import pyarrow

    known = types - {pyarrow.null()}
    if len(known) <= 1:
        return next(iter(known), pyarrow.null())
    return pyarrow.float64() if known == {pyarrow.int64(), pyarrow.float64()} else pyarrow.string()


def _column(table: Any, name: str, kind: Any) -> Any:
    import pyarrow

    if name not in table.column_names:
        return pyarrow.nulls(table.num_rows, kind)
    column = table.column(name)
    if kind == pyarrow.string() and column.type not in (kind, pyarrow.null()):
        return pyarrow.array([None if value is None else as_text(value) for value in column.to_pylist()], kind)
    return column.cast(kind)


@contextmanager
def _written(path: Path) -> Iterator[Path]:
    """Yield a temporary file that replaces the output if the block succeeds."""
    path = path.resolve()  # replaces the target of a symlink, not the symlink
    try:
        with temporary_beside(path) as beside:
            yield beside
            beside.replace(path)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


WRITERS: dict[str, Callable[[ResultFolder, Iterable[Part], str, Path], None]] = {
    "jsonl": _merge_lines,
    "csv": _merge_csv,
    "parquet": _merge_parquet,
}
