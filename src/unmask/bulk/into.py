"""`explain_many(..., into=folder)`: texts from Python, explained into a folder and read from it."""

import os
from collections.abc import Iterable, Iterator, Sized
from typing import TypeAlias

from ..attribution.attribute import AttributionConfig
from ..attribution.session import ModelSession, explain_texts
from ..progress import Reporting, reporting
from ..results.explanation import Explanation
from ..text.request import Failure, TextLike
from .compute import ChunkExplainer
from .folder import ResultFolder
from .manifest import Manifest
from .reading import read_results
from .rows import RowFormat
from .run import FolderRun

Into: TypeAlias = str | os.PathLike[str] | None  # a folder for results, if they are kept


def attempt_texts(
    session: ModelSession,
    texts: Iterable[TextLike],
    config: AttributionConfig,
    into: Into,
    *,
    progress: Reporting = None,
) -> Iterator[Explanation | Failure]:
    """Explain texts lazily; with a folder, explain what is missing in it, then yield all results from it."""
    if into is None:
        return explain_texts(session, texts, config, progress=progress)
    folder, rows = ResultFolder(into), RowFormat("jsonl")
    function, total = ChunkExplainer(session, config, rows), len(texts) if isinstance(texts, Sized) else None
    manifest = Manifest(function.settings(), rows.form, texts=total, environment=function.environment())
    with folder.hold(), reporting(progress, total=total) as report:
        FolderRun(folder, manifest, rows).go(((None, text) for text in texts), function, progress=report)
    return read_results(into)
