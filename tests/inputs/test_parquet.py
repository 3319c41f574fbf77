"""Rows of parquet files."""

import datetime
import gzip
import io
import os
import subprocess
import sys
import threading
import tracemalloc
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from unmask.errors import InputError
from unmask.inputs import Source
from unmask.text.request import Request


def parquet(columns: dict[str, Any], **options: Any) -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), file, **options)
    return file.getvalue()


def stored(folder: Path, table: dict[str, Any], **options: Any) -> Source:
    (folder / "x.parquet").write_bytes(parquet(table))
    return Source(str(folder / "x.parquet"), **options)


@pytest.mark.parametrize("rows_per_group", [1, 7, 300, 1_000])
def test_rows_of_all_groups_are_numbered_through(rows_per_group: int, tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(1, 1_001)]
    (tmp_path / "x.parquet").write_bytes(parquet({"id": range(1_000), "text": texts}, row_group_size=rows_per_group))
    source = Source(str(tmp_path / "x.parquet"))
    source.check()
    assert source.count() == 1_000
    assert list(source.records()) == [Request(text, line=number) for number, text in enumerate(texts, start=1)]


def test_a_compressed_file(tmp_path: Path) -> None:
    (tmp_path / "x.parquet.gz").write_bytes(gzip.compress(parquet({"sentence": ["a", "b"]})))
    source = Source(str(tmp_path / "x.parquet.gz"))
    source.check()
    assert source.count() == 2
    assert list(source.records()) == [Request("a", line=1), Request("b", line=2)]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(parquet({"text": ["a"]}))))
    source = Source("-", form="parquet")
    source.check()
    assert source.count() is None
    assert list(source.records()) == [Request("a", line=1)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_opened_once(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    os.mkfifo(path)
    source = Source(str(path))
    source.check()
    writer = threading.Thread(target=path.write_bytes, args=[parquet({"text": ["a"]})])
    writer.start()
    assert list(source.records()) == [Request("a", line=1)]
    writer.join()


def test_columns_are_chosen_and_kept(tmp_path: Path) -> None:
    columns = {"premise": ["p"], "hypothesis": ["h"], "label": [2]}
    source = stored(tmp_path, columns, columns=("premise", "hypothesis"), keep=True)
    source.check()
    assert list(source.records()) == [Request("p", text_pair="h", line=1, columns={"label": 2})]
    with pytest.raises(InputError, match=r"no column 'premises'; did you mean 'premise'\?"):
        Source(source.path, columns=("premises",)).check()
    with pytest.raises(
        InputError, match="no column 'text', 'sentence', 'prompt' or 'messages'; columns: premise, hypothesis, label"
    ):
        Source(source.path).check()


def test_a_row_without_text_is_bad_alone(tmp_path: Path) -> None:
    bad, fine = stored(tmp_path, {"text": [None, "a"]}).records()
    assert isinstance(bad, InputError)
    assert (bad.line, str(bad)) == (1, "the column 'text' is null, not a string")
    assert fine == Request("a", line=2)
    (number,) = stored(tmp_path, {"text": [5]}).records()
    assert isinstance(number, InputError)
    assert str(number) == "the column 'text' is a number, not a string"


@pytest.mark.parametrize(
    "kind", [pyarrow.string(), pyarrow.large_string(), pyarrow.dictionary("int8", pyarrow.string())]
)
def test_every_kind_of_text_is_read(kind: Any, tmp_path: Path) -> None:
    texts = pyarrow.array(["é\n\0", "", "a"], pyarrow.string()).cast(kind)
    assert list(stored(tmp_path, {"text": texts}).records()) == [
        Request("é\n\0", line=1),
        Request("", line=2),
        Request("a", line=3),
    ]


def test_what_is_not_utf8_fails_in_its_place(tmp_path: Path) -> None:
    texts = pyarrow.array([b"fine", b"caf\xe9", None]).view(pyarrow.string())  # view, unlike cast, does not look
    fine, broken, _ = stored(tmp_path, {"text": texts, "also": texts}, keep=True).records()
    assert fine == Request("fine", line=1, columns={"also": "fine"})
    assert broken == Request("caf\udce9", line=2, columns={"also": "caf\udce9"})


NANOSECONDS = pyarrow.array([1_700_000_000_123_456_789], pyarrow.timestamp("ns"))


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ([datetime.datetime(2024, 2, 1, 12, 30)], "2024-02-01 12:30:00"),
        ([datetime.date(2024, 2, 1)], "2024-02-01"),
        (NANOSECONDS, "2023-11-14 22:13:20.123456789"),
        (pyarrow.ListArray.from_arrays([0, 1], NANOSECONDS), ["2023-11-14 22:13:20.123456789"]),
        ([Decimal("1.50")], "1.50"),
        (["é".encode()], "é"),
        ([b"\xff ok"], "\\xff ok"),
        ([float("nan")], "nan"),
        ([float("-inf")], "-inf"),
        ([0.5], 0.5),
        ([None], None),
        ([True], True),
        ([[1, None]], [1, None]),
        ([{"deep": [b"a"], "when": datetime.date(2024, 2, 1)}], {"deep": ["a"], "when": "2024-02-01"}),
    ],
)
def test_other_columns_are_kept_as_json_has_them(value: Any, kept: object, tmp_path: Path) -> None:
    (record,) = stored(tmp_path, {"text": ["a"], "x": value}, keep=True).records()
    assert record == Request("a", line=1, columns={"x": kept})


