"""`retry_failed`: texts that failed are computed again and nothing else, whatever happens in between."""

import json
from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support import folders
from support.folders import TEXTS, Killed, content, explain_into, killed_after

from unmask import Failure, Request
from unmask.attribution.session import ModelSession
from unmask.bulk.compute import ChunkExplainer
from unmask.bulk.folder import ResultFolder
from unmask.bulk.manifest import Manifest
from unmask.bulk.reading import read_results, status
from unmask.bulk.rows import RowFormat
from unmask.bulk.run import FolderRun
from unmask.errors import ModelError
from unmask.models.formula import FormulaModel

ALWAYS = {9, 10}  # of TEXTS: a broken line, and an empty text


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    folders.small_parts(monkeypatch)


def failing(numbers: Collection[int], form: str, computed: list[int] | None = None) -> Callable[..., Any]:
    """Explains chunks, but for the texts with these numbers."""
    explainer = folders.chunk_explainer(form)

    def function(chunk: Any, report: Any) -> Any:
        rows = explainer(chunk, report)
        for at, text in enumerate(chunk.texts):
            if computed is not None:
                computed.append(chunk.first + at)
            if chunk.first + at in numbers:
                failure = Failure(chunk.first + at, "", ModelError("no memory"))
                rows[at] = explainer.rows.row(chunk.first + at, text, failure)
        return rows

    return function


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_only_texts_that_failed_are_computed_again(tmp_path: Path, form: str) -> None:
    explain_into(tmp_path / "whole", form=form)
    saved = explain_into(tmp_path / "a", form=form, function=failing({0, 3, 5, 14}, form))
    assert saved.failed == 6
    computed = list[int]()
    explain_into(tmp_path / "a", form=form, function=failing((), form, computed))
    assert computed == []  # not without being asked
    saved = explain_into(tmp_path / "a", form=form, function=failing((), form, computed), retry_failed=True)
    assert computed == sorted({0, 3, 5, 14} | ALWAYS)
    assert (saved.texts, saved.failed) == (len(TEXTS), 2)
    assert content(tmp_path / "a") == content(tmp_path / "whole")


def test_what_fails_again_has_its_new_reason(tmp_path: Path) -> None:
    explain_into(tmp_path / "a", [TEXTS[0], TEXTS[10]], function=failing({0}, "jsonl"))
    assert status(ResultFolder(tmp_path / "a")).reasons[0] == "line 1: no memory"

    def other(chunk: Any, report: Any) -> Any:
        text = chunk.texts[0]
        return [RowFormat("jsonl").row(chunk.first, text, Failure(chunk.first, "", ModelError("still none")))]

    explain_into(tmp_path / "a", [TEXTS[0], TEXTS[10]], function=other, retry_failed=True)
    found = status(ResultFolder(tmp_path / "a"))
    assert (found.failed, found.reasons) == (2, ("line 1: still none", "line 11: still none"))


def test_an_unfinished_folder_retries_and_goes_on(tmp_path: Path) -> None:
    explain_into(tmp_path / "whole")
    first = failing({1, 5}, "jsonl")

    def interrupted(chunk: Any, report: Any) -> Any:
        if chunk.first == 6:
            raise KeyboardInterrupt
        return first(chunk, report)

    with pytest.raises(KeyboardInterrupt):
        explain_into(tmp_path / "a", function=interrupted)
    assert [(one.end, one.failed) for one in ResultFolder(tmp_path / "a").parts()] == [(4, 1), (6, 1)]
    computed = list[int]()
    explain_into(tmp_path / "a", function=failing((), "jsonl", computed), retry_failed=True)
    assert computed == [1, 5, *range(6, len(TEXTS))]
    assert content(tmp_path / "a") == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("form", "every"),
    [("jsonl", 3), ("parquet", 7), *(pytest.param(form, 1, marks=pytest.mark.slow) for form in ("jsonl", "parquet"))],
)
def test_a_kill_while_retrying_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, every: int
) -> None:
    texts = [TEXTS[at] for at in range(9)]
    with killed_after(10**9, monkeypatch):  # without waiting for the disk
        explain_into(tmp_path / "whole", texts, form=form)
    whole, fails = content(tmp_path / "whole"), {0, 1, 3, 6, 8}
    for steps in count(step=every):
        place, computed = tmp_path / str(steps), list[int]()
        with killed_after(10**9, monkeypatch):
            explain_into(place, texts, form=form, function=failing(fails, form))
        with killed_after(steps, monkeypatch) as taken, suppress(Killed):
            explain_into(place, texts, form=form, function=failing((), form), retry_failed=True)
        if taken[0] <= steps:  # it was not killed
            break
        left = status(ResultFolder(place)).failed
        with killed_after(10**9, monkeypatch):
            explain_into(place, texts, form=form, function=failing((), form, computed), retry_failed=True)
        assert len(computed) == left  # what was saved is not computed again
        assert content(place) == whole
    assert steps > 20
    assert content(place) == whole


def test_a_text_that_is_left_out_now_has_no_row(tmp_path: Path) -> None:
    session = ModelSession(FormulaModel.weighted_words(folders.WEIGHTS))
    explainer = ChunkExplainer(session, session.resolve_config(), RowFormat("jsonl"), only_wrong=True)
    texts = [Request(text, line=at, label="positive") for at, text in enumerate(("good", "bad", "lovely", "bad"), 1)]
    folder, manifest = ResultFolder(tmp_path), Manifest(explainer.settings(), "jsonl", texts=4)

    def first(chunk: Any, report: Any) -> Any:
        rows = {row.index: row for row in explainer(chunk, report)}
        for at in {2, 3} & set(range(chunk.first, chunk.end)):
            failure = Failure(at, "", ModelError("no memory"))
            rows[at] = explainer.rows.row(at, chunk.texts[at - chunk.first], failure)
        return [rows[at] for at in sorted(rows)]

    def lines() -> list[tuple[int, bool]]:
        (part,) = tmp_path.glob("part-*")
        return [(one["line"], "error" in one) for one in map(json.loads, part.read_text().splitlines())]

    with folder.hold():
        FolderRun(folder, manifest, explainer.rows).go([(None, text) for text in texts], first)
        assert lines() == [(2, False), (3, True), (4, True)]
        FolderRun(folder, manifest, explainer.rows).go([(None, text) for text in texts], explainer, retry_failed=True)
    assert lines() == [(2, False), (4, False)]
    assert [one.text for one in read_results(tmp_path)] == ["bad", "bad"]
