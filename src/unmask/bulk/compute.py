"""From a chunk of texts to rows: a pure function, which any process with the same model can compute."""

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeAlias

import torch

from ..attribution.attribute import AttributionConfig, versions
from ..attribution.session import ModelSession, explain_texts
from ..attribution.wrong_predictions import wrong_texts
from ..methods.spec import format_spec
from ..progress import Progress, Report
from .chunks import Chunk
from .rows import Row, RowFormat


@dataclass(frozen=True, slots=True)
class ChunkExplainer:
    """Explains the texts of a chunk, with an engine of its own: nothing that ran before can change a number.

    Args:
        only_wrong: Whether to leave out texts that the model predicts correctly.
    """

    session: ModelSession
    config: AttributionConfig
    rows: RowFormat
    only_wrong: bool = False

    def __call__(self, chunk: Chunk, progress: Report | None = None) -> list[Row]:
        """The rows of a chunk, in order."""
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

    def settings(self) -> dict[str, Any]:
        """All that the rows of a text depend on, by name."""
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
            **(asdict(config.answers) if session.is_generative else {}),
            "keep": self.rows.keep,
            "only_wrong": self.only_wrong,
        }

    def environment(self) -> dict[str, Any]:
        """What may change the last digits of a number."""
        session = self.session
        device, threads = str(session.adapter.device), torch.get_num_threads()
        return {**versions(), "device": device, "threads": threads, "batch_tokens": session.batch_tokens}


ChunkFunction: TypeAlias = Callable[[Chunk, Report | None], list[Row]]


class Executor(Protocol):
    """Computes chunks, here or elsewhere."""

    def map(
        self, function: ChunkFunction, chunks: Iterable[Chunk], progress: Report | None = None
    ) -> Iterator[tuple[Chunk, list[Row]]]:
        """Every chunk with its rows, in the order of the chunks."""


class LocalExecutor:
    """Computes one chunk after another in this process."""

    def map(
        self, function: ChunkFunction, chunks: Iterable[Chunk], progress: Report | None = None
    ) -> Iterator[tuple[Chunk, list[Row]]]:
        """Every chunk with its rows."""
        done = Progress(0, 0)
        for chunk in chunks:
            current = Progress(0, 0)

            def report(engine: Progress, before: Progress = done) -> None:
                nonlocal current
                current = engine
                if progress is not None:
                    progress(before + engine)

            yield chunk, function(chunk, report)
            done += Progress(len(chunk.texts), current.rows)
