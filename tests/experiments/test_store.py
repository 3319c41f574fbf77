"""The store: whole or not at all, ours or refused, whatever happens to the file."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from unmask.errors import InputError, SchemaError
from unmask.experiments.identity import texts_fact
from unmask.experiments.plan import DatasetPlan, Pair
from unmask.experiments.store import DAMAGED, NAME, Store, is_made

CELL, OTHER = b"c" * 16, b"o" * 16


def test_what_is_put_is_there_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "folder")
    store.put({("scores", CELL): {b"a": {"scores": [0.1, -2e-17]}, b"b": {"error": "it is empty"}}})
    store.note("plan", {"name": "x"})
    store.close()
    again = Store(tmp_path / "new" / "folder", reading=True)
    assert again.bodies("scores", CELL) == {b"a": {"scores": [0.1, -2e-17]}, b"b": {"error": "it is empty"}}
    assert again.known("scores", CELL) == {b"a", b"b"}
    assert again.known("scores", OTHER) == again.known("judgments", CELL) == set()
    assert (again.fact("plan"), again.fact("other"), list(again.facts("pl"))) == ({"name": "x"}, None, ["plan"])


def test_failures_can_be_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put({("scores", CELL): {b"a": {"scores": []}, b"b": {"error": "x"}}})
    store.put({("judgments", CELL): {b"b": {"error": "x"}}})
    store.put({("scores", b"other"): {b"b": {"error": "x"}}})
    store.forget_failures([("scores", CELL)])
    assert store.known("scores", CELL) == {b"a"}
    assert store.known("scores", b"other") == store.known("judgments", CELL) == {b"b"}


def test_a_chunk_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(ValueError, match="JSON"):
        store.put({("scores", CELL): {b"a": {"scores": [1.0]}, b"b": {"scores": [float("nan")]}}})
    assert store.known("scores", CELL) == set()


def test_no_run_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run in"):
        Store(tmp_path, reading=True)
    assert not list(tmp_path.iterdir())


def test_a_copy_where_nothing_can_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(tmp_path).close()
    (tmp_path / f"{NAME}-wal").touch()  # what a report leaves behind
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    Store(tmp_path, reading=True).close()
    assert sorted(tmp_path.iterdir()) == before  # nothing was made, so that a read-only medium will do


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE letters (a)")


def later(path: Path) -> None:
    Store(path.parent).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
        database.execute("PRAGMA journal_mode = DELETE")


def killed(path: Path) -> None:
    """Leave the files as a process that is killed now leaves them."""
    made = path.parent / "made"
    for file in (NAME, f"{NAME}-wal"):
        shutil.copy(made / file, path.with_name(file))


def foreign_in_its_log(path: Path) -> None:
    (path.parent / "made").mkdir()
    with closing(sqlite3.connect(path.parent / "made" / NAME)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE letters (a)")
        killed(path)


def later_in_its_log(path: Path) -> None:
    made = path.parent / "made"
    with closing(Store(made)), closing(sqlite3.connect(made / NAME)) as database:
        database.execute("PRAGMA user_version = 99")
        killed(path)


def torn(path: Path) -> None:
    store = Store(path.parent)
    store.put({("scores", CELL): {bytes([at]): {"scores": [0.5] * 500} for at in range(200)}})
    store.close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda path: path.write_text("a letter"), "not an unmask result store"),
        (foreign, "belongs to another program"),
        (foreign_in_its_log, "belongs to another program"),
        (later, "written by a later version"),
        (later_in_its_log, "written by a later version"),
        (torn, "damaged"),
    ],
)
def test_what_is_not_ours_is_left_as_it_is(tmp_path: Path, made: object, words: str) -> None:
    path = tmp_path / NAME
    made(path)  # type: ignore[operator]
    before = contents(tmp_path)
    with pytest.raises(SchemaError, match=words):
        Store(tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("made", [foreign_in_its_log, later_in_its_log])
def test_what_is_not_ours_is_told_before_anything_is_put_beside_it(
    tmp_path: Path, made: Callable[[Path], None]
) -> None:
    made(tmp_path / NAME)
    with pytest.raises(SchemaError):
        is_made(tmp_path)


def emptied(path: Path) -> None:
    path.touch()


def begun(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")


@pytest.mark.parametrize("made", [emptied, begun])
def test_a_store_that_was_torn_in_its_first_moment_is_none_yet(tmp_path: Path, made: Callable[[Path], None]) -> None:
    made(tmp_path / NAME)
    with pytest.raises(InputError, match="no run"):
        Store(tmp_path, reading=True)
    with closing(Store(tmp_path)) as store:
        store.note("left", 1)
    with closing(Store(tmp_path, reading=True)) as store:
        assert store.fact("left") == 1


def contents(folder: Path) -> dict[str, bytes]:
    """Of the store and its log; what is beside them is SQLite's own and made anew."""
    return {file.name: file.read_bytes() for file in folder.glob(f"{NAME}*") if not file.name.endswith("-shm")}


