"""A file of texts and how it is read: arguments, columns, counts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unmask.errors import ArgumentError, InputError
from unmask.inputs import Source
from unmask.text.request import Request

Make = Callable[..., Source]
FILES = {
    "x.txt": b"a\n\nb\r\n",
    "x.csv": b'text,id\na,1\n"b\nc",2\n\nd\ne,5\n',
    "x.tsv": b'text\tid\na\t1\n\nb "\t2\nc\n',
    "x.jsonl": b'{"text": "a"}\n\n{"text": 5}\n[\n{"text": "b"}',
}
NUMBERS = {"x.txt": 3, "x.csv": 4, "x.tsv": 3, "x.jsonl": 4}


@pytest.mark.parametrize("name", FILES)
def test_the_count_is_the_number_of_records(name: str, make: Make) -> None:
    for source in (make(name, FILES[name]), make(name + ".gz", FILES[name])):
        assert source.count() == len(list(source.records())) == NUMBERS[name]


@pytest.mark.parametrize("name", FILES)
def test_a_source_can_be_read_again_after_a_check(name: str, make: Make) -> None:
    source = make(name, FILES[name])
    source.check()
    assert len(list(source.records())) == len(list(source.records()))


def test_a_form_outdoes_the_suffix(make: Make) -> None:
    assert list(make("x.data", b"text,id\na,1\n", form="csv").records()) == [Request("a", line=2)]
    assert list(make("x.csv", b"text\na\n", form="txt").records()) == [Request("text", line=1), Request("a", line=2)]
    assert list(make("x.data.gz", b'{"text": "a"}\n', form="jsonl").records()) == [Request("a", line=1)]


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (
            {"path": "x.txt", "columns": ("text",)},
            "'x.txt' is read as txt, one text per line, so there are no columns to choose from",
        ),
        ({"path": "x", "keep": True}, "'x' is read as txt, one text per line, so there are no columns to keep"),
        (
            {"path": "-", "keep": True},
            "standard input is read as txt, one text per line, so there are no columns to keep",
        ),
        ({"path": "x.txt", "quoting": "none"}, "'x.txt' is read as txt, which has no quoting"),
        ({"path": "x.jsonl.gz", "quoting": "rfc4180"}, "'x.jsonl.gz' is read as jsonl, which has no quoting"),
        ({"path": "x.parquet", "quoting": "none"}, "'x.parquet' is read as parquet, which has no quoting"),
        ({"path": "x.csv", "quoting": "nome"}, "unknown quoting 'nome'; did you mean 'none'?"),
        ({"path": "x.csv", "form": "cvs"}, "unknown form 'cvs'; did you mean 'csv'?"),
        ({"path": "x.csv", "columns": ("a", "b", "c")}, "3 columns given; expected one, or two"),
        ({"path": "x.csv", "columns": ("a", "a")}, "duplicate column 'a'"),
    ],
)
def test_arguments_that_do_not_apply_are_refused(options: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Source(**options)
    assert str(caught.value).startswith(wrong)


TABLE = {
    "x.csv": b"sentence,text,label\ns,t,1\n",
    "x.tsv": b"sentence\ttext\tlabel\ns\tt\t1\n",
    "x.jsonl": b'{"sentence": "s", "text": "t", "label": "1"}\n',
}


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ("t", None, {})),
        ({"columns": ("sentence",)}, ("s", None, {})),
        ({"columns": ("sentence", "text")}, ("s", "t", {})),
        ({"keep": True}, ("t", None, {"sentence": "s", "label": "1"})),
        ({"columns": ("text", "sentence"), "keep": True}, ("t", "s", {"label": "1"})),
    ],
)
def test_columns(name: str, options: dict[str, Any], expected: tuple[Any, ...], make: Make) -> None:
    source = make(name, TABLE[name], **options)
    source.check()
    (record,) = source.records()
    assert isinstance(record, Request)
    assert (record.text, record.text_pair, record.columns) == expected


def test_sentence_is_taken_where_there_is_no_text(make: Make) -> None:
    assert list(make("x.csv", b"id,sentence\n1,s\n").records()) == [Request("s", line=2)]
    assert list(make("x.jsonl", b'{"sentence": "s"}').records()) == [Request("s", line=1)]


ABSENT = {"x.csv": b"review,label\na,1\n", "x.tsv": b"review\tlabel\na\t1\n", "x.jsonl": b'{"review": "a", "label": 1}'}


@pytest.mark.parametrize("name", ABSENT)
def test_a_column_that_is_not_there_is_said_before_the_work(name: str, make: Make) -> None:
    with pytest.raises(
        InputError, match=rf"{name}': no column 'text', 'sentence', 'prompt' or 'messages'; columns: review, label\n"
    ) as caught:
        make(name, ABSENT[name]).check()
    assert caught.value.hint == "choose one with --column"
    with pytest.raises(InputError, match=r"no column 'revue'; did you mean 'review'\? columns: review, label$"):
        make(name, ABSENT[name], columns=("revue",)).check()
    with pytest.raises(InputError, match=r"no column 'zzz'; columns: review, label$"):
        make(name, ABSENT[name], columns=("review", "zzz")).check()


def test_a_column_that_is_not_there_ends_the_reading_of_a_table(make: Make) -> None:
    with pytest.raises(InputError, match=r"x\.csv': no column 'text'"):
        next(make("x.csv", ABSENT["x.csv"]).records())


def test_a_first_line_that_is_broken_says_nothing_about_the_columns(make: Make) -> None:
    source = make("x.jsonl", b'{"text"\n{"text": "a"}\n')
    source.check()
    bad, fine = source.records()
    assert isinstance(bad, InputError)
    assert fine == Request("a", line=2)


@pytest.mark.parametrize(
    ("header", "options"), [("text,id,text", {}), ("id,id,text", {"columns": ("id",)}), ("id,id,text", {"keep": True})]
)
def test_a_wanted_column_that_is_there_twice_is_refused(header: str, options: dict[str, Any], make: Make) -> None:
    with pytest.raises(InputError, match=r"x\.csv': 2 columns are named '(text|id)'"):
        make("x.csv", f"{header}\n1,2,3\n".encode(), **options).check()


def test_other_columns_may_be_there_twice_or_without_name(make: Make) -> None:
    assert list(make("x.csv", b"id,id,text\n1,2,a\n").records()) == [Request("a", line=2)]
    assert list(make("x.csv", b",text\n1,a\n", keep=True).records()) == [Request("a", line=2, columns={"": "1"})]
    assert list(make("x.csv", b",label\na,1\n", columns=("",)).records()) == [Request("a", line=2)]


def test_other_names_of_json(tmp_path: Path) -> None:
    (tmp_path / "x.ndjson").write_text('{"text": "a film"}\n')
    assert list(Source(str(tmp_path / "x.ndjson")).records()) == [Request("a film", line=1)]
    with pytest.raises(InputError, match=r"'x\.json' is a single JSON document"):
        Source("x.json")
    assert Source("x.json", form="jsonl").form == "jsonl"
