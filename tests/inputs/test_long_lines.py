"""Lines without an end, and encodings without a mark."""

import gzip
import io
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from unmask.errors import InputError, TextError
from unmask.inputs import Source
from unmask.text.request import Request
from unmask.text.spans import check_text

BOUND = 1000


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that a test can exceed."""
    for module in ("opening", "formats"):
        monkeypatch.setattr(f"unmask.inputs.{module}.LONGEST", BOUND)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("form", ["txt", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_line_beyond_the_bound_is_refused_with_its_number(form: str, suffix: str, tmp_path: Path) -> None:
    content = b"text\nshort\n" + b"x" * (BOUND + 1) + b"\nlast\n"
    path = tmp_path / f"x.{form}{suffix}"
    path.write_bytes(gzip.compress(content) if suffix else content)
    with pytest.raises(InputError, match=rf"x\.{form}.*: line 3 is longer than 1000 bytes") as error:
        list(Source(str(path)).records())
    assert error.value.hint == "put each text on its own line"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("form", ["txt", "tsv", "csv"])
def test_a_line_at_the_bound_is_read(form: str, tmp_path: Path) -> None:
    line = b"x" * (BOUND - 1) + b"\n"
    (tmp_path / f"x.{form}").write_bytes(b"text\n" + line + line)
    records = list(Source(str(tmp_path / f"x.{form}")).records())
    assert [len(record.text) for record in records if isinstance(record, Request)][-2:] == [BOUND - 1] * 2


@pytest.mark.usefixtures("short")
def test_a_quoted_row_of_many_lines_has_the_same_bound(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b'text\nfine\n"' + b"line\n" * BOUND + b'"\n')
    with pytest.raises(InputError, match="the row that begins on line 3 is longer than 1000 bytes"):
        list(Source(str(tmp_path / "x.csv")).records())
    (tmp_path / "y.csv").write_bytes(b"text\n" + b'"a\nb"\n' * BOUND)
    assert len(list(Source(str(tmp_path / "y.csv")).records())) == BOUND


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device that never ends")
@pytest.mark.parametrize("form", ["txt", "csv", "tsv", "jsonl", "parquet"])
def test_a_device_that_never_ends_is_refused(form: str) -> None:
    with pytest.raises(InputError, match=r"line 1 is longer than 64 MB|is not a parquet file"):
        list(Source("/dev/zero", form=form).records())


@pytest.mark.slow
def test_a_small_file_that_unpacks_to_one_huge_line(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.txt.gz", "wb", compresslevel=1) as file:
        for _ in range(1000):
            file.write(b"a" * 2**20)
    assert (tmp_path / "bomb.txt.gz").stat().st_size < 10e6
    tracemalloc.start()
    with pytest.raises(InputError, match="line 1 is longer than 64 MB"):
        list(Source(str(tmp_path / "bomb.txt.gz")).records())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 300e6


def test_what_is_piped_in_as_parquet_is_copied_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.inputs.parquet.COPIED", 100)
    (tmp_path / "x.parquet.gz").write_bytes(gzip.compress(b"PAR1" + b"x" * 200))
    with pytest.raises(InputError, match="is larger than 0 GB"):
        list(Source(str(tmp_path / "x.parquet.gz")).records())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("form", ["txt", "csv", "tsv", "jsonl"])
def test_wide_encodings_without_a_mark_are_named(encoding: str, form: str, tmp_path: Path) -> None:
    rows = {"jsonl": '{"text": "Déjà vu"}\n'}.get(form, "text\nDéjà vu\n")
    (tmp_path / f"x.{form}").write_bytes(rows.encode(encoding))
    name = encoding.upper().replace("-LE", "LE").replace("-BE", "BE")
    with pytest.raises(InputError, match=rf"looks like {name} without a byte-order mark, not UTF-8") as error:
        list(Source(str(tmp_path / f"x.{form}")).records())
    assert f"iconv -f {name} -t UTF-8" in str(error.value.hint)


@pytest.mark.parametrize("order", ["le", "be"])
def test_utf32_is_not_called_utf16(order: str, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes("\ufeffone\n".encode(f"utf-32-{order}"))
    with pytest.raises(InputError, match="is UTF-32, not UTF-8"):
        list(Source(str(tmp_path / "x.txt")).records())


@pytest.mark.parametrize("content", [b"a\0b\nfine\n", b"\0\nfine\n", "日本\0語\n".encode()])
def test_a_stray_nul_spoils_only_its_text(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    piped: Any = io.TextIOWrapper(io.BytesIO(content))
    monkeypatch.setattr(sys, "stdin", piped)
    first, *rest = list(Source("-").records())
    assert isinstance(first, Request)
    with pytest.raises(TextError, match=r"^character \d of the text is NUL, which is not allowed") as error:
        check_text(first.text)
    assert "iconv -f UTF-16LE" in str(error.value.hint)
    assert [record.text for record in rest if isinstance(record, Request)] in (["fine"], [])


def test_a_text_longer_than_any_model_reads_is_refused_before_it_is_tokenized() -> None:
    with pytest.raises(TextError, match=r"the text has 10,000,001 characters; the limit is 10,000,000"):
        check_text("a" * 10_000_001)
    check_text("a" * 10_000_000)
