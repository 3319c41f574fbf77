"""Explanations as CSV and parquet: one row per unit."""

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from support.explanations import cases, compared, failure
from support.written_answers import answers

from unmask import Explanation
from unmask.render.formats import FORMATS, Item
from unmask.results.metadata import SegmentInfo, Unit

SHORT = cases()["short"]


def in_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def in_parquet(content: bytes) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist()
    return rows


def collected(form: str, items: list[Item], *kept: dict[str, Any]) -> Any:
    return FORMATS[form].write("collection", items, FORMATS[form].theme(), kept)


def test_a_row_is_a_unit(tmp_path: Path) -> None:
    SHORT.save(tmp_path / "x.csv")
    SHORT.save(tmp_path / "x.parquet")
    rows, exact = in_csv((tmp_path / "x.csv").read_bytes().decode()), in_parquet((tmp_path / "x.parquet").read_bytes())
    assert [row["text"] for row in rows] == [row["text"] for row in exact] == [unit.text for unit in SHORT.units]
    assert [float(row["score"]) for row in rows] == [row["score"] for row in exact] == list(SHORT.scores)
    assert [float(row["score of positive"]) for row in rows] == list(SHORT.toward("positive").scores)
    assert {(row["prediction"], row["target"], row["scale"], row["line"]) for row in rows} == {
        ("positive", "positive", "log_odds", "")
    }
    assert {row["confidence"] for row in exact} == {SHORT.prediction.probabilities["positive"]}
    assert {row["residual"] for row in exact} == {None}


def test_several_texts_have_lines_and_failures_have_a_row() -> None:
    items: list[Item] = [(3, failure("it is empty")), (4, SHORT)]
    for rows in (in_csv(collected("csv", items)), in_parquet(collected("parquet", items))):
        assert [str(row["line"]) for row in rows] == ["3"] + ["4"] * len(SHORT.units)
        assert (rows[0]["error"], rows[0]["text"] or None) == ("it is empty", None)
        assert list(rows[0])[:2] == ["line", "text"]


def test_other_columns_of_the_file_come_last() -> None:
    kept = {"id": "a", "stars": 3, "tags": ["x"]}, {"id": "b", "stars": "none", "tags": ["y"]}
    items: list[Item] = [(1, SHORT), (2, SHORT)]
    rows, exact = in_csv(collected("csv", items, *kept)), in_parquet(collected("parquet", items, *kept))
    assert list(rows[0])[-3:] == list(exact[0])[-3:] == ["kept.id", "kept.stars", "kept.tags"]
    assert (rows[0]["kept.stars"], rows[0]["kept.tags"]) == ("3", '["x"]')
    assert (exact[0]["kept.stars"], exact[-1]["kept.stars"], exact[-1]["kept.tags"]) == ("3", "none", ["y"])


def test_rows_of_a_comparison_have_names(tmp_path: Path) -> None:
    compared().save(tmp_path / "x.csv")
    rows = in_csv((tmp_path / "x.csv").read_bytes().decode())
    assert list(dict.fromkeys(row["name"] for row in rows)) == list(compared().names)
    assert len(rows) == sum(len(row.units) for row in compared().explanations)


def told(word: str) -> Explanation:
    return replace(cases()["one-word"], segments=(SegmentInfo(word),), units=(Unit(word, 0, len(word)),))


@pytest.mark.parametrize(("word", "written"), [("=1+1", "'=1+1"), ("naïve", "naïve"), ("\ud800", "\\ud800")])
def test_hostile_units(word: str, written: str) -> None:
    assert in_csv(collected("csv", [(1, told(word))]))[0]["text"] == written
    assert in_parquet(collected("parquet", [(1, told(word))]))[0]["text"] == written.removeprefix("'")


@pytest.mark.parametrize("name", ["answer", "answer-all", "answer-detail", "answer-contrast"])
def test_a_row_of_an_answer_is_a_unit_and_a_token(name: str, tmp_path: Path) -> None:
    found = answers()[name]
    found.save(tmp_path / "x.parquet")
    found.save(tmp_path / "x.csv")
    rows = in_parquet((tmp_path / "x.parquet").read_bytes())
    levels = [level for level in (found, found.detail) if level is not None]
    assert len(rows) == sum(len(level) * len(level.outputs) for level in levels)
    first = rows[: len(found) * len(found.outputs)]
    assert found.scores_by_output is not None
    cells = [row["token_score"] for row in first]
    expected = [None if cell != cell else cell for cell in found.scores_by_output.ravel().tolist()]
    assert cells == expected  # repeated tokens keep their own scores
    assert [row["token_text"] for row in first[: len(found.outputs)]] == list(found.outputs)
    assert {row["prediction"] for row in rows} == {None}
    assert {row["target"] for row in rows} == {str(found.target)}
    assert len(in_csv((tmp_path / "x.csv").read_bytes().decode())) == len(rows)
    assert "nan" not in (tmp_path / "x.csv").read_text()
