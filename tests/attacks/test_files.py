"""Hostile files: each gives texts, failures in their places or an error that names the file; nothing else."""

import bz2
import gzip
import json
import lzma
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unmask import Explainer, Explanation, Failure
from unmask.errors import InputError
from unmask.inputs import FORMATS, Source
from unmask.models.formula import FormulaModel

PLAIN = "text,label\nA good film,1\nA bad film,0\n"
CONTENTS: dict[str, bytes] = {
    "nothing": b"",
    "one byte": b"x",
    "one line end": b"\n",
    "a carriage return": b"\r",
    "many line ends": b"\n" * 5_000,
    "old Mac lines": b"text\rone\rtwo\r",
    "mixed line ends": b"text\r\none\ntwo\rthree\r\n\n",
    "no last line end": b"text\none",
    "a mark": b"\xef\xbb\xbftext\none\n",
    "two marks": b"\xef\xbb\xbf\xef\xbb\xbftext\none\n",
    "a mark alone": b"\xef\xbb\xbf",
    "half a mark": b"\xef\xbb",
    "NULs": b"\0" * 1_000,
    "a NUL in a text": b"text\na\0b\n",
    "a NUL in the header": b"te\0xt\na\n",
    "Latin-1": "text\nDéjà vu\n".encode("latin-1"),
    "Windows-1252": b"text\n\x93quoted\x94\n",
    "Shift-JIS": "text\n映画\n".encode("shift-jis"),
    "GBK": "text\n电影很好\n".encode("gbk"),
    "KOI8-R": "text\nфильм\n".encode("koi8-r"),
    "EBCDIC": PLAIN.encode("cp500"),
    "UTF-7": "text\n+AGE-é\n".encode("utf-7"),
    "UTF-8 of surrogates": b"text\n\xed\xa0\x80\xed\xb0\x80\n",
    "overlong UTF-8": b"text\n\xc0\xaf\xe0\x80\xaf\n",
    "UTF-8 cut in a character": "text\nfilm é".encode()[:-1],
    "beyond Unicode": b"text\n\xf4\x90\x80\x80\n",
    "every byte": bytes(range(256)) * 4,
    "random bytes": bytes((at * 7919 + at * at) % 256 for at in range(5_000)),
    **{
        f"{name}{mark}": (start + PLAIN).encode(name)
        for name in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
        for mark, start in (("", ""), (" with a mark", "\ufeff"))
    },
    "gzip": gzip.compress(PLAIN.encode()),
    "gzip twice": gzip.compress(gzip.compress(PLAIN.encode())),
    "gzip cut": gzip.compress(PLAIN.encode() * 50)[:-9],
    "gzip with a wrong sum": gzip.compress(PLAIN.encode())[:-8] + b"\0" * 8,
    "gzip of nothing": gzip.compress(b""),
    "gzip's first bytes": b"\x1f\x8b",
    "gzip and more": gzip.compress(PLAIN.encode()) + b"trailing",
    "zlib": zlib.compress(PLAIN.encode()),
    "bzip2": bz2.compress(PLAIN.encode()),
    "xz": lzma.compress(PLAIN.encode()),
    "a zip": b"PK\x03\x04" + b"\0" * 40,
    "a PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "a PNG": b"\x89PNG\r\n\x1a\n" + b"\0" * 64,
    "an ELF": b"\x7fELF\x02\x01\x01" + b"\0" * 64,
    "a pickle": b"\x80\x04\x95\x1d\0\0\0\0\0\0\0\x8c\x05posix\x94\x8c\x06system\x94\x93\x94.",
    "SQLite": b"SQLite format 3\0" + b"\0" * 84,
    "parquet's ends alone": b"PAR1PAR1",
    "parquet with a huge footer": b"PAR1" + b"x" * 20 + struct.pack("<I", 2**31 - 1) + b"PAR1",
    "parquet with garbage inside": b"PAR1" + b"\xff" * 200 + struct.pack("<I", 190) + b"PAR1",
    "a quote that is not closed": b'text\n"a film\nanother\n',
    "quotes inside": b'text\na "good" film\n"a ""good"" film"\n',
    "a quote and more": b'text\n"a"b\n',
    "too many fields": b"text,id\na,b,c\n",
    "too few fields": b"text,id\na\n",
    "no header": b"a good film\na bad film\n",
    "a header alone": b"text\n",
    "the header twice": b"text,text\na,b\n",
    "an empty header": b",\na,b\n",
    "spaces in the header": b" text ,id\na,b\n",
    "the header in capitals": b"TEXT\na\n",
    "semicolons": b"text;id\na;b\n",
    "tabs": b"text\tid\na\tb\n",
    "many columns": b",".join(b"c%d" % at for at in range(5_000)) + b"\n",
    "a long field": b"text\n" + b"word " * 20_000 + b"\n",
    "formulas": b"text\n=1+1\n+cmd|'/C calc'!A0\n@SUM(1)\n",
    "an escape in the header": b"\x1b[31mtext\na\n",
    "JSON": b'{"text": "a"}\n{"text": "b"}\n',
    "JSON of other kinds": b'1\n"a"\nnull\n[1]\ntrue\n{}\n',
    "JSON that is broken": b'{"text": "a"\n{"text"}\n{"text": }\n}\n{\n',
    "JSON over lines": b'{\n"text":\n"a"\n}\n',
    "JSON with NaN": b'{"text": "a", "x": NaN, "y": Infinity, "z": -Infinity}\n',
    "JSON with a huge number": b'{"text": "a", "x": ' + b"9" * 5_000 + b"}\n",
    "JSON with a huge exponent": b'{"text": "a", "x": 1e999999}\n',
    "JSON with one key twice": b'{"text": "a", "text": 5}\n',
    "JSON with surrogates": b'{"text": "\\ud800"}\n{"text": "\\udc00\\ud800"}\n{"text": "\\ud83d\\ude00"}\n',
    "JSON with a NUL": b'{"text": "a\\u0000b"}\n',
    "JSON with control characters": b'{"text": "a\x01b"}\n',
    "JSON nested deeply": b'{"text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "JSON with a text that is none": b'{"text": 5}\n{"text": null}\n{"text": ["a"]}\n{"text": {"a": 1}}\n',
    "JSON with an empty key": b'{"": "a"}\n',
    "JSON with comments": b'// x\n{"text": "a"} // y\n{"text": "a",}\n',
    "JSON with a hostile key": b'{"__proto__": {"x": 1}, "constructor": 1, "text": "a"}\n',
    "a JSON list": b'[{"text": "a"}, {"text": "b"}]\n',
}
NAMES = ("x.txt", "x.csv", "x.tsv", "x.jsonl", "x.parquet", "x.csv.gz")
HOSTILE_NAMES = (
    *(
        "a b.txt",
        "-f.txt",
        "--help",
        "x.TXT",
        ".txt",
        ".gz",
        "x.gz",
        "x.txt.gz.gz",
        "x",
        "é.csv",
        "\u202ex.txt",
        "x\n.txt",
    ),
    *(
        "\x1b[31m.txt",
        "x.json",
        "x.exe",
        "x" * 200,
        "$HOME.txt",
        "~.txt",
        "*.txt",
        "[x].txt",
        "{x}.txt",
        "%s.txt",
        "'x'.txt",
        "CON",
    ),
)


