"""Damaged folders of results: results are those that were stored, or the damage is told."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.folders import explain_into, small_parts

from unmask.bulk.folder import MANIFEST, ResultFolder
from unmask.bulk.merge import merge
from unmask.bulk.reading import read_results, status
from unmask.errors import UnmaskError

FLIPS, CUTS = 60, 20
MANIFESTS: dict[str, Any] = {
    "nothing": b"",
    "a list": [],
    "a number": 1,
    "brackets": b"[" * 100_000,
    "the schema alone": {"schema": 1},
    "another schema": {"schema": "x" * 10_000},
    "a number of texts as text": {"texts": "5"},
    "settings as a list": {"settings": []},
    "inputs without paths": {"inputs": [{}]},
    "inputs as numbers": {"inputs": [1]},
    "an unknown format": {"format": "exe"},
    "a format that is a list": {"format": []},
    "an environment of nothing": {"environment": None},
    "numbers as text": {"numbers": "1"},
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("folders")
    with pytest.MonkeyPatch.context() as patch:
        small_parts(patch)
        for form in ("jsonl", "parquet"):
            explain_into(place / form, form=form)
    return place


def damaged(content: bytes) -> Iterator[bytes]:
    """The content with one bit flipped, or cut off somewhere."""
    draw = random.Random(0)
    for at in (draw.randrange(len(content)) for _ in range(FLIPS)):
        yield content[:at] + bytes([content[at] ^ (1 << draw.randrange(8))]) + content[at + 1 :]
    for end in (0, 1, len(content) - 1, *(draw.randrange(len(content)) for _ in range(CUTS - 3))):
        yield content[:end]


def merged(folder: Path, suffix: str) -> bytes:
    output = folder.parent / f"merged.{suffix}"
    merge(ResultFolder(folder), output, suffix)
    return output.read_bytes()


READERS: dict[str, Callable[[Path], Any]] = {
    "results": lambda folder: [str(one) for one in read_results(folder)],
    "merged as jsonl": lambda folder: merged(folder, "jsonl"),
    "merged as csv": lambda folder: merged(folder, "csv"),
    "merged as parquet": lambda folder: merged(folder, "parquet"),
    "status": lambda folder: status(ResultFolder(folder)),
}


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("reader", READERS)
def test_results_are_those_that_were_stored_or_the_damage_is_told(
    reader: str, form: str, whole: Path, tmp_path: Path
) -> None:
    if form == "parquet" and reader in ("results", "merged as jsonl"):
        pytest.skip("parquet parts hold scores only")
    folder, read = tmp_path / form, READERS[reader]
    shutil.copytree(whole / form, folder)
    part = sorted(folder.glob("part-*"))[-2 if form == "jsonl" else 0]
    content, expected = part.read_bytes(), read(folder)
    for changed in damaged(content):
        part.write_bytes(changed)
        if reader == "status" and b'"error"' not in content:  # nothing to read in this part
            assert read(folder) == expected
            continue
        with pytest.raises(UnmaskError, match="damaged: its content does not match the digest in its name"):
            read(folder)


@pytest.mark.parametrize("kind", MANIFESTS)
@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_manifest_is_told(kind: str, reader: str, whole: Path, tmp_path: Path) -> None:
    folder, given = tmp_path / "jsonl", MANIFESTS[kind]
    shutil.copytree(whole / "jsonl", folder)
    if isinstance(given, dict) and "schema" not in given:
        given = json.loads((folder / MANIFEST).read_bytes()) | given
    (folder / MANIFEST).write_bytes(given if isinstance(given, bytes) else json.dumps(given).encode())
    with pytest.raises(UnmaskError, match=r"damaged|has schema"):
        READERS[reader](folder)
    with pytest.raises(UnmaskError, match=r"damaged|has schema"):
        explain_into(folder)
