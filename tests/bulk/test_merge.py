"""One file of all parts: that of an explanation into one file, whatever the parts are."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow.parquet import read_table
from support import folders
from support.folders import TEXTS, explain_into

from unmask import Failure
from unmask.bulk.folder import ResultFolder
from unmask.bulk.merge import merge
from unmask.errors import ArgumentError
from unmask.render.formats import FORMATS
from unmask.text.request import Request


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    folders.small_parts(monkeypatch)


def direct(form: str) -> Any:
    """All results written at once, by the writer of single files."""
    from unmask.attribution.explain_texts import explain_texts

    function = folders.chunk_explainer()
    outcomes = list(explain_texts(function.session, TEXTS, function.config))
    items = [(text.line, outcome) for text, outcome in zip(TEXTS, outcomes, strict=True)]
    kept = [text.columns if isinstance(text, Request) else {} for text in TEXTS]
    output = FORMATS[form]
    return output.write("collection", items, output.theme(), kept)


@pytest.mark.parametrize("stored", ["jsonl", "parquet"])
def test_parquet_is_that_of_a_single_file(tmp_path: Path, stored: str) -> None:
    """The column id is a number in most parts, a text in one and a fraction in the last: text in all."""
    explain_into(tmp_path / "a", form=stored)
    assert merge(ResultFolder(tmp_path / "a"), tmp_path / "all.parquet", "parquet") == len(TEXTS)
    merged, whole = read_table(tmp_path / "all.parquet"), read_table(io.BytesIO(direct("parquet")))
    assert merged.schema.field("kept.id").type == pyarrow.string()
    assert merged.equals(whole)


@pytest.mark.parametrize("stored", ["jsonl", "parquet"])
def test_csv_is_that_of_a_single_file(tmp_path: Path, stored: str) -> None:
    explain_into(tmp_path / "a", form=stored)
    merge(ResultFolder(tmp_path / "a"), tmp_path / "all.csv", "csv")
    merged, whole = (list(csv.reader(io.StringIO(text, newline=""))) for text in (read(tmp_path), direct("csv")))
    assert merged == whole


def read(folder: Path) -> str:
    return (folder / "all.csv").read_bytes().decode()


def test_json_lines_are_those_of_the_parts(tmp_path: Path) -> None:
    explain_into(tmp_path / "a")
    merge(ResultFolder(tmp_path / "a"), tmp_path / "all.jsonl", "jsonl")
    records = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert [record["line"] for record in records] == [text.line for text in TEXTS]
    assert [record["kept"] for record in records if "kept" in record] == [
        dict(text.columns) for text in TEXTS if isinstance(text, Request)
    ]
    assert [at for at, record in enumerate(records) if "error" in record] == [9, 10]
    assert records[9]["error"] == {"kind": "InputError", "message": "broken"}
    assert {record["seconds"] for record in records if "seconds" in record} == {None}
    whole = [json.loads(line) for line in direct("jsonl").splitlines()]
    for record, single in zip(records, whole, strict=True):
        if "error" not in record:
            assert record | {"seconds": single["seconds"]} == {"line": record["line"], **single}


def test_parquet_parts_have_no_explanations(tmp_path: Path) -> None:
    explain_into(tmp_path / "a", form="parquet")
    with pytest.raises(
        ArgumentError, match=r"holds parquet files, which contain only scores; merge it into .parquet or .csv"
    ):
        merge(ResultFolder(tmp_path / "a"), tmp_path / "all.jsonl", "jsonl")
    assert not (tmp_path / "all.jsonl").exists()


@pytest.mark.parametrize("stored", ["jsonl", "parquet"])
def test_an_unfinished_folder_is_merged_only_when_asked_to(tmp_path: Path, stored: str) -> None:
    explainer = folders.chunk_explainer(stored)

    def interrupted(chunk: Any, report: Any) -> Any:
        if chunk.first == 6:
            raise KeyboardInterrupt
        return explainer(chunk, report)

    with pytest.raises(KeyboardInterrupt):
        explain_into(tmp_path / "a", form=stored, function=interrupted)
    folder = ResultFolder(tmp_path / "a")
    with pytest.raises(ArgumentError, match="is not finished: 6 of 15 texts done"):
        merge(folder, tmp_path / "all.csv", "csv")
    assert merge(folder, tmp_path / "all.parquet", "parquet", is_partial=True) == 6
    lines = read_table(tmp_path / "all.parquet").column("line").to_pylist()
    assert list(dict.fromkeys(lines)) == [text.line for text in TEXTS[:6]]


def test_a_merge_of_nothing(tmp_path: Path) -> None:
    explain_into(tmp_path / "a", [])
    for form in ("jsonl", "csv", "parquet"):
        assert merge(ResultFolder(tmp_path / "a"), tmp_path / f"all.{form}", form) == 0


def test_failures_are_where_they_were(tmp_path: Path) -> None:
    from unmask.bulk.reading import read_results

    explain_into(tmp_path / "a")
    failures = [one for one in read_results(tmp_path / "a") if isinstance(one, Failure)]
    assert [one.index for one in failures] == [9, 10]
