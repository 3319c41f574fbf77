"""`explain_many(..., into=folder)`: texts from Python, explained into a folder and read from it."""

import os
from collections.abc import Iterable, Iterator, Sized
from typing import TypeAlias

from ..attribution.attribute import AttributionConfig
from ..attribution.session import ModelSession
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


def attempts_into(
    folder: str | os.PathLike[str],
    session: ModelSession,
    texts: Iterable[TextLike],
    config: AttributionConfig,
    *,
    progress: Reporting = None,
) -> Iterator[Explanation | Failure]:
    """Explain what is missing in a folder, then yield all results from it."""
    results, rows = ResultFolder(folder), RowFormat("jsonl")
    function, total = ChunkExplainer(session, config, rows), len(texts) if isinstance(texts, Sized) else None
    manifest = Manifest(function.settings(), rows.form, texts=total, environment=function.environment())
    with results.hold(), reporting(progress, total=total) as report:
        FolderRun(results, manifest, rows).go(((None, text) for text in texts), function, progress=report)
    return read_results(folder)
