"""Rows of .csv and .tsv files."""

import csv
import io
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unmask.errors import InputError
from unmask.inputs import Source
from unmask.text.request import Request

Make = Callable[..., Source]


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz", "X.CSV"])
def test_csv_is_read_by_rfc_4180(name: str, make: Make) -> None:
    content = b'id,text\r\n1,plain\r\n2,"a, b"\r\n3,"he said ""no"""\r\n4,"one\r\ntwo\nthree"\r\n5,""\r\n'
    assert list(make(name, content).records()) == [
        Request("plain", line=2),
        Request("a, b", line=3),
        Request('he said "no"', line=4),
        Request("one\r\ntwo\nthree", line=5),
        Request("", line=8),
    ]


@pytest.mark.parametrize("name", ["x.tsv", "x.tsv.gz"])
def test_tsv_is_read_without_quoting(name: str, make: Make) -> None:
    content = b'text\tid\n"a" b\t1\r\n"open\t2\n""\t3\n\\t\\n\t4\n'
    assert list(make(name, content).records()) == [
        Request('"a" b', line=2),
        Request('"open', line=3),
        Request('""', line=4),
        Request("\\t\\n", line=5),
    ]


def test_quoting_can_be_chosen_the_other_way(make: Make) -> None:
    quoted = make("x.tsv", b'text\tid\n"a\tb\n""c"""\t1\n', quoting="rfc4180")
    assert list(quoted.records()) == [Request('a\tb\n"c"', line=2)]
    unquoted = make("x.csv", b'text,id\n"open,1\na "b",2\n', quoting="none")
    assert list(unquoted.records()) == [Request('"open', line=2), Request('a "b"', line=3)]


def test_only_lf_ends_a_row_without_quoting(make: Make) -> None:
    content = "text\tid\na\rb\u2028c\x0bd\x85e\x00f\x1cg\t1\n".encode()
    assert list(make("x.tsv", content).records()) == [Request("a\rb\u2028c\x0bd\x85e\x00f\x1cg", line=2)]


@pytest.mark.parametrize("quoting", ["none", "rfc4180"])
def test_nul_is_a_character(quoting: str, make: Make) -> None:
    assert list(make("x.csv", b"text,id\na\x00b,1\n", quoting=quoting).records()) == [Request("a\x00b", line=2)]


def test_a_byte_order_mark_is_no_part_of_the_first_name(make: Make) -> None:
    assert list(make("x.csv", b'\xef\xbb\xbf"text",id\na,1\n').records()) == [Request("a", line=2)]
    assert list(make("x.tsv", b"\xef\xbb\xbftext\tid\na\t1\n").records()) == [Request("a", line=2)]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_what_is_not_utf8_fails_in_its_place(name: str, make: Make) -> None:
    assert list(make(name, b"text\nfine\ncaf\xe9\n").records()) == [
        Request("fine", line=2),
        Request("caf\udce9", line=3),
    ]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_a_field_may_be_longer_than_csv_allows(name: str, make: Make) -> None:
    text = "word " * 60_000
    assert len(text) == 300_000
    before = csv.field_size_limit()
    assert list(make(name, f"text\n{text}\nshort\n".encode()).records()) == [
        Request(text, line=2),
        Request("short", line=3),
    ]
    assert csv.field_size_limit() == before


def test_a_row_of_another_length_is_bad_alone(make: Make) -> None:
    for name, mark in [("x.csv", ","), ("x.tsv", "\t")]:
        content = "text,id\na,1\nb\nc,d,3\ne,4\n".replace(",", mark).encode()
        first, short, long, last = make(name, content).records()
        assert (first, last) == (Request("a", line=2), Request("e", line=5))
        assert isinstance(short, InputError)
        assert (short.line, str(short)) == (3, "1 field, but the header has 2")
        assert isinstance(long, InputError)
        assert (long.line, str(long)) == (4, "3 fields, but the header has 2")


def test_blank_lines_are_skipped_and_counted(make: Make) -> None:
    expected = [Request("a", line=3), Request("b", line=5)]
    assert list(make("x.csv", b"\ntext,id\na,1\n\r\nb,2\n\n\n").records()) == expected
    assert list(make("x.tsv", b"\ntext\tid\na\t1\n\r\nb\t2\n\n\n").records()) == expected


def test_a_blank_line_of_an_unquoted_single_column_is_an_empty_text(make: Make) -> None:
    assert list(make("x.tsv", b"text\na\n\nb\n").records()) == [
        Request("a", line=2),
        Request("", line=3),
        Request("b", line=4),
    ]


@pytest.mark.parametrize(
    ("rest", "line", "wrong"),
    [
        (b'"never closed\nx\n', 3, "a quote is not closed"),
        (b'"closed" then more\n', 3, "a field continues after its closing quote"),
        (b'"two\nlines" more\n', 3, "a field continues after its closing quote"),
        (b"a\rb\n", 3, "there is a carriage return outside quotes"),
    ],
)
def test_a_quoting_error_ends_the_file_where_it_stands(rest: bytes, line: int, wrong: str, make: Make) -> None:
    source = make("x.csv", b"text\nfine\n" + rest)
    records = source.records()
    assert next(records) == Request("fine", line=2)
    with pytest.raises(
        InputError, match=rf"x\.csv': the row that begins on line {line} breaks RFC 4180 quoting: {wrong}"
    ) as caught:
        next(records)
    assert caught.value.hint is not None
    assert "--quoting none" in caught.value.hint
    assert source.count() == 1


def test_reading_holds_one_row_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["text"], *([f'"{number}", ' + "word " * 200] for number in range(10_000))])
    assert path.stat().st_size > 10_000_000
    tracemalloc.start()
    try:
        assert sum(1 for _ in Source(str(path)).records()) == 10_000
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def read_back(name: str, content: bytes) -> list[Request | InputError]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return list(Source(str(path), columns=("b",), keep=True).records())


CELL = st.text(st.characters(codec="utf-8"))


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1))
@example([("", "", ""), ('"', ",", "\r"), ("\n", "\r\n", '""'), ("\x00", "\u2028", " ")])
def test_what_a_csv_writer_writes_is_read_back(rows: list[tuple[str, str, str]]) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([("a", "b", "c"), *rows])
    read = read_back("x.csv", file.getvalue().encode())
    assert [(r.columns["a"], r.text, r.columns["c"]) for r in read if isinstance(r, Request)] == rows
    assert len(read) == len(rows)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r")), min_size=1))
def test_texts_without_tabs_go_through_tsv_unchanged(texts: list[str]) -> None:
    one_column = read_back("x.tsv", "\n".join(["b", *texts, ""]).encode())
    assert one_column == [Request(text, line=number) for number, text in enumerate(texts, start=2)]
    two_columns = read_back("x.tsv", "".join(f"{line}\t7\r\n" for line in ["b", *texts]).encode())
    assert [r.text for r in two_columns if isinstance(r, Request)] == texts
