"""Files that cannot be opened, are something else, are damaged, or can be read only once."""

import gzip
import io
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unmask.errors import InputError
from unmask.inputs import Source
from unmask.text.request import Request

Make = Callable[..., Source]
NAMES = ["x.txt", "x.csv", "x.tsv", "x.jsonl", "x.parquet"]
CONTENTS = {"txt": b"one\ntwo\n", "csv": b'text\n"one"\ntwo\n', "jsonl": b'{"text": "one"}\n{"text": "two"}\n'}


def read(source: Source) -> list[Any]:
    return list(source.records())


def texts(source: Source) -> list[str]:
    return [record.text for record in source.records() if isinstance(record, Request)]


@pytest.mark.parametrize("ask", [read, Source.check])
@pytest.mark.parametrize("name", [*NAMES, *(f"{name}.gz" for name in NAMES)])
def test_an_absent_file_and_a_directory(name: str, ask: Callable[[Source], object], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"cannot read '.*{name}': No such file"):
        ask(Source(str(tmp_path / name)))
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match=rf"{name}' is a directory"):
        ask(Source(str(tmp_path / name)))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("ask", [read, Source.check, Source.count])
def test_a_file_that_may_not_be_read(ask: Callable[[Source], object], make: Make) -> None:
    source = make("x.txt", b"one")
    Path(source.path).chmod(0)
    with pytest.raises(InputError, match=r"cannot read '.*x\.txt': Permission denied"):
        ask(source)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
@pytest.mark.parametrize("ask", [read, Source.check, Source.count])
@pytest.mark.parametrize("form", ["txt", "csv", "tsv", "jsonl", "parquet"])
def test_a_file_that_fails_while_it_is_read(form: str, ask: Callable[[Source], object]) -> None:
    with pytest.raises(InputError, match="'/proc/self/mem': Input/output error"):
        ask(Source("/proc/self/mem", form=form))


@pytest.mark.parametrize("ask", [read, Source.check])
@pytest.mark.parametrize("name", [*NAMES, *(f"{name}.gz" for name in NAMES)])
def test_an_empty_file(name: str, ask: Callable[[Source], object], make: Make) -> None:
    with pytest.raises(InputError, match=rf"{name}' contains no texts"):
        ask(make(name, b""))


@pytest.mark.parametrize("ask", [read, Source.check])
@pytest.mark.parametrize(
    ("name", "content"), [("x.csv", b"text\r\n\r\n"), ("x.tsv", b"text\tid"), ("x.jsonl", b"\n \n")]
)
def test_a_file_without_rows(name: str, content: bytes, ask: Callable[[Source], object], make: Make) -> None:
    with pytest.raises(InputError, match=rf"{name}' contains no texts"):
        ask(make(name, content))


@pytest.mark.parametrize("ask", [read, Source.check])
@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.tsv.gz", "x.jsonl"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf16_is_refused_as_a_whole(encoding: str, name: str, ask: Callable[[Source], object], make: Make) -> None:
    content = "\ufefftext\none\n".encode(encoding)
    with pytest.raises(InputError, match=rf"{name}' is UTF-16, not UTF-8") as caught:
        ask(make(name, content))
    assert "iconv" in str(caught.value.hint)


def test_gzip_under_another_name_is_recognised(make: Make) -> None:
    with pytest.raises(InputError, match=r"x\.csv' is compressed with gzip"):
        make("x.csv", gzip.compress(b"text\none\n")).check()


@pytest.mark.parametrize("ask", [read, Source.check, Source.count])
def test_what_is_named_gz_and_is_not_gzip(ask: Callable[[Source], object], tmp_path: Path) -> None:
    (tmp_path / "x.txt.gz").write_bytes(b"plain text\n")
    with pytest.raises(InputError, match=r"x\.txt\.gz' is damaged or not a gzip file: Not a gzipped file"):
        ask(Source(str(tmp_path / "x.txt.gz")))


def until_error(source: Source) -> tuple[list[str], InputError]:
    found: list[str] = []
    try:
        for record in source.records():
            assert isinstance(record, Request)
            found.append(record.text)
    except InputError as error:
        return found, error
    raise AssertionError("there was no error")


def random_lines(count: int) -> list[str]:
    return [os.urandom(50).hex() for _ in range(count)]  # gzip can make little of these


def test_what_comes_before_the_end_of_a_truncated_file_is_read(tmp_path: Path) -> None:
    lines = random_lines(5_000)
    compressed = gzip.compress("\n".join(lines).encode())
    (tmp_path / "x.txt.gz").write_bytes(compressed[: len(compressed) // 2])
    source = Source(str(tmp_path / "x.txt.gz"))
    found, error = until_error(source)
    assert f"{source.path!r} is truncated: its gzip data ends too early" == str(error)
    assert 2_000 < len(found) < 3_000
    assert found == lines[: len(found)]
    assert source.count() == len(found)


def test_what_comes_before_damage_is_read(tmp_path: Path) -> None:
    lines = random_lines(20_000)
    compressed = bytearray(gzip.compress("\n".join(lines).encode()))
    compressed[-8:-4] = b"\0\0\0\0"  # the checksum, behind all lines
    (tmp_path / "x.txt.gz").write_bytes(compressed)
    found, error = until_error(Source(str(tmp_path / "x.txt.gz")))
    assert "x.txt.gz' is damaged or not a gzip file: CRC check failed" in str(error)
    assert found == lines[: len(found)]
    assert len(found) >= len(lines) - 1


def test_damage_in_the_middle(tmp_path: Path) -> None:
    compressed = bytearray(gzip.compress("\n".join(random_lines(20_000)).encode()))
    middle = len(compressed) // 2
    compressed[middle : middle + 5_000] = b"\xff" * 5_000
    (tmp_path / "x.txt.gz").write_bytes(compressed)
    with pytest.raises(InputError, match=r"x\.txt\.gz' is damaged or not a gzip file"):
        read(Source(str(tmp_path / "x.txt.gz")))


@pytest.mark.parametrize("form", CONTENTS)
def test_standard_input(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONTENTS[form])))
    source = Source("-", form=form)
    source.check()
    assert source.count() is None
    assert texts(source) == ["one", "two"]
    assert not sys.stdin.closed


def test_standard_input_is_one_text_a_line_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"text,id\na,1\n")))
    assert texts(Source("-")) == ["text,id", "a,1"]


def test_errors_of_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(InputError, match=r"^standard input contains no texts"):
        read(Source("-"))
    monkeypatch.setattr(sys, "stdin", None)
    for ask in (read, Source.check):
        with pytest.raises(InputError, match="standard input is closed"):
            ask(Source("-"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["x", "x.txt", "x.txt.gz", "x.csv", "x.csv.gz", "x.jsonl"])
def test_a_pipe_is_opened_once(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    source = Source(str(path))
    source.check()  # would wait for ever if it opened the pipe
    assert source.count() is None
    content = CONTENTS[name.removesuffix(".gz").partition(".")[2] or "txt"]
    writer = threading.Thread(
        target=path.write_bytes, args=[gzip.compress(content) if name.endswith(".gz") else content]
    )
    writer.start()
    assert texts(source) == ["one", "two"]
    writer.join()
