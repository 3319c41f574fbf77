"""The results of a run in one SQLite file. A write is stored completely or not at all."""

import json
import os
import socket
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias

from filelock import FileLock, Timeout

from ..errors import InputError, SchemaError

NAME = "results.sqlite"
LOCK = "results.sqlite.lock"
WAIT = 0.2  # seconds to wait for a lock: longer than `holder` holds it
APPLICATION = 0x756E6D6B  # "unmk", in the file's header
VERSION = 1
Table: TypeAlias = Literal["scores", "judgments"]
COLUMNS = "cell BLOB, text BLOB, body TEXT NOT NULL, failed INTEGER NOT NULL, PRIMARY KEY (cell, text)"
TABLES = f"""
CREATE TABLE scores ({COLUMNS}) WITHOUT ROWID;
CREATE TABLE judgments ({COLUMNS}) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
"""


class Store:
    """The results of a run by digest. A cell is the digest of a work item.

    Args:
        folder: The folder of the run, created if missing; None: in memory.
        reading: Open read-only and create nothing.
    """

    def __init__(self, folder: Path | None, *, reading: bool = False) -> None:
        self.path = Path(":memory:") if folder is None else folder / NAME
        if folder is None:
            self._database = sqlite3.connect(":memory:")
            self._database.executescript(TABLES)
            return
        if reading and not is_made(folder):
            raise InputError(f"no run in {str(folder)!r}", hint="unmask run PLAN FOLDER starts one")
        with _named(self.path):
            self._database = self._opened(reading=reading)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def known(self, table: Table, cell: bytes) -> set[bytes]:
        """The texts of a cell that have a result, including failures."""
        return {text for (text,) in self._rows(f"SELECT text FROM {table} WHERE cell = ?", cell)}

    def bodies(self, table: Table, cell: bytes) -> dict[bytes, dict[str, Any]]:
        """The results of a cell by text."""
        rows = self._rows(f"SELECT text, body FROM {table} WHERE cell = ?", cell)
        return {text: self._read(body) for text, body in rows}

    def body(self, table: Table, cell: bytes, text: bytes) -> dict[str, Any]:
        """The result of one text in a cell, which must exist."""
        ((body,),) = self._rows(f"SELECT body FROM {table} WHERE cell = ? AND text = ?", cell, text)
        found: dict[str, Any] = self._read(body)
        return found

    def put(self, results: Mapping[tuple[Table, bytes], Mapping[bytes, Mapping[str, Any]]]) -> None:
        """Store results by table and cell, then by text, in one transaction."""
        with _named(self.path), self._database:
            for (table, cell), bodies in results.items():
                rows = [(cell, text, _json(body), int("error" in body)) for text, body in bodies.items()]
                self._database.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)", rows)

    def forget_failures(self, items: Iterable[tuple[Table, bytes]]) -> None:
        """Delete the failures of some work items, so that their texts are tried again."""
        with _named(self.path), self._database:
            for table, cell in items:
                self._database.execute(f"DELETE FROM {table} WHERE cell = ? AND failed", (cell,))

    def fact(self, name: str) -> Any:
        """The note of that name, or None."""
        rows = self._rows("SELECT body FROM facts WHERE name = ?", name)
        return self._read(rows[0][0]) if rows else None

    def facts(self, prefix: str) -> dict[str, Any]:
        """All notes whose names start with a prefix."""
        rows = self._rows("SELECT name, body FROM facts ORDER BY name")
        return {name: self._read(body) for name, body in rows if name.startswith(prefix)}

    def note(self, name: str, body: Any) -> None:
        """Store a note under a name."""
        with _named(self.path), self._database:
            self._database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, _json(body)))

    def _opened(self, *, reading: bool) -> sqlite3.Connection:
        if is_made(self.path.parent):
            with closing(sqlite3.connect(_address(self.path, "ro"), uri=True)) as looking:
                if (said := looking.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                    raise _damaged(self.path, said)
        elif not reading:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(_address(self.path, "ro" if reading else "rwc"), uri=True)
        if not reading:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            if not database.execute("PRAGMA user_version").fetchone()[0]:
                ours = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
                database.executescript(f"BEGIN; {TABLES} {ours} COMMIT;")
        there = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for missing in sorted({"scores", "judgments", "facts"} - there):
            raise SchemaError(f"{str(self.path)!r} is damaged: no table {missing!r}")
        return database

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with _named(self.path):
            return self._database.execute(query, values).fetchall()

    def _read(self, body: str) -> Any:
        try:
            return json.loads(body)
        except ValueError as error:
            raise _damaged(self.path, f"unreadable result: {error}") from error


def is_made(folder: Path) -> bool:
    """Whether a folder has a store with tables. Refuses files of other programs and of later versions.

    SQLite reads the version, because after a kill even the header may be only in the log.
    """
    if not (path := folder / NAME).exists() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise SchemaError(
                f"{str(path)!r} is not an unmask result store; it was not modified", hint="use another folder"
            )
    with _named(path), closing(sqlite3.connect(_address(path, "ro"), uri=True)) as looking:
        asked = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        application, version, tables = (looking.execute(one).fetchone()[0] for one in asked)
    if application != APPLICATION and (application or tables):  # an empty one is ours, killed while it was created
        raise SchemaError(f"{str(path)!r} belongs to another program; it was not modified", hint="use another folder")
    if version > VERSION:
        raise SchemaError(
            f"{str(path)!r} was written by a later version of unmask (schema {version}; this one reads {VERSION})"
        )
    return bool(version)


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Lock a folder for this process, or say which process holds it."""
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=WAIT, poll_interval=WAIT / 4)
        with suppress(PermissionError):  # Windows does not allow writing a locked file
            me = json.dumps({"process": os.getpid(), "machine": socket.gethostname()})
            (folder / LOCK).write_text(me, encoding="utf-8")
    except Timeout as error:
        raise InputError(
            f"{str(folder)!r} is in use by {_holder(folder)}",
            hint="wait for it or stop it; its results are kept",
        ) from error
    except (OSError, NotImplementedError) as error:
        lock.release()
        raise InputError(
            f"cannot write or lock {str(folder)!r}: {getattr(error, 'strerror', error)}",
            hint="free disk space, allow writing, or use another folder",
        ) from error
    try:
        yield
    finally:
        lock.release()


def holder(folder: Path) -> str | None:
    """The process that runs in a folder, or None."""
    if not (folder / LOCK).exists():
        return None
    try:
        with FileLock(folder / LOCK, timeout=0):
            return None
    except Timeout:
        return _holder(folder)
    except (OSError, NotImplementedError):  # read-only or without locks, so nothing runs there
        return None


def _holder(folder: Path) -> str:
    try:
        process = json.loads((folder / LOCK).read_text(encoding="utf-8"))
        return f"process {process['process']} on {process['machine']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn SQLite errors into errors that name the file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "full" in str(error):
            raise InputError(
                f"disk full: cannot write {str(path)!r}; earlier results are kept",
                hint="free disk space and rerun the command to resume",
            ) from error
        if "decode" in str(error):
            raise _damaged(path, str(error)) from error
        raise InputError(f"cannot use {str(path)!r}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, said: str) -> SchemaError:
    return SchemaError(f"{str(path)!r} is damaged ({' '.join(said.split())}); it was not modified")


def _address(path: Path, mode: str) -> str:
    """The SQLite URI of the file; immutable if its folder is read-only, because SQLite could not add its log."""
    log = path.with_name(f"{NAME}-wal")
    has_log = log.exists() and log.stat().st_size  # readers leave an empty one
    is_still = mode == "ro" and not has_log and not os.access(path.parent, os.W_OK)
    return f"{path.resolve().as_uri()}?mode={mode}{'&immutable=1' if is_still else ''}"


def _json(body: Any) -> str:
    return json.dumps(body, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