DAMAGE = ["'{\"scores\": [0.1'", "CAST(X'22ff22' AS TEXT)", "'{\"scores\":[0.3]}'", "'[]'"]


@pytest.mark.parametrize("body", DAMAGE)
def test_a_damaged_result_is_a_failure_and_a_damaged_note_an_error(tmp_path: Path, body: str) -> None:
    with closing(filled(tmp_path)):
        damage(tmp_path, f"body = {body}", "text = x'61' OR name = 'plan'")
    with closing(Store(tmp_path, reading=True)) as again:
        assert again.bodies("scores", CELL) == {b"a": {"error": DAMAGED}, b"b": {"scores": [0.2]}}
        assert again.body("scores", CELL, b"a") == {"error": DAMAGED}
        for asked in (lambda: again.fact("plan"), lambda: again.facts("pl")):
            with pytest.raises(SchemaError, match="is damaged: the checksum of its entry 'plan' is wrong") as raised:
                asked()
            assert "--retry-failed" in str(raised.value.hint)


@pytest.mark.parametrize("change", ["text = x'62'", "cell = x'00'", "failed = 1", "digest = NULL", "digest = x'00'"])
def test_every_column_of_a_row_is_digested(tmp_path: Path, change: str) -> None:
    with closing(Store(tmp_path)) as store:
        store.put({("scores", CELL): {b"a": {"scores": [0.1]}}})
    with closing(sqlite3.connect(tmp_path / NAME)) as database, database:
        database.execute(f"UPDATE scores SET {change}")
    with closing(Store(tmp_path)) as store:
        (cell, text), *_ = database_rows(tmp_path, "SELECT cell, text FROM scores")
        assert store.bodies("scores", cell) == {text: {"error": DAMAGED}}
        store.forget_damage()
        assert store.bodies("scores", cell) == {}


def test_damage_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    with closing(filled(tmp_path)) as store:
        damage(tmp_path, "body = '1'", "text = x'61' OR name = 'plan'")
        store.forget_damage()
        assert store.bodies("scores", CELL) == {b"b": {"scores": [0.2]}}
        assert store.facts("") == {"left": 3}


def filled(folder: Path) -> Store:
    store = Store(folder)
    store.put({("scores", CELL): {b"a": {"scores": [0.1]}, b"b": {"scores": [0.2]}}})
    store.note("plan", {"name": "x"})
    store.note("left", 3)
    return store


def damage(folder: Path, change: str, where: str) -> None:
    """Change what a row holds, of the scores by its text and of the notes by its name."""
    text, name = where.split(" OR ")
    with closing(sqlite3.connect(folder / NAME)) as database, database:
        database.execute(f"UPDATE scores SET {change} WHERE {text}")
        database.execute(f"UPDATE facts SET {change} WHERE {name}")


def database_rows(folder: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(folder / NAME)) as database:
        return database.execute(query).fetchall()


def as_version_1(folder: Path) -> None:
    """Make of a store what the version before digests wrote."""
    with closing(sqlite3.connect(folder / NAME)) as database:
        for table in ("scores", "judgments", "facts"):
            database.execute(f"ALTER TABLE {table} DROP COLUMN digest")
        database.execute("PRAGMA user_version = 1")
        database.commit()


def test_rows_without_digests_are_read_and_get_them_when_a_run_opens_the_file(tmp_path: Path) -> None:
    filled(tmp_path).close()
    as_version_1(tmp_path)
    for reading in (True, False, True):
        with closing(Store(tmp_path, reading=reading)) as store:
            assert store.bodies("scores", CELL) == {b"a": {"scores": [0.1]}, b"b": {"scores": [0.2]}}
            assert store.facts("") == {"left": 3, "plan": {"name": "x"}}
    assert database_rows(tmp_path, "PRAGMA user_version") == [(2,)]
    assert database_rows(tmp_path, "SELECT length(digest) FROM scores") == [(16,), (16,)]
    damage(tmp_path, "body = '1'", "text = x'61' OR name = 'plan'")
    with closing(Store(tmp_path)) as store:
        assert store.body("scores", CELL, b"a") == {"error": DAMAGED}


