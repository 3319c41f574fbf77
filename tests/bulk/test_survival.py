"""What is done is never lost, never there twice, and the same to the last byte, wherever the work was cut off."""

import errno
import os
from contextlib import suppress
from itertools import count
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from support import folders
from support.folders import TEXTS, Killed, content, explain_into, killed_after

from unmask import Explanation, Failure
from unmask.bulk import writer
from unmask.bulk.folder import PROGRESS, ResultFolder
from unmask.bulk.reading import read_results, status
from unmask.errors import InputError, SchemaError


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    folders.small_parts(monkeypatch)


@pytest.mark.parametrize(
    ("form", "every"),
    [
        ("jsonl", 5),
        ("parquet", 11),
        pytest.param("jsonl", 1, marks=pytest.mark.slow),
        pytest.param("parquet", 1, marks=pytest.mark.slow),
    ],
)
def test_a_kill_at_any_change_of_the_disk_leaves_what_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, every: int
) -> None:
    explainer, known, computed = folders.chunk_explainer(form), dict[int, Any](), list[int]()

    def function(chunk: Any, report: Any) -> Any:
        computed.append(chunk.first)
        known[chunk.first] = known.get(chunk.first) or explainer(chunk, report)
        return known[chunk.first]

    explain_into(tmp_path / "whole", form=form, function=function)
    whole = content(tmp_path / "whole")
    assert len(whole) == 5  # the manifest and four parts of 4, 4, 4 and 3 texts
    for steps in count(step=every):
        place, done = tmp_path / str(steps), 0
        with killed_after(steps, monkeypatch) as taken, suppress(Killed):
            explain_into(place, form=form, function=function)
        if taken[0] <= steps:  # it was not killed
            break
        if ResultFolder(place).is_begun:
            parts = ResultFolder(place).parts()
            done = parts[-1].end if parts else 0
            assert [part.first for part in parts] == [0, *(part.end for part in parts)][: len(parts)]
        computed.clear()
        with killed_after(10**9, monkeypatch):  # as fast
            explain_into(place, form=form, function=function)
        assert content(place) == whole
        assert computed == list(range(done, len(TEXTS), 2))  # nothing twice
    assert steps > 50


def test_a_failing_chunk_loses_nothing_before_it(tmp_path: Path) -> None:
    explainer = folders.chunk_explainer()

    def failing(chunk: Any, report: Any) -> Any:
        if chunk.first == 6:
            raise MemoryError
        return explainer(chunk, report)

    with pytest.raises(MemoryError):
        explain_into(tmp_path / "a", function=failing)
    assert status(ResultFolder(tmp_path / "a")).done == 6
    explain_into(tmp_path / "a")
    explain_into(tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_what_is_done_is_saved_when_it_is_interrupted_between_two_savings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SECONDS", 1e9)
    explainer = folders.chunk_explainer()

    def interrupted(chunk: Any, report: Any) -> Any:
        if chunk.first == 6:
            raise KeyboardInterrupt
        return explainer(chunk, report)

    with pytest.raises(KeyboardInterrupt):
        explain_into(tmp_path / "a", function=interrupted)
    assert [one.end for one in ResultFolder(tmp_path / "a").parts()] == [4, 6]


def test_a_full_disk_keeps_what_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = [9]

    def full(_: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(InputError, match="No space left on device; earlier results are kept") as raised:
            explain_into(tmp_path / "a")
    assert "free disk space" in str(raised.value.hint)
    assert 0 < status(ResultFolder(tmp_path / "a")).done < len(TEXTS)
    explain_into(tmp_path / "a")
    explain_into(tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_results_have_no_times_and_are_in_order(tmp_path: Path) -> None:
    explain_into(tmp_path / "a")
    results = list(read_results(tmp_path / "a"))
    assert [one.text for one in results] == [getattr(text, "text", "") for text in TEXTS]
    first = results[0]
    assert isinstance(first, Explanation)
    assert first.scores == (0.0, -2.0, 0.0, 0.0, 0.0, 3.0, 0.0)  # the weights, toward negative
    assert isnan(first.seconds)
    failures = [one for one in results if isinstance(one, Failure)]
    assert [(one.index, type(one.error).__name__) for one in failures] == [(9, "InputError"), (10, "TextError")]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ([TEXTS[1], TEXTS[0], *TEXTS[2:]], "texts 1 to 4 differ from the texts"),
        ([*TEXTS[:-1], TEXTS[0]], "texts 13 to 15 differ from the texts"),
        (TEXTS[:-1], "number of texts 15, not 14"),
        ([*TEXTS, TEXTS[0]], "number of texts 15, not 16"),
    ],
)
def test_other_texts_are_refused(tmp_path: Path, changed: list[Any], said: str) -> None:
    explain_into(tmp_path / "a")
    before = content(tmp_path / "a")
    with pytest.raises((InputError, ValueError), match=said):
        explain_into(tmp_path / "a", changed)
    assert content(tmp_path / "a") == before


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"unit": "token"}, "unit 'word', not 'token'"),
        ({"method": "ig:steps=7"}, "method 'sig', not 'ig:steps=7'"),
        ({"target": "negative"}, "target 'predicted', not 'negative'"),
        ({"baseline": "pad"}, "baseline 'mask', not 'pad'"),
        ({"form": "parquet"}, "format 'jsonl', not 'parquet'"),
    ],
)
def test_other_settings_are_refused_by_name(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    explain_into(tmp_path / "a")
    with pytest.raises(ValueError, match=f"holds results with {said}"):
        explain_into(tmp_path / "a", **settings)


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    explain_into(tmp_path / "a")
    second = next((tmp_path / "a").glob("part-000000004-*"))
    second.unlink()
    with pytest.raises(SchemaError, match="the results of texts 5 to 8 are missing"):
        explain_into(tmp_path / "a")


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"contains other files \(notes.txt\); it was not modified"):
        explain_into(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(InputError, match="is a file, not a folder"):
        explain_into(tmp_path / "notes.txt")


def test_files_of_others_in_a_folder_of_ours_do_not_matter(tmp_path: Path) -> None:
    explain_into(tmp_path / "a", TEXTS)
    (tmp_path / "a" / "notes.txt").write_text("mine")
    (tmp_path / "a" / "unfinished-notes.jsonl").write_text("mine too")
    explain_into(tmp_path / "a")
    assert (tmp_path / "a" / "unfinished-notes.jsonl").exists()


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with ResultFolder(tmp_path / "a").hold(), pytest.raises(InputError, match=f"in use by process {os.getpid()} on"):
        explain_into(tmp_path / "a")


def test_damaged_notes(tmp_path: Path) -> None:
    explain_into(tmp_path / "a")
    (tmp_path / "a" / PROGRESS).write_text("{torn")
    assert status(ResultFolder(tmp_path / "a")).left is None
    (tmp_path / "a" / "manifest.json").write_text("{torn")
    with pytest.raises(SchemaError, match=r"the manifest of .* is damaged"):
        explain_into(tmp_path / "a")
    (tmp_path / "a" / "manifest.json").write_text('{"schema": 7}')
    with pytest.raises(SchemaError, match="has schema 7, but this version of unmask reads 1"):
        explain_into(tmp_path / "a")
