"""Work for Ray's workers that is slow or kills them. Workers import this module, so it must not need pytest."""

import os
import signal
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unmask.bulk.chunks import Chunk
from unmask.bulk.compute import ChunkExplainer
from unmask.bulk.folder import ResultFolder
from unmask.bulk.manifest import Manifest
from unmask.bulk.rows import ResultRow
from unmask.bulk.run import FolderRun, Saved
from unmask.executors.base import ExecutionEngine

POISON = "poison"


@dataclass(frozen=True)
class DangerousWork:
    """Explains after a pause. Dies on a poisonous text, or once if it has a file to record that it died."""

    explainer: ChunkExplainer
    pause: float = 0.0
    dies_once: Path | None = None

    @property
    def threads(self) -> int:
        return self.explainer.threads

    @property
    def device(self) -> str:
        return self.explainer.device

    def __call__(self, chunk: Chunk, progress: Any) -> list[ResultRow]:
        time.sleep(self.pause)
        is_first = self.dies_once is not None and chunk.first >= 4 and not self.dies_once.exists()
        if is_first and self.dies_once is not None:
            self.dies_once.touch()
        if is_first or any(getattr(text, "text", "") == POISON for text in chunk.texts):
            os.kill(os.getpid(), signal.SIGKILL)
        return self.explainer(chunk, progress)

    def halves(self, chunk: Chunk) -> tuple[Chunk, Chunk] | None:
        return self.explainer.halves(chunk)

    def join(self, results: Sequence[list[ResultRow]]) -> list[ResultRow]:
        return self.explainer.join(results)

    def failure(self, chunk: Chunk, reason: str) -> list[ResultRow]:
        return self.explainer.failure(chunk, reason)


def explain_on(engine: ExecutionEngine, place: Path, texts: Iterable[Any], work: Any, *, progress: Any = None) -> Saved:
    """Explain texts with an engine and save the results in a folder."""
    explainer: ChunkExplainer = getattr(work, "explainer", work)
    folder, listed = ResultFolder(place), list(texts)
    with folder.hold(), engine.open() as executor:
        run = FolderRun(folder, Manifest(explainer.settings(), "jsonl", texts=len(listed)), explainer.rows)
        return run.go(((None, text) for text in listed), work, executor=executor, progress=progress)
