"""The executor protocol and the local executor. Independent of what chunks and results contain; needs no torch."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from ..progress import Progress, Report

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
Compute: TypeAlias = Callable[[Chunk, Report | None], Result]  # the last progress report covers the whole chunk
Computed: TypeAlias = Generator[tuple[Chunk, Result], None, None]


@runtime_checkable
class ChunkWork(Protocol):
    """A pure function of a chunk that other processes can run, with methods to handle a chunk that kills its process.

    The function is pickled with its model, so it returns the same results wherever it runs.
    """

    @property
    def threads(self) -> int:
        """The number of torch threads per chunk."""

    @property
    def device(self) -> str:
        """The type of the model's device."""

    def __call__(self, chunk: Any, progress: Report | None) -> Any:
        """Compute the result of a chunk."""

    def halves(self, chunk: Any) -> tuple[Any, Any] | None:
        """Split the chunk in two; None for a single text."""

    def join(self, results: Sequence[Any]) -> Any:
        """Combine the results of a chunk's pieces, in order."""

    def failure(self, chunk: Any, reason: str) -> Any:
        """Return the result for a single text that cannot be computed."""


class Executor(Protocol):
    """Computes chunks, in this process or elsewhere."""

    def map(
        self, function: Compute[Chunk, Result], chunks: Iterable[Chunk], progress: Report | None = None
    ) -> Computed[Chunk, Result]:
        """Yield every chunk with its result, in order."""


@runtime_checkable
class ExecutionEngine(Protocol):
    """The settings of an executor."""

    def open(self) -> AbstractContextManager[Executor]:
        """Start an executor; everything it starts is stopped when the context ends."""


class LocalExecutor:
    """Computes chunks one after another in this process."""

    def map(
        self, function: Compute[Chunk, Result], chunks: Iterable[Chunk], progress: Report | None = None
    ) -> Computed[Chunk, Result]:
        """Yield every chunk with its result."""
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
        """Return the local executor."""
        yield LocalExecutor()
