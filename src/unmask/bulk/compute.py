"""Explains a chunk of texts: a pure function that any process with the same model can run."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import torch

from ..attribution.attribute import AttributionConfig, versions
from ..attribution.explain_texts import explain_texts
from ..attribution.session import ModelSession
from ..attribution.wrong_predictions import wrong_texts
from ..engine import Engine
from ..engine.threads import torch_threads
from ..errors import ModelError, UnmaskError
from ..methods.spec import format_spec
from ..progress import Progress, Report
from ..text.request import Failure
from .chunks import Chunk
from .folder import ResultFolder
from .manifest import ADDED
from .rows import ResultRow, RowFormat

SMALLER = "explain it alone with a smaller --batch-tokens, or on a machine with more memory"


@dataclass(frozen=True, slots=True)
class ChunkExplainer:
    """Explains the texts of a chunk with a new engine, so that earlier work cannot change the results.

    Args:
        only_wrong: Whether to skip texts that the model predicts correctly.
        threads: The number of torch threads. It can affect the last digits, so a folder keeps its first value.
    """

    session: ModelSession
    config: AttributionConfig
    rows: RowFormat
    only_wrong: bool = False
    threads: int = field(default_factory=torch.get_num_threads)

    def __call__(self, chunk: Chunk, progress: Report | None = None) -> list[ResultRow]:
        """Return the results of a chunk, in order."""
        last = Progress(0, 0)

        def report(engine: Progress) -> None:
            nonlocal last
            last = engine
            if progress is not None:
                progress(engine)

        with torch_threads(self.threads):
            rows = self._rows(chunk, report)
        if progress is not None:  # skipped texts count as done
            progress(Progress(len(chunk.texts), last.rows))
        return rows

    def _rows(self, chunk: Chunk, progress: Report) -> list[ResultRow]:
        session = copy(self.session)
        texts = list(chunk.texts)
        if self.only_wrong:
            texts = list(wrong_texts(session, texts, self.config))
        places = {id(text): chunk.first + at for at, text in enumerate(chunk.texts)}
        outcomes = explain_texts(session, texts, self.config, progress=progress)
        return [
            self.rows.row(places[id(text)], text, outcome, chunk.file)
            for text, outcome in zip(texts, outcomes, strict=True)
        ]

    @property
    def device(self) -> str:
        """The type of the model's device."""
        return self.session.adapter.device.type

    def halves(self, chunk: Chunk) -> tuple[Chunk, Chunk] | None:
        """Split the chunk in two; None for a single text."""
        return chunk.halves

    def join(self, results: Sequence[list[ResultRow]]) -> list[ResultRow]:
        """Concatenate the results of all pieces."""
        return [row for rows in results for row in rows]

    def failure(self, chunk: Chunk, reason: str) -> list[ResultRow]:
        """Return the result for a single text that cannot be explained."""
        (text,) = chunk.texts
        error = text if isinstance(text, UnmaskError) else ModelError(reason, hint=SMALLER)
        shown = "" if isinstance(text, UnmaskError) else text.text
        return [self.rows.row(chunk.first, text, Failure(chunk.first, shown, error), chunk.file)]

    def settings(self) -> dict[str, Any]:
        """Everything that a text's result depends on, by name."""
        config, session = self.config, self.session
        module = getattr(session.adapter, "module", None)
        return {
            "model": config.model.name,
            "model hash": config.model.hash,
            "dtype": str(getattr(module, "dtype", "float64")).removeprefix("torch."),
            "method": format_spec(config.method),
            "unit": config.unit,
            "target": str(config.target),
            "scale": config.scale,
            "baseline": config.baseline.name,
            "sets": config.sets,
            "max_length": session.max_length,
            "labels": None if session.labels is None else list(session.labels),
            "long": config.long,
            **{name: value for name, value in asdict(config.answers).items() if session.is_generative or name in ADDED},
            "keep": self.rows.keep,
            "only_wrong": self.only_wrong,
        }

    def environment(self) -> dict[str, Any]:
        """Everything that may affect the last digits of a score."""
        device, tokens = str(self.session.adapter.device), self.session.engine.first_tokens
        return {**versions(), "device": device, "threads": self.threads, "batch_tokens": tokens}


ChunkFunction: TypeAlias = Callable[[Chunk, Report | None], list[ResultRow]]


def chunk_explainer(
    session: ModelSession, config: AttributionConfig, rows: RowFormat, folder: ResultFolder, *, only_wrong: bool = False
) -> ChunkExplainer:
    """Create a `ChunkExplainer` with the number of threads and the token budget that a folder was created with."""
    if not isinstance(session.batch_tokens, int) and (tokens := folder.begun_with("batch_tokens")) is not None:
        session = copy(session)
        session.batch_tokens, session.engine = tokens, Engine(session.adapter, batch_tokens=tokens)
    return ChunkExplainer(session, config, rows, only_wrong, folder.begun_with("threads") or torch.get_num_threads())
