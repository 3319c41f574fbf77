"""Results folders of a model defined by a formula, which is fast and exact."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from unmask import Request
from unmask.attribution.session import ModelSession
from unmask.bulk import chunks, writer
from unmask.bulk.compute import ChunkExplainer
from unmask.bulk.folder import LOCK, PROGRESS, ResultFolder
from unmask.bulk.manifest import Manifest
from unmask.bulk.rows import RowFormat
from unmask.bulk.run import FolderRun, Saved
from unmask.errors import InputError
from unmask.models.formula import FormulaModel

WEIGHTS = {"good": 2.0, "bad": -3.0, "lovely": 1.5}
TEXTS: list[Request | InputError] = [
    *(Request(f"a good film of {at} bad parts", line=at + 1, columns={"id": at}) for at in range(9)),
    InputError("broken", line=10),
    Request("", line=11, columns={"id": "eleven"}),
    *(Request("lovely " * at + "film", line=at, columns={"id": at / 2}) for at in range(12, 16)),
]


def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use chunks of two texts and parts of four or five, and save everything at once."""
    monkeypatch.setattr(chunks, "TEXTS", 2)
    monkeypatch.setattr(writer, "TEXTS", 4)
    monkeypatch.setattr(writer, "SECONDS", 0.0)


@cache
def chunk_explainer(form: str = "jsonl", **settings: Any) -> ChunkExplainer:
    session = ModelSession(FormulaModel.weighted_words(WEIGHTS))
    return ChunkExplainer(session, session.resolve_config(**settings), RowFormat(form))


def explain_into(
    place: Path,
    texts: Iterable[Any] = TEXTS,
    *,
    form: str = "jsonl",
    function: Any = None,
    retry_failed: bool = False,
    **settings: Any,
) -> Saved:
    """Explain texts and save the results in a folder, as the command and `into=` do."""
    explainer, folder = chunk_explainer(form, **settings), ResultFolder(place)
    listed = list(texts)
    with folder.hold():
        run = FolderRun(folder, Manifest(explainer.settings(), form, texts=len(listed)), explainer.rows)
        return run.go(((None, text) for text in listed), function or explainer, retry_failed=retry_failed)


def content(place: Path) -> dict[str, bytes]:
    """The files in a folder that hold its results."""
    others = (LOCK, PROGRESS)
    files = [file for file in place.iterdir() if file.name not in others and not file.name.startswith(".unmask-")]
    return {file.name: file.read_bytes() for file in files}


class Killed(BaseException):
    """An exception that nothing here catches, which simulates a kill within the process."""


@contextmanager
def killed_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Make every write to the disk fail after the given number of writes."""
    taken = [0]

    def counting(real: Callable[..., Any]) -> Callable[..., Any]:
        def change(*arguments: Any, **options: Any) -> Any:
            taken[0] += 1
            if taken[0] > steps:
                raise Killed
            return real(*arguments, **options)

        return change

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", counting(lambda _: None))  # slow, and nothing to this test
        for owner, name in ((Path, "replace"), (Path, "unlink"), (os, "open")):
            patch.setattr(owner, name, counting(getattr(owner, name)))
        yield taken