def test_reading_holds_a_batch_at_a_time(tmp_path: Path) -> None:
    texts = [os.urandom(500).hex() for _ in range(20_000)]
    (tmp_path / "x.parquet").write_bytes(parquet({"text": texts}, row_group_size=10_000, use_dictionary=False))
    assert (tmp_path / "x.parquet").stat().st_size > 10_000_000
    before = pyarrow.total_allocated_bytes()
    tracemalloc.start()  # pyarrow takes what it reads from Python's files as Python's bytes
    try:
        for count, _ in enumerate(Source(str(tmp_path / "x.parquet")).records()):
            if count % 100 == 0:
                assert pyarrow.total_allocated_bytes() - before < 5_000_000
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_columns_that_are_not_wanted_are_not_read(tmp_path: Path) -> None:
    content = bytearray(parquet({"noise": [os.urandom(500).hex()], "text": ["a"]}, compression="none"))
    content[4:40] = b"\xff" * 36  # the head of the first page, which belongs to the first column
    (tmp_path / "x.parquet").write_bytes(content)
    assert list(Source(str(tmp_path / "x.parquet")).records()) == [Request("a", line=1)]
    with pytest.raises(InputError, match=r"x\.parquet' is damaged or not a parquet file"):
        list(Source(str(tmp_path / "x.parquet"), keep=True).records())


def test_no_rows(tmp_path: Path) -> None:
    source = stored(tmp_path, {"text": pyarrow.array([], pyarrow.string())})
    assert source.count() == 0
    for ask in (lambda: next(source.records()), source.check):
        with pytest.raises(InputError, match=r"x\.parquet' contains no texts"):
            ask()


@pytest.mark.parametrize("content", [b"text\na\n", b"PAR1", parquet({"text": ["a"]})[:-20]])
def test_what_is_not_parquet(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(content)
    source = Source(str(tmp_path / "x.parquet"))
    for ask in (lambda: next(source.records()), source.check, source.count):
        with pytest.raises(InputError, match=r"x\.parquet' is damaged or not a parquet file: "):
            ask()


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = stored(tmp_path, {"text": ["a"]})
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    for ask in (lambda: next(source.records()), source.check, source.count):
        with pytest.raises(InputError, match="parquet files need pyarrow, which is not installed") as caught:
            ask()
        assert caught.value.hint == "pip install 'unmask[data]'"


def test_pyarrow_is_imported_only_for_parquet(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("text\na\n")
    script = (
        "import sys; from unmask.inputs import Source; s = Source(sys.argv[1]); s.check(); list(s.records());"
        "Source('x.parquet'); assert 'pyarrow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "x.csv")], check=True)
