"""What computes chunks, and the local one. Knows neither texts nor results, and needs no torch."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from ..progress import Progress, Report

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
Compute: TypeAlias = Callable[[Chunk, Report | None], Result]  # the last progress that it reports is that of the chunk
Computed: TypeAlias = Generator[tuple[Chunk, Result], None, None]


@runtime_checkable
class ChunkWork(Protocol):
    """A pure function of a chunk that other processes can compute, and what to do if a chunk kills its process.

    It is pickled with its model, so it gives the same results wherever it runs.
    """

    @property
    def threads(self) -> int:
        """The number of threads that torch computes a chunk with."""

    @property
    def device(self) -> str:
        """The kind of device that the model is on."""

    def __call__(self, chunk: Any, progress: Report | None) -> Any:
        """The result of a chunk."""

    def halves(self, chunk: Any) -> tuple[Any, Any] | None:
        """A chunk in two; None for one text."""

    def join(self, results: Sequence[Any]) -> Any:
        """The result of a chunk from those of its pieces, in order."""

    def failure(self, chunk: Any, reason: str) -> Any:
        """The result of a chunk of one text that cannot be computed."""


class Executor(Protocol):
    """Computes chunks, here or elsewhere."""

    def map(
        self, function: Compute[Chunk, Result], chunks: Iterable[Chunk], progress: Report | None = None
    ) -> Computed[Chunk, Result]:
        """Every chunk with its result, in the order of the chunks."""


class ExecutionEngine(Protocol):
    """The settings of an executor."""

    def open(self) -> AbstractContextManager[Executor]:
        """An executor; what it started ends with the context."""


class LocalExecutor:
    """Computes one chunk after another in this process."""

    def map(
        self, function: Compute[Chunk, Result], chunks: Iterable[Chunk], progress: Report | None = None
    ) -> Computed[Chunk, Result]:
        """Every chunk with its result."""
        done = Progress(0, 0)
        for chunk in chunks:
            current = Progress(0, 0)

            def report(engine: Progress, before: Progress = done) -> None:
                nonlocal current
                current = engine
                if progress is not None:
                    progress(before + engine)

            yield chunk, function(chunk, report)
            done += Progress(current.texts, current.rows)


class LocalEngine:
    """Computes in this process."""

    @contextmanager
    def open(self) -> Iterator[Executor]:
        """The local executor."""
        yield LocalExecutor()
