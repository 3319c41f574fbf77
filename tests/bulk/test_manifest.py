"""A folder's manifest: everything that results depend on, and folders of earlier versions."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from support.folders import chunk_explainer, explain_into, small_parts

from unmask.attribution.answers import AnswerConfig
from unmask.attribution.attribute import AttributionConfig
from unmask.bulk.folder import MANIFEST, Part, ResultFolder
from unmask.bulk.manifest import ADDED
from unmask.errors import ArgumentError

OF_THE_MODEL = {"precision", "vocabulary", "task", "model_warning"}  # determined by the model, which is in
OF_GENERATION = {"continuation", "max_new_tokens", "seed", "include_stop", "attribute_to", "prefix_cache", "generate"}


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)


def test_every_setting_is_in_the_manifest() -> None:
    known = set(chunk_explainer().settings())
    settings = {one.name for one in fields(AttributionConfig)} - {"answers"} | {
        one.name for one in fields(AnswerConfig)
    }
    assert settings - OF_THE_MODEL - OF_GENERATION <= known


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"long": "windows"}, "long 'cut', not 'windows'"),
        ({"detail": "sentence+word", "unit": "word"}, "detail None, not 'sentence[+]word'"),
        ({"detail": "sentence+word", "unit": "word", "rows": 9}, "detail None, not 'sentence[+]word'"),
    ],
)
def test_other_ways_to_read_a_text_are_refused(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    explain_into(tmp_path)
    with pytest.raises(ArgumentError, match=said):
        explain_into(tmp_path, **settings)


def test_a_folder_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    explain_into(tmp_path)
    manifest = json.loads((tmp_path / MANIFEST).read_bytes())
    for name in ADDED:
        manifest["settings"].pop(name)
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    for part in tmp_path.glob("part-*"):
        part.rename(part.with_name(part.name.rpartition("-")[0] + part.suffix))  # without the digest of the content
    before = {part.name for part in tmp_path.glob("part-*")}
    assert explain_into(tmp_path).texts == 15
    assert {part.name for part in tmp_path.glob("part-*")} == before
    with pytest.raises(ArgumentError, match="a version that did not store long"):
        explain_into(tmp_path, long="windows")


def test_an_unfinished_part_of_an_earlier_version_is_retried(tmp_path: Path) -> None:
    explain = chunk_explainer()

    def interrupted(chunk: Any, report: Any) -> Any:
        if chunk.first >= 10:
            raise KeyboardInterrupt
        return explain(chunk, report)

    with pytest.raises(KeyboardInterrupt):
        explain_into(tmp_path, function=interrupted)
    (unfinished,) = tmp_path.glob("unfinished-*-1-*")  # its second text has failed, and fails again
    unfinished.rename(unfinished.with_name(unfinished.name.rpartition("-")[0] + unfinished.suffix))
    assert explain_into(tmp_path, retry_failed=True).texts == 15


@pytest.mark.parametrize("at", range(8))
def test_a_part_with_other_content_replaces_one_with_the_same_texts(tmp_path: Path, at: int) -> None:
    folder = ResultFolder(tmp_path)
    for content in (b"old\n" * at, b"new\n" * (at + 1)):
        part = folder.put(Part(0, 2, 1, "0" * 16, is_full=False), content, form="jsonl")
    assert folder.read(part, form="jsonl") == content
    assert len(list(tmp_path.iterdir())) == 1