@pytest.mark.parametrize("missing", [1, 100, 4096])
@pytest.mark.parametrize("reading", [True, False])
def test_a_file_that_is_too_short_is_damaged_and_left_as_it_is(tmp_path: Path, missing: int, reading: bool) -> None:
    filled(tmp_path).close()
    short = (tmp_path / NAME).read_bytes()[:-missing]
    (tmp_path / NAME).write_bytes(short)
    with pytest.raises(SchemaError, match=r"damaged .* not modified") as raised:
        Store(tmp_path, reading=reading)
    assert "move it away and rerun" in str(raised.value.hint)
    assert (tmp_path / NAME).read_bytes() == short


def test_an_error_of_the_disk_has_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    filled(tmp_path).close()
    monkeypatch.setattr(sqlite3, "connect", broken)
    with pytest.raises(InputError, match="disk I/O error") as raised:
        Store(tmp_path)
    assert "check the disk" in str(raised.value.hint)


@pytest.mark.parametrize("is_made_again", [False, True])
def test_a_folder_that_is_deleted_is_noticed_at_the_next_write(tmp_path: Path, is_made_again: bool) -> None:
    with closing(filled(tmp_path / "run")) as store:
        shutil.rmtree(tmp_path / "run")
        if is_made_again:
            filled(tmp_path / "run").close()
        with pytest.raises(InputError, match="was deleted or replaced during the run"):
            store.put({("scores", CELL): {b"c": {"scores": [0.3]}}})
        with pytest.raises(InputError, match="was deleted or replaced during the run"):
            store.note("left", 1)


def test_a_disk_that_is_full_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = sqlite3.connect

    def bounded(*given: Any, **settings: Any) -> sqlite3.Connection:
        database: sqlite3.Connection = usual(*given, **settings)
        database.execute("PRAGMA max_page_count = 8")  # SQLite then says what it says of a full disk
        return database

    monkeypatch.setattr(sqlite3, "connect", bounded)
    store = Store(tmp_path)
    store.put({("scores", CELL): {b"a": {"scores": [1.0]}}})
    with pytest.raises(InputError, match="disk full"):
        store.put({("scores", CELL): {bytes([at]): {"scores": [0.5] * 2000} for at in range(100)}})
    assert store.known("scores", CELL) == {b"a"}


WRITER = """
import sys
from pathlib import Path
from unmask.experiments.store import Store
store = Store(Path(sys.argv[1]))
for at in range(100_000):
    store.put({("scores", b"c" * 16): {f"{at}-{one}".encode(): {"scores": [0.5] * 50} for one in range(20)}})
    print(at, flush=True)
"""


@pytest.mark.parametrize("wait", [0.0, 0.05, 0.1, 0.3])
def test_a_copy_taken_at_any_moment_opens_and_lacks_one_chunk_at_most(tmp_path: Path, wait: float) -> None:
    """As if power were lost while it writes: the process is stopped, its folder copied, and the copy opened."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "run")], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait)
        subprocess.run(["kill", "-STOP", str(process.pid)], check=True)
        time.sleep(0.05)
        shutil.copytree(tmp_path / "run", tmp_path / "copy")
        process.kill()
        said = int((process.stdout.read().split() or [b"0"])[-1])
    there = Store(tmp_path / "copy").known("scores", CELL)
    assert len(there) % 20 == 0  # whole chunks
    assert len(there) // 20 >= said + 1  # all that the process said was done; chunks count from 0
    assert len(there) // 20 <= said + 2


def test_notes_are_found_under_the_names_that_they_always_had() -> None:
    """A folder of results from before a key came to datasets still has its texts."""
    drawn = DatasetPlan(name="films", source="films.csv", column=("review",), label="gold", limit=3, seed=0)
    short = DatasetPlan(name="films", source="films.csv", max_tokens=120)
    names = [texts_fact(Pair(dataset, "bert", "models/bert")) for dataset in (drawn, short)]
    assert names == ["texts:102de33699e36fe1", "texts:aa8d1d1c34176d86"]
    assert texts_fact(Pair(replace(drawn, rationale="marks"), "bert", "models/bert")) != names[0]