def explainer() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words({"good": 1.0, "bad": -1.0}), max_length=64)


def check(source: Source) -> None:
    """Texts and failures, or an error of ours that names the file in one line."""
    for ask in (Source.check, Source.count, lambda one: list(one.records())):
        try:
            ask(source)
        except InputError as error:
            assert_named(error)
    try:
        attempts = list(explainer().attempts(source.records()))
    except InputError as error:
        assert_named(error)
    else:
        assert attempts
        assert all(isinstance(one, Explanation | Failure) for one in attempts)
        for one in attempts:
            json.dumps(one.to_dict() if isinstance(one, Explanation) else str(one.error), allow_nan=False)


def assert_named(error: InputError) -> None:
    assert "x" in str(error) or "/" in str(error)
    assert "\n" not in str(error).replace("x\\n", "")
    assert len(str(error)) < 2_000


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", CONTENTS)
def test_a_hostile_file(kind: str, name: str, tmp_path: Path) -> None:
    content = CONTENTS[kind]
    is_packed = name.endswith(".gz") and not kind.startswith("gzip")
    (tmp_path / name).write_bytes(gzip.compress(content) if is_packed else content)
    check(Source(str(tmp_path / name)))


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=ascii)
def test_a_hostile_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unmask: Any) -> None:
    monkeypatch.chdir(tmp_path)
    content = b"text\na good film\n"
    Path(tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    code, _, err = unmask("explain", f"--file={name}", "--model", str(tmp_path / "absent"))
    assert code == 2
    assert not {"\x1b", "\u202e"} & set(err)
    assert "bug in unmask" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's devices")
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "path", ["/dev/null", "/dev/zero", "/dev/full", "/proc/self/mem", "/proc/self/environ", "/dev", "/dev/mem"]
)
def test_a_device(path: str, form: str) -> None:
    check(Source(path, form=form))


def loop(folder: Path) -> Path:
    (folder / "x.txt").symlink_to(folder / "x.txt")
    return folder / "x.txt"


def dangling(folder: Path) -> Path:
    (folder / "x.txt").symlink_to(folder / "absent")
    return folder / "x.txt"


def below_a_file(folder: Path) -> Path:
    (folder / "file").touch()
    return folder / "file" / "x.txt"


def too_long(folder: Path) -> Path:
    return folder / ("x" * 5_000)


def with_nul(folder: Path) -> Path:
    return folder / "x\0.txt"


@pytest.mark.parametrize("make", [loop, dangling, below_a_file, too_long, with_nul])
def test_a_place_where_no_file_is(make: Callable[[Path], Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="x"):
        list(Source(str(make(tmp_path))).records())


def test_the_corpus_does_not_shrink() -> None:
    assert len(CONTENTS) * len(NAMES) + len(HOSTILE_NAMES) >= 500
