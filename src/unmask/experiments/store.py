"""Stores the results of a run in one SQLite file. Writes are atomic."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ..errors import InputError, SchemaError, UnmaskError
from ..results.folder_lock import LOCK, hold, holder
from .store_format import (
    FACT_DIGEST,
    NAME,
    RESULT_DIGEST,
    TABLES,
    address,
    check_whole,
    damaged,
    gone,
    is_made,
    named_errors,
    prepare,
    row_digest,
)

__all__ = ["DAMAGED", "LOCK", "NAME", "Store", "Table", "hold", "holder", "is_made"]

Table: TypeAlias = Literal["scores", "judgments"]
ABSENT = "unmask run PLAN FOLDER starts one; unmask explain -f FILE -o FOLDER/ stores explanations"
DAMAGED = "the stored result is damaged; rerun unmask run with --retry-failed to recompute it"


class Store:
    """The results of a run, keyed by the digests of work items and texts.

    Each row has a digest. A result that does not match its digest is returned as a failure; a note that does not match
    its digest raises an error.

    Args:
        folder: The folder of the run, created if missing; None to store results in memory.
        reading: Open read-only and create nothing.
    """

    def __init__(self, folder: Path | None, *, reading: bool = False) -> None:
        self.path = Path(":memory:") if folder is None else folder / NAME
        self._result_digest = self._note_digest = "digest"  # the column; version 1 does not have it
        self._file: os.stat_result | None = None
        if folder is None:
            self._database = sqlite3.connect(":memory:")
            self._database.executescript(TABLES)
            return
        if reading and not is_made(folder):
            raise InputError(f"no run in {str(folder)!r}", hint=ABSENT)
        with named_errors(self.path, opening=True):
            self._database = self._opened(reading=reading)
        self._file = self.path.stat()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def known(self, table: Table, item: bytes) -> set[bytes]:
        """Return the texts of a work item that have a result or a failure."""
        return {text for (text,) in self._rows(f"SELECT text FROM {table} WHERE cell = ?", item)}

    def bodies(self, table: Table, item: bytes) -> dict[bytes, dict[str, Any]]:
        """The results of a work item, one per text."""
        rows = self._rows(f"SELECT {self._columns} FROM {table} WHERE cell = ?", item)
        return {text: _result(item, text, *row) for text, *row in rows}

    def body(self, table: Table, item: bytes, text: bytes) -> dict[str, Any]:
        """The result of a work item for one text, which must exist."""
        (row,) = self._rows(f"SELECT {self._columns} FROM {table} WHERE cell = ? AND text = ?", item, text)
        return _result(item, *row)

    def put(self, results: Mapping[tuple[Table, bytes], Mapping[bytes, Mapping[str, Any]]]) -> None:
        """Store results by table and work item, then by text, in one transaction."""
        with self._writing():
            for (table, item), bodies in results.items():
                rows = [_row(item, text, _json(body), int("error" in body)) for text, body in bodies.items()]
                self._database.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?, ?)", rows)

    def forget_failures(self, items: Iterable[tuple[Table, bytes]]) -> None:
        """Delete the failures of some work items so that their texts are retried."""
        with self._writing():
            for table, item in items:
                self._database.execute(f"DELETE FROM {table} WHERE cell = ? AND failed", (item,))

    def forget_damage(self) -> None:
        """Delete every damaged row so that it is recomputed."""
        with self._writing():
            for table in ("scores", "judgments"):
                rows = self._database.execute(f"SELECT cell, {self._columns} FROM {table}")
                lost = [(item, text) for item, text, *row in rows if _read(item, text, *row) is None]
                self._database.executemany(f"DELETE FROM {table} WHERE cell = ? AND text = ?", lost)
            notes = self._database.execute(f"SELECT {self._note_columns} FROM facts")
            names = [(name,) for name, body, digest in notes if _note(name, body, digest) is None]
            self._database.executemany("DELETE FROM facts WHERE name = CAST(? AS TEXT)", names)

    def fact(self, name: str) -> Any:
        """The note with this name, or None."""
        rows = self._rows(f"SELECT {self._note_columns} FROM facts WHERE name = ?", name)
        return self._noted(*rows[0]) if rows else None

    def facts(self, prefix: str) -> dict[str, Any]:
        """All notes whose names start with the prefix."""
        rows = self._rows(f"SELECT {self._note_columns} FROM facts ORDER BY name")
        start = prefix.encode()
        return {row[0].decode(errors="replace"): self._noted(*row) for row in rows if row[0].startswith(start)}

    def note(self, name: str, body: Any) -> None:
        """Store a note under a name."""
        content = _json(body)
        row = (name, content, row_digest(name.encode(), content.encode()))
        with self._writing():
            self._database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", row)

    @contextmanager
    def reading_results(self) -> Iterator[None]:
        """Report a record with unknown keys as damaged, because no digest protected the rows of version 1."""
        try:
            yield
        except UnmaskError:
            raise
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise damaged(self.path, f"unknown kind of result: {type(error).__name__}: {error}") from error

    @property
    def _columns(self) -> str:
        return f"text, failed, CAST(body AS BLOB), {self._result_digest}"

    @property
    def _note_columns(self) -> str:
        return f"CAST(name AS BLOB), CAST(body AS BLOB), {self._note_digest}"

    def _opened(self, *, reading: bool) -> sqlite3.Connection:
        if is_made(self.path.parent):
            check_whole(self.path)
        elif not reading:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(address(self.path, "ro" if reading else "rwc"), uri=True)
        if not reading:
            prepare(database)
        elif database.execute("PRAGMA user_version").fetchone()[0] == 1:
            database.create_function("row_digest", -1, row_digest, deterministic=True)
            self._result_digest, self._note_digest = RESULT_DIGEST, FACT_DIGEST
        return database

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write in one transaction. Raises an error if the file was deleted, which SQLite would not notice."""
        with named_errors(self.path):
            with self._database:
                yield
            if self._file is not None and not (self.path.exists() and os.path.samestat(self.path.stat(), self._file)):
                raise gone(self.path)

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with named_errors(self.path):
            return self._database.execute(query, values).fetchall()

    def _noted(self, name: bytes, body: bytes, digest: bytes | None) -> Any:
        found = _note(name, body, digest)
        if found is None:
            raise SchemaError(
                f"{str(self.path)!r} is damaged: the checksum of its entry {name.decode(errors='replace')!r} is wrong",
                hint="rerun unmask run with --retry-failed to recompute damaged results",
            )
        return found[0]


def _row(item: bytes, text: bytes, body: str, failed: int) -> tuple[bytes, bytes, str, int, bytes]:
    return item, text, body, failed, row_digest(item, text, failed, body.encode())


def _result(*row: Any) -> dict[str, Any]:
    """Return the body of a row; a failure if the row is damaged."""
    return _read(*row) or {"error": DAMAGED}


def _read(item: bytes, text: bytes, failed: int, body: bytes, digest: bytes | None) -> dict[str, Any] | None:
    """Return the body of a row; None if it does not match its digest or cannot be read."""
    found = _parsed(body) if digest == row_digest(item, text, failed, body) else None
    return found[0] if found is not None and isinstance(found[0], dict) else None


def _note(name: bytes, body: bytes, digest: bytes | None) -> tuple[Any] | None:
    return _parsed(body) if digest == row_digest(name, body) else None


def _parsed(body: bytes) -> tuple[Any] | None:
    """Return the value of a JSON text, in a tuple; None if the text is not JSON."""
    try:
        return (json.loads(body),)
    except (ValueError, TypeError, RecursionError):
        return None


def _json(body: Any) -> str:
    return json.dumps(body, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
