"""The file format of a store: tables and versions, the digest of each row, and errors for damaged files."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..errors import InputError, SchemaError

NAME = "results.sqlite"
APPLICATION = 0x756E6D6B  # "unmk", in the file's header
VERSION = 2  # in version 1, rows have no digests
# `cell` is the digest of a work item; earlier versions used this name.
COLUMNS = "cell BLOB, text BLOB, body TEXT NOT NULL, failed INTEGER NOT NULL"
TABLES = f"""
CREATE TABLE scores ({COLUMNS}, digest BLOB, PRIMARY KEY (cell, text)) WITHOUT ROWID;
CREATE TABLE judgments ({COLUMNS}, digest BLOB, PRIMARY KEY (cell, text)) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, body TEXT NOT NULL, digest BLOB) WITHOUT ROWID;
"""
CREATE = f"BEGIN; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
RESULT_DIGEST = "row_digest(cell, text, failed, CAST(body AS BLOB))"
FACT_DIGEST = "row_digest(CAST(name AS BLOB), CAST(body AS BLOB))"
DIGESTS = {"scores": RESULT_DIGEST, "judgments": RESULT_DIGEST, "facts": FACT_DIGEST}
ADD_DIGESTS = " ".join(
    f"ALTER TABLE {table} ADD COLUMN digest BLOB; UPDATE {table} SET digest = {digest};"
    for table, digest in DIGESTS.items()
)
UPGRADE = f"BEGIN IMMEDIATE; {ADD_DIGESTS} PRAGMA user_version = {VERSION}; COMMIT;"
START_AGAIN = "restore a copy of the file, or move it away and rerun the command to recompute everything"
DISK = "check the disk and the folder's permissions; on a network drive, use a local folder instead"


def row_digest(*values: bytes | int) -> bytes:
    """Return the digest of a row's other columns, which is used to detect damage."""
    return hashlib.blake2b(repr(values).encode(), digest_size=16).digest()


def prepare(database: sqlite3.Connection) -> None:
    """Create the tables, or add digests to the rows of version 1."""
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.create_function("row_digest", -1, row_digest, deterministic=True)
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version < VERSION:
        database.executescript(UPGRADE if version else CREATE)


def is_made(folder: Path) -> bool:
    """Whether a folder has a store with tables. Rejects files from other programs and later versions.

    Asks SQLite for the version: if the process was killed, even the header may exist only in the log.
    """
    if not (path := folder / NAME).exists() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise SchemaError(
                f"{str(path)!r} is not an unmask result store; it was not modified", hint="use another folder"
            )
    with named_errors(path, opening=True), closing(sqlite3.connect(address(path, "ro"), uri=True)) as looking:
        asked = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        application, version, tables = (looking.execute(one).fetchone()[0] for one in asked)
    if application != APPLICATION and (
        application or tables
    ):  # an empty file is accepted: a process was killed while creating it
        raise SchemaError(f"{str(path)!r} belongs to another program; it was not modified", hint="use another folder")
    if version > VERSION:
        raise SchemaError(
            f"{str(path)!r} was written by a later version of unmask (schema {version}; this one reads {VERSION})"
        )
    if tables and not version:  # tables and version are created in one transaction
        raise damaged(path, "tables without a version", opening=True)
    return bool(version)


def check_whole(path: Path) -> None:
    """Reject a file that is shorter than its header says or fails SQLite's integrity check."""
    with path.open("rb") as file:
        header = file.read(32)
    page, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
    expected = (65_536 if page == 1 else page) * pages  # SQLite's encoding of 65,536
    if not _has_log(path) and path.stat().st_size < expected:  # SQLite would read the missing bytes as zeros
        missing = expected - path.stat().st_size
        raise damaged(
            path, f"{missing:,} of its {expected:,} bytes {'is' if missing == 1 else 'are'} missing", opening=True
        )
    with closing(sqlite3.connect(address(path, "ro"), uri=True)) as looking:
        if (said := looking.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise damaged(path, said, opening=True)
        there = {name for (name,) in looking.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for missing_table in sorted(DIGESTS.keys() - there):
        raise damaged(path, f"no table {missing_table!r}", opening=True)


@contextmanager
def named_errors(path: Path, *, opening: bool = False) -> Iterator[None]:
    """Turn SQLite errors into errors that name the file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "full" in str(error):
            raise InputError(
                f"disk full: cannot write {str(path)!r}; earlier results are kept",
                hint="free disk space and rerun the command to resume",
            ) from error
        if any(words in str(error) for words in ("decode", "no such", "has no column")):
            raise damaged(path, str(error), opening=opening) from error
        if not opening and not path.exists():
            raise gone(path) from error
        raise InputError(f"cannot use {str(path)!r}: {error}", hint=DISK) from error
    except sqlite3.DatabaseError as error:
        raise damaged(path, str(error), opening=opening) from error


def damaged(path: Path, said: str, *, opening: bool = False) -> SchemaError:
    """Build the error for a file that SQLite cannot read."""
    kept = "; it was not modified" if opening else ""
    return SchemaError(f"{str(path)!r} is damaged ({' '.join(said.split())}){kept}", hint=START_AGAIN)


def gone(path: Path) -> InputError:
    """Build the error for a file that was deleted or replaced during the run."""
    return InputError(
        f"{str(path)!r} was deleted or replaced during the run, and its results are lost",
        hint="restore the folder if you can, and rerun the command",
    )


def address(path: Path, mode: str) -> str:
    """Return the file's SQLite URI; immutable if its folder is read-only, as SQLite cannot create its log there."""
    is_still = mode == "ro" and not _has_log(path) and not os.access(path.parent, os.W_OK)
    return f"{path.resolve().as_uri()}?mode={mode}{'&immutable=1' if is_still else ''}"


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{NAME}-wal")
    return log.exists() and log.stat().st_size > 0  # readers leave an empty log
