"""`explain_many(..., into=folder)`: saves the results in a folder and reads them from there."""

import os
from collections.abc import Iterable, Iterator, Sized
from typing import TypeAlias

from ..attribution.attribute import AttributionConfig
from ..attribution.explain_texts import explain_texts
from ..attribution.session import ModelSession
from ..errors import ArgumentError, brief
from ..executors.base import ExecutionEngine, LocalEngine
from ..progress import Reporting, reporting
from ..results.explanation import Explanation
from ..text.request import Failure, TextLike
from .compute import chunk_explainer
from .folder import ResultFolder
from .manifest import Manifest
from .reading import read_results
from .rows import RowFormat
from .run import FolderRun

Into: TypeAlias = str | os.PathLike[str] | None  # a folder to store results in, if any


def attempt_texts(
    session: ModelSession,
    texts: Iterable[TextLike],
    config: AttributionConfig,
    into: Into,
    *,
    engine: ExecutionEngine | None = None,
    retry_failed: bool = False,
    progress: Reporting = None,
) -> Iterator[Explanation | Failure]:
    """Explain texts lazily. With a folder, compute missing results first, then yield all results from the folder."""
    if into is None:
        if engine is not None:
            raise ArgumentError("engine needs into=FOLDER, where the workers' results are stored")
        if retry_failed:
            raise ArgumentError("retry_failed needs into=FOLDER, where failed texts are recorded")
        return explain_texts(session, texts, config, progress=progress)
    _check(into, engine)
    folder, rows = ResultFolder(into), RowFormat("jsonl")
    total, given = len(texts) if isinstance(texts, Sized) else None, ((None, text) for text in texts)
    with folder.hold(), reporting(progress, total=total) as report, (engine or LocalEngine()).open() as executor:
        function = chunk_explainer(session, config, rows, folder)
        manifest = Manifest(function.settings(), rows.form, texts=total, environment=function.environment())
        run = FolderRun(folder, manifest, rows)
        run.go(given, function, executor=executor, progress=report, retry_failed=retry_failed)
    return read_results(into)


def _check(into: object, engine: object) -> None:
    if not isinstance(into, str | os.PathLike) or "\0" in os.fsdecode(into):
        raise ArgumentError(f"into={brief(into)}: expected the path of a folder")
    if engine is not None and not isinstance(engine, ExecutionEngine):
        raise ArgumentError(f"engine={brief(engine)}: expected an engine such as RayEngine() or LocalEngine()")


def explained(attempt: Explanation | Failure) -> Explanation:
    """Return the explanation, or raise the error of a failed text."""
    if isinstance(attempt, Failure):
        raise attempt.error
    return attempt
