"""Published data sets, compared with the bytes of their files."""

import csv
import gzip

import pytest
from support.shared import SHARED, needs_shared

from unmask.inputs import Source
from unmask.text.request import Request

TSV = {
    "rotten_tomatoes/test": ("text",),
    "rotten_tomatoes/train": ("text",),
    "rotten_tomatoes/validation": ("text",),
    "sst2/dev": ("text",),
    "sst2/test": ("text",),
    "sst2/train_phrases": ("text",),
    "nli/snli_test_500": ("premise", "hypothesis"),
}


def cells(name: str) -> list[list[str]]:
    """The header and the rows, cut out of the bytes at LF and tab."""
    content = gzip.decompress((SHARED / "data" / f"{name}.tsv.gz").read_bytes())
    assert b"\r" not in content
    return [[cell.decode() for cell in line.split(b"\t")] for line in content.removesuffix(b"\n").split(b"\n")]


@needs_shared
@pytest.mark.parametrize("name", TSV)
def test_every_line_of_a_tsv_file_is_as_in_the_file(name: str) -> None:
    header, *rows = cells(name)
    source = Source(str(SHARED / "data" / f"{name}.tsv.gz"), columns=TSV[name], keep=True)
    source.check()
    records = list(source.records())
    assert source.count() == len(records) == len(rows)
    for number, (record, row) in enumerate(zip(records, rows, strict=True), start=2):
        assert isinstance(record, Request)
        assert record.line == number
        texts = dict(zip(TSV[name], (record.text, record.text_pair), strict=False))
        assert {**record.columns, **texts} == dict(zip(header, row, strict=True))


@needs_shared
def test_pythons_usual_reading_would_alter_five_lines() -> None:
    _, *rows = cells("rotten_tomatoes/test")
    with gzip.open(SHARED / "data/rotten_tomatoes/test.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        usual = [row["text"] for row in csv.DictReader(file, delimiter="\t")]
    assert len(usual) == len(rows) == 1_066
    assert sum(text != row[2] for text, row in zip(usual, rows, strict=True)) == 5


@needs_shared
@pytest.mark.parametrize(
    ("name", "columns"),
    [("imdb/test_sample", ()), ("multilingual/zh_chnsenticorp_htl", ()), ("qa/squad_dev_300", ("question",))],
)
def test_every_line_of_a_jsonl_file_is_a_record(name: str, columns: tuple[str, ...]) -> None:
    path = SHARED / "data" / f"{name}.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).removesuffix(b"\n").count(b"\n") + 1
    records = list(Source(str(path), columns=columns).records())
    assert len(records) == lines
    assert all(isinstance(record, Request) for record in records)
